package crashdisk

import (
	"math/bits"
	"math/rand/v2"
)

// units are the sizes of what a disk may write as a whole: nothing, a word, a
// sector, a page.
var units = [...]int{1, 8, 512, 4096}

func drawUnit(r *rand.Rand) int { return units[r.IntN(len(units))] }

// drawPlace draws a place 0..n among n bytes that start at the offset lo of a
// file, often one where a sector of the file starts.
func drawPlace(r *rand.Rand, lo, n int) int {
	place := r.IntN(n + 1)
	if r.IntN(2) == 0 {
		return place
	}
	return max(0, place-(lo+place)%drawUnit(r))
}

// A sieve keeps one sector and loses another: keep of every of sectors, which
// of them is for the seed to say. It draws nothing, so that a sector is kept
// from one edit if it is kept from a later one that is lost more often.
type sieve struct {
	seed     uint64
	unit     int
	keep, of uint64
}

// keeps says whether the sector survives. The high half of the product is a
// number below of, for less than a division costs.
func (s *sieve) keeps(sector int) bool {
	number, _ := bits.Mul64(mix(s.seed+uint64(sector)), s.of)
	return number < s.keep
}

// put puts the sectors of lo..hi that survive of the edit onto the image.
func (s *sieve) put(e *edit, image []byte, lo, hi int) {
	for sector := lo / s.unit; lo < hi; sector++ {
		end := min(hi, (sector+1)*s.unit)
		if s.keeps(sector) {
			e.put(image, lo, end)
		}
		lo = end
	}
}

// mix spreads neighbouring numbers over all numbers; it is the finalizer of
// splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
