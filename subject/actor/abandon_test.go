package actor

import "testing"

// Who asked in vain waits for whoever is answering all the same: an answer that ends
// later must not be that to the next question.
func TestAbandonWaitsForAnAnswerUnderWay(t *testing.T) {
	c := newCall[int]()
	number := c.number()
	c.state.Store(number<<2 | answering)
	abandoned := make(chan struct{})
	go func() {
		c.abandon()
		close(abandoned)
	}()
	for range 1000 {
		select {
		case <-abandoned:
			t.Fatal("it did not wait")
		default:
		}
	}
	c.value = 7
	c.state.Store(number<<2 | answered)
	<-abandoned
	if c.state.Load() != (number+1)<<2 || c.value != 0 {
		t.Errorf("the next question is %b, its value %d", c.state.Load(), c.value)
	}
}
