package remote

// A queue is what waits, the first in front. What has left is forgotten when there is
// more of it than of the rest.
type queue[T any] struct {
	all  []T
	left int
}

func (q *queue[T]) len() int        { return len(q.all) - q.left }
func (q *queue[T]) waiting() []T    { return q.all[q.left:] }
func (q *queue[T]) push(these ...T) { q.all = append(q.all, these...) }

// pop takes so many off the front, and appends them to another slice.
func (q *queue[T]) pop(n int, to []T) []T {
	gone := q.all[q.left : q.left+n]
	to = append(to, gone...)
	clear(gone)
	q.left += n
	if q.left > q.len() {
		kept := copy(q.all, q.waiting())
		clear(q.all[kept:])
		q.all, q.left = q.all[:kept], 0
	}
	return to
}
