package load

import "runtime"

// longBody is from which length on a body may not fit what lies between the two ends of a
// connection, so that who sends it waits for its being read.
const longBody = 32 << 10

// beside sends a long request and listens meanwhile, as RFC 9112, 9.5, has it: a server can
// answer before it has read all, and read no more. The connection has then had its last.
func (c *fast) beside(kind int, target, body []byte) (status, size int, err error) {
	sent := make(chan error, 1)
	go func() { sent <- c.send(kind, target, body) }()
	status, size, err = c.answer(c.wishes[kind].method)
	unsent, whole := finished(sent)
	c.ends = c.ends || !whole || unsent != nil
	if !whole {
		c.close() // which ends the sending
		<-sent
	}
	return status, size, err
}

// finished waits for no sender, but lets one go on that has sent all and not yet said so.
func finished(sent <-chan error) (unsent error, is bool) {
	for range 10 {
		select {
		case unsent = <-sent:
			return unsent, true
		default:
			runtime.Gosched()
		}
	}
	return nil, false
}
