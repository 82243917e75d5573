package load

import "time"

// longBody is from which length on a body may not fit what lies between the two ends of a
// connection, so that who sends it waits for its being read.
const longBody = 32 << 10

// beside sends a long request and listens meanwhile, as RFC 9112, 9.5, has it: a server can
// answer before it has read all, and read no more. The connection has then had its last.
func (c *fast) beside(kind int, target, body []byte) (status, size int, err error) {
	sent := make(chan error, 1)
	go func() { sent <- c.send(kind, target, body) }()
	status, size, err = c.answer(c.wishes[kind].method)
	c.conn.SetWriteDeadline(time.Unix(1, 0)) // ends a write that waits; one that the system has taken has succeeded
	unsent := <-sent
	c.ends = c.ends || unsent != nil || c.conn.SetWriteDeadline(c.deadline) != nil
	return status, size, err
}
