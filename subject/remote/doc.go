// Package remote sends messages to a peer over one gRPC stream, and says of each what
// became of it.
//
//	peer, err := remote.Dial(ctx, "127.0.0.1:3264", remote.Options{})
//	answer, err := peer.Request(ctx, remote.Message{Type: 1, Payload: []byte("ping")})
//	err = peer.Close(ctx)
//
// The other side is a [Handler]:
//
//	err := remote.Serve(ctx, listener, func(ctx context.Context, from string, m remote.Message) ([]byte, error) {
//		return m.Payload, nil
//	}, remote.ServiceOptions{})
//
// Request waits for the answer; Send does not, and [Peer.Events] hands over what became
// of what was sent. Messages wait in a mailbox of package actor, and all that wait travel
// together, in one packet.
//
// # What is promised
//
// Order total: a message whose Send or Request began after another one was handed over is
// handled after it, if it is handled.
//
// Result at-most-once: each message is either answered, and was handled once, or lost, and
// its sender is told so with its type, the peer and the endpoint, and whether it may have
// been handled all the same. A link that breaks, or is given up because no answer comes
// ([Options.Stalled]), loses what was sent and had no answer; what waits goes over the next
// one.
//
// With [Options.ExactlyOnce], result exactly-once, across links: what had no answer is
// sent again, the receiver passes over what it has handled, and sends the answers that
// did not arrive. A receiver that starts anew goes on where it was if it has an
// [ServiceOptions.Inbox]. Without one, and where it has forgotten the session, messages
// without an answer are lost, and their sender is told. A sender that ends takes with it
// what had no answer.
//
// What is answered survives nothing, or what an append to the inbox survives.
//
// # What is bounded
//
// At most [Options.Mailbox] messages wait to be sent; twice as many, or as many as fill a
// packet, were taken by the messenger; [Options.InFlight] packets are without answers; as many events as messages
// wait to be read. Where no answers come, or nobody reads events, senders wait. A
// receiver reads no further message before it has sent the answers to the last packet.
//
// # When not to use it
//
// For calls that may overtake each other, and for methods with types of their own, use
// gRPC itself. For messages that several receivers share, that outlive their sender, or
// that go through a broker, use one (NATS, Kafka). One peer is one stream: its messages
// are handled one after the other.
package remote
