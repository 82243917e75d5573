package commitlog

// loadSegment reads what a segment's file says of itself.
func (in *inspection) loadSegment(number uint64) error {
	name := segmentName(number)
	s := newSegment(in.dir, name, header{number: number, base: unlimited}, in.parking.Park(name))
	s.found = new(findings)
	if err := s.load(); err != nil {
		return both(err, s.close())
	}
	in.opened = append(in.opened, s)
	in.largest = max(in.largest, s.size.Load())
	return nil
}

// load reads the headers, and the trailer of a sealed segment. Where somebody is writing the
// log, the first entries can come behind a look at the second header, which is there before
// them: whoever finds entries without it looks at it again.
func (s *segment) load() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	s.size.Store(size)
	if err := s.loadHeaders(); err != nil || s.found.headless {
		return err
	}
	if err := s.loadEnd(); err != nil || s.found.told || s.found.spare {
		return err
	}
	return s.loadHeaders()
}

// loadEnd reads the trailer, or whether there are entries.
func (s *segment) loadEnd() error {
	if err := s.loadTrailer(); err != nil || s.found.told {
		return err
	}
	return s.lookForEntries()
}

// loadByName has a segment that lost both headers, or has those of another, be the one whose name its file has. Of two that
// it can be it is the one of which it has more records.
func (s *segment) loadByName(id uint64) error {
	number, _ := numberOf(s.name)
	f := s.found
	if !f.headless && (s.id == id && s.number == number || s.sealed || f.spare) {
		return nil
	}
	named := header{id: id, number: number, base: unlimited}
	if !f.headless {
		if other, err := s.isRather(named); !other || err != nil {
			return err
		}
		f.headless, f.told, f.made, f.flaw = true, false, true, "headers of another place"
	}
	s.take(named)
	return s.loadEnd()
}

// isRather reports whether a file has more records of another segment than those from its begin that are of the one
// whose headers it has.
func (s *segment) isRather(other header) (bool, error) {
	own, sc := 0, s.scan()
	for {
		_, ok, err := sc.step()
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		own++
	}
	if err := sc.restDirty(); err != nil || sc.dirty <= sc.at {
		return false, err
	}
	others := 0
	sc = s.scan()
	sc.seed = other.seed()
	sc.anywhere(0, anyBase)
	err := sc.walk(func(uint64, int64, record) error {
		others++
		return nil
	})
	return others > own, err
}

func (s *segment) loadHeaders() error {
	b := make([]byte, recordsStart)
	n, err := s.file.ReadAt(b, 0)
	if unlessEnd(err) != nil {
		return err
	}
	if err := otherFormat(b[:n], headerMagic); err != nil {
		return err
	}
	s.takeHeaders(b[:blockSize], b[baseAt:])
	return nil
}

// takeHeaders takes the header that tells the base, or else the other one.
func (s *segment) takeHeaders(first, second []byte) {
	made, flaw := parseHeader(first)
	begun, reason := parseHeader(second)
	const misplaced = "header of another place"
	if flaw == "" && made.base != unlimited {
		flaw = misplaced
	}
	if reason == "" && begun.base == unlimited {
		reason = misplaced
	}
	if flaw == "" && reason == "" && (made.id != begun.id || made.number != begun.number) {
		if number, _ := numberOf(s.name); begun.number == number {
			flaw = misplaced
		} else {
			reason = misplaced
		}
	}
	f := s.found
	f.flaw, f.made, f.headless = flaw, flaw != "", false
	switch {
	case reason == "":
		s.take(begun)
		f.told = true
	case flaw == "":
		s.take(made)
		f.flaw = reason
	default:
		f.headless = true
	}
}

// loadTrailer makes the segment a sealed one if its file ends with an intact trailer.
func (s *segment) loadTrailer() error {
	at := s.size.Load() - blockSize
	if at < recordsStart {
		return nil
	}
	b := make([]byte, blockSize)
	n, err := s.file.ReadAt(b, at)
	if unlessEnd(err) != nil {
		return err
	}
	t, reason := parseTrailer(b[:n])
	if reason != "" || t.mark != s.mark() || !t.fits(at) {
		return nil
	}
	if s.found.told && s.base < t.base {
		s.found.earlier = t.base - s.base
	}
	s.base, s.found.told = t.base, true
	s.takeTrailer(t)
	return nil
}

// lookForEntries finds out whether a segment that does not tell its base has anything behind
// its headers. Else it is a file that was to come next, or what a crash has left of making that.
func (s *segment) lookForEntries() error {
	sc := s.scan()
	err := sc.restDirty()
	s.found.spare = sc.dirty == 0
	return err
}
