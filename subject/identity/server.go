package identity

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Max is the highest identity: the highest that a signed integer of 64 bits holds.
const Max = math.MaxInt64

// Errors to test for with errors.Is.
var (
	ErrExhausted = errors.New("there are not so many identities left")
	ErrRange     = errors.New("not an identity")
	ErrCount     = errors.New("not a number of identities")
	ErrClosed    = errors.New("the server is closed")
)

// Server hands out identities from 1 to [Max], with replies of type R. Any number of
// goroutines may call it.
type Server[R any] interface {
	// Next hands out the next identity. At the end of the range it returns
	// [ErrExhausted], however often it is called.
	Next(ctx context.Context) (R, error)
	// NextN hands out so many identities that follow each other. Where there are not
	// so many left it returns [ErrExhausted] and hands out none; [ErrCount] where n
	// is 0.
	NextN(ctx context.Context, n uint64) (R, error)
	// Update makes all identities that follow be above id. It raises and never
	// lowers. Above [Max] it returns [ErrRange].
	Update(ctx context.Context, id uint64) error
	// Close ends what the server has started. Calls that come later return
	// [ErrClosed] where there is something to end, and are answered elsewhere.
	Close() error
}

// Options are the settings of a server.
type Options[R any] struct {
	// Floor is the identity that all that are handed out lie above.
	Floor uint64
	// Reply makes the reply that hands out n identities from first on. It must be set;
	// [Number] is one. It is called by many goroutines, and must neither panic nor call
	// the server.
	Reply func(first, n uint64) R
}

// Number is the reply that is the first identity itself.
func Number(first, _ uint64) uint64 { return first }

// check panics where options cannot be: that is a mistake of whoever wrote the program.
func (o Options[R]) check() Options[R] {
	if o.Reply == nil {
		panic("identity: Options.Reply is not set")
	}
	if o.Floor > Max {
		panic(fmt.Sprintf("identity: a floor of %d, above %d", o.Floor, uint64(Max)))
	}
	return o
}
