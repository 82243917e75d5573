// Package set is a set of comparable elements: one that any number of
// goroutines may use at once, [Set], and one for a single goroutine,
// [SetNonTS]. Both are built on the same base and meet the same [Interface]:
//
//	visitors := set.New("ann", "bob")
//	visitors.Add("cid", "bob")     // 1: cid is new
//	visitors.Contains("ann")       // true
//	staff := set.NewNonTS("bob")
//	guests := visitors.Difference(staff)
//
// The zero value of both is an empty set, ready for use. Neither may be copied
// after it was first used; Clone copies.
//
// # What is promised
//
// Every call on one Set takes effect at one moment between its start and its
// end: order total, result linearizable, survives nothing. That holds for
// calls with several elements, too: of Add(1, 2) nobody sees the one without
// the other.
//
// An operation on two sets sees each of them whole, at one moment, but not both
// at the same moment: it copies one, lets go of it, and only then looks at the
// other. While others write, Equal and IsSubset therefore speak of two moments
// between their start and their end, and an element that somebody moves from
// one set to the other meanwhile can be missing in a Union, or be in an
// Intersection. Who needs both sets at one moment keeps a lock around them.
//
// No operation ever holds the locks of two sets, nor one lock twice. So
// a.Union(b) beside b.Union(a) cannot deadlock, whoever writes to a and b
// meanwhile, and neither can a.Union(a).
//
// [Set.All] holds no lock while it yields: the loop's body may use the set. It
// yields what was in the set when the loop began.
//
// The two types may be mixed; a result is of the receiver's kind. Nothing locks
// a SetNonTS that is the other operand: as long as the call lasts, nobody may
// write to it.
//
// # Elements
//
// An element that is not equal to itself, a floating-point NaN, is never in a
// set: Add and UnmarshalJSON pass over it, since nobody could find or remove
// it. An element whose type is an interface and whose value cannot be compared
// (a slice in a Set[any]) panics, as it does as the key of a map; the set is as
// before and not locked.
//
// # When not to use it
//
// For one goroutine that needs nothing of the above, a map[T]struct{} says it
// all; a SetNonTS costs as much. For counting, ordering or sets of small
// integers use a map, a tree or a bitmap. A Set is one map behind one
// sync.RWMutex: where many goroutines mostly write, elements that are split up
// among the goroutines beforehand are faster than any lock. A call of Add or
// Remove through Interface puts its list of elements on the heap, which the
// compiler spares a call on *Set or *SetNonTS.
package set
