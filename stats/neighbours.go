package stats

import (
	"math"
	"math/rand/v2"
)

// Neighbours is how alike values are that follow each other.
type Neighbours struct {
	// P is the probability that neighbours are as alike, or more, in any order of the columns.
	P float64
	// Share is the root mean square of what neighbours differ by, of that of any two columns:
	// 1 where the order says nothing.
	Share float64
}

const (
	// exactly is up to how many columns all orders are gone through: 5,040 of seven.
	exactly = 7
	orders  = 10_000 // that are drawn of more
)

// AlikeNeighbours tests whether neighbouring columns of a table are more alike than any two, as
// they are where rows are autocorrelated, or drift. Each row is a series of its own, of finite
// values; its scale is taken out. The statistic is von Neumann's (1941), the sum of the squares
// of what neighbours differ by, over all rows; P is that of a permutation test (Wald and
// Wolfowitz 1943) of the columns as wholes, so that rows that go together count no more than they
// tell. A row and its reverse are as alike: P is at least 2 ÷ n!. It is NaN with fewer than
// three columns, with rows of different lengths, or where no row varies.
func AlikeNeighbours(rows [][]float64) Neighbours {
	apart, ok := squaresApart(rows)
	if !ok {
		return Neighbours{P: math.NaN(), Share: math.NaN()}
	}
	n := len(apart)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	observed := along(apart, order)
	as, all := 0, 0
	count := func(order []int) {
		all++
		if along(apart, order) <= observed*(1+1e-12) {
			as++
		}
	}
	if n <= exactly {
		permute(order, n, count)
	} else {
		count(order) // the one that was measured is one of them
		random := rand.New(rand.NewPCG(1, uint64(n)))
		for range orders {
			random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
			count(order)
		}
	}
	return Neighbours{P: float64(as) / float64(all), Share: math.Sqrt(observed / float64(n-1) / meanOf(apart))}
}

// squaresApart are the squares of what any two columns differ by, in sum over the rows.
func squaresApart(rows [][]float64) (apart [][]float64, ok bool) {
	if len(rows) == 0 || len(rows[0]) < 3 {
		return nil, false
	}
	n := len(rows[0])
	apart = make([][]float64, n)
	for i := range apart {
		apart[i] = make([]float64, n)
	}
	for _, row := range rows {
		if len(row) != n {
			return nil, false
		}
		spread := squares(row)
		if !(spread > 0) || math.IsInf(spread, 0) {
			continue
		}
		ok = true
		for i, x := range row {
			for j, y := range row {
				apart[i][j] += (x - y) * (x - y) / spread
			}
		}
	}
	return apart, ok
}

func along(apart [][]float64, order []int) (sum float64) {
	for i, at := range order[1:] {
		sum += apart[order[i]][at]
	}
	return sum
}

// meanOf is the mean of all pairs of two columns.
func meanOf(apart [][]float64) (mean float64) {
	n := len(apart)
	for _, row := range apart {
		for _, x := range row {
			mean += x / float64(n*(n-1))
		}
	}
	return mean
}

// permute calls a function with each order of the first k values (Heap 1963).
func permute(order []int, k int, visit func([]int)) {
	if k == 1 {
		visit(order)
		return
	}
	for i := range k {
		permute(order, k-1, visit)
		if k%2 == 0 {
			order[i], order[k-1] = order[k-1], order[i]
		} else {
			order[0], order[k-1] = order[k-1], order[0]
		}
	}
}
