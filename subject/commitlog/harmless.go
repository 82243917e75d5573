package commitlog

import "slices"

// findHarmless reports what is damaged although it was safe, and is told elsewhere as well:
// headers, and trailers before others.
func (in *inspection) findHarmless() {
	sealed, safe := false, uint64(0)
	if in.manifest.known > in.manifest.first { // below, a full disk can have kept a truncation from flushing
		safe = in.manifest.known
	}
	for _, s := range slices.Backward(in.segments) {
		f := s.found
		if f.safe > in.manifest.first {
			safe = max(safe, f.safe)
		}
		sealed = sealed || s.sealed
		if !s.sealed && sealed {
			in.harmless = append(in.harmless, s.corrupt(s.next(), s.end, "segment has no intact trailer"))
		}
		if f.flaw != "" && !s.unreadable() && (f.struck || s.entries() > 0 && (sealed || min(safe, s.next()) > s.base)) {
			in.harmless = append(in.harmless, s.corrupt(s.base, 0, f.flaw))
		}
	}
	slices.Reverse(in.harmless)
}
