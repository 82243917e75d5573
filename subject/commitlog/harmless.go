package commitlog

import "slices"

// findHarmless reports what is damaged although it was safe, and is told elsewhere as well:
// headers, and trailers of which there is a later one.
func (in *inspection) findHarmless() {
	sealed, safe := false, in.manifest.known
	for _, s := range slices.Backward(in.segments) {
		f := s.found
		safe = max(safe, f.safe)
		sealed = sealed || s.sealed
		if !s.sealed && sealed || in.lostTrailer(s) {
			in.harmless = append(in.harmless, s.corrupt(s.next(), s.end, "segment has no intact trailer"))
		}
		if f.flaw != "" && !s.unreadable() && (f.made || s.entries() > 0 && (sealed || min(safe, s.next()) > s.base)) {
			in.harmless = append(in.harmless, s.corrupt(s.base, 0, f.flaw))
		}
	}
	slices.Reverse(in.harmless)
}

// lostTrailer reports whether a segment had a later trailer than the one that counts, if any does. Where it was
// cut by what the manifest says, another may just have been under way; an older cut has had its trailer.
func (in *inspection) lostTrailer(s *segment) bool {
	older := !s.tellsItsEnd() && s.until < in.manifest.cut
	if !s.sealed {
		return older
	}
	end := s.base + s.count
	return older || s.found.torn && in.cutAt(s.number, end) == end
}
