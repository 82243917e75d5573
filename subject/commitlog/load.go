package commitlog

import "errors"

// loadSegment reads what a segment's file says of itself.
func (in *inspection) loadSegment(number uint64) error {
	name := segmentName(number)
	s := newSegment(in.dir, name, header{number: number, base: unlimited}, in.parking.Park(name))
	s.found = new(findings)
	if err := s.load(); err != nil {
		return both(err, s.close())
	}
	in.opened = append(in.opened, s)
	if in.distrusted && s.found.format != nil { // else it is a file of another log
		return s.found.format
	}
	in.largest = max(in.largest, s.size.Load())
	return nil
}

// load reads the header, and the trailer of a sealed segment.
func (s *segment) load() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	s.size.Store(size)
	if err := s.loadHeader(); err != nil || s.found.headless() {
		return err
	}
	return s.loadTrailer()
}

// otherHeader is what is wrong with a segment whose header is overruled.
const otherHeader = "header of another place"

// loadByName has a segment that lost its header, or has that of another, be the one whose name its file has. Where
// somebody is writing the log, the first entries can come behind a look at the header, which is there before
// them: whoever finds entries without it looks at it again.
func (s *segment) loadByName(id uint64) error {
	number, _ := numberOf(s.name)
	f, named := s.found, header{id: id, number: number, base: unlimited}
	if !f.headless() {
		if s.id == id && s.number == number {
			return nil
		}
		if is, err := s.isRather(named); !is || err != nil {
			return err
		}
		f.struck, f.told, f.flaw = true, false, otherHeader
	}
	s.take(named)
	err := s.loadTrailer()
	if err == nil && !f.told {
		err = s.lookForEntries()
	}
	if err != nil || f.flaw == otherHeader {
		return err
	}
	return s.loadHeader()
}

// isRather reports whether a file with the header of one segment is another: by the trailer, or by any record. The header
// counts if these read through: the file has only been renamed. Where nothing tells, it counts for another log's file.
func (s *segment) isRather(named header) (bool, error) {
	_, is, err := s.readTrailer(named.mark())
	if s.sealed || s.found.spare || is || err != nil {
		return is, err
	}
	sc := s.scan()
	for ok := s.found.told; ok && err == nil; {
		_, ok, err = sc.step()
	}
	if err == nil {
		err = sc.restDirty()
	}
	if err != nil || sc.dirty <= sc.at {
		return false, err
	}
	is, err = s.holds(named)
	if is || err != nil || s.id != named.id || sc.at > recordsStart {
		return is, err
	}
	own, err := s.holds(s.header)
	return !own, err
}

// holds reports whether any record in the file is one of the segment with a header.
func (s *segment) holds(h header) (bool, error) {
	sc := s.scan()
	sc.seed = h.seed()
	sc.anywhere(0, anyBase)
	err := sc.walk(func(uint64, int64, record) error { return errEnough })
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}

func (s *segment) loadHeader() error {
	b := make([]byte, recordsStart)
	n, err := s.file.ReadAt(b, 0)
	if unlessEnd(err) != nil {
		return err
	}
	h, reason := parseHeader(b)
	f := s.found
	f.format, f.flaw = otherFormat(b[:n], headerMagic), reason
	if !f.headless() {
		s.take(h)
		f.told = true
	}
	f.struck = f.headless() && !s.tears(b)
	return nil
}

// tears reports whether a crash can have left that of the segment's header: of what it is known to have each byte, or
// zero in its place.
func (s *segment) tears(b []byte) bool {
	for i, whole := range newBlock(headerMagic, 0, s.id, s.number)[:baseIn] {
		if b[i] != whole && b[i] != 0 {
			return false
		}
	}
	return true
}

// loadTrailer makes the segment a sealed one if its file ends with an intact trailer.
func (s *segment) loadTrailer() error {
	t, is, err := s.readTrailer(s.mark())
	if err != nil || !is {
		return err
	}
	s.base, s.found.told = t.base, true
	s.takeTrailer(t)
	return nil
}

// readTrailer reads the trailer with which the file ends, and reports whether there is one of the segment with a mark.
func (s *segment) readTrailer(mark uint64) (t trailer, is bool, err error) {
	at := s.size.Load() - blockSize
	if at < recordsStart {
		return t, false, nil
	}
	b := make([]byte, blockSize)
	n, err := s.file.ReadAt(b, at)
	t, reason := parseTrailer(b[:n])
	return t, reason == "" && t.mark == mark && t.fits(at), unlessEnd(err)
}

// lookForEntries finds out whether a segment that does not tell its base has anything behind
// its header. Else it is a file that was to come next, or what a crash has left of making that.
func (s *segment) lookForEntries() error {
	sc := s.scan()
	err := sc.restDirty()
	s.found.spare = sc.dirty == 0
	return err
}
