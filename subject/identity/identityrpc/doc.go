// Package identityrpc is the identity service Ipseity: package identity's numbers over
// gRPC, unique for ever and across replicas.
//
//	ids, err := identityrpc.Open("ids", identity.KeptOptions[*identitypb.Identities]{})
//	err = identityrpc.Serve(ctx, listener, ids, identityrpc.ServeOptions{})
//
// and, elsewhere:
//
//	client, err := identityrpc.New([]string{"127.0.0.1:3265"}, identityrpc.Options{})
//	id, err := client.Next(ctx)
//
// `syncwrite serve identity` and `syncwrite id` are both from the command line.
//
// # What is promised
//
// Each identity is handed out once: also by a server that was killed and started anew,
// since its directory says what was reserved before any of it is handed out, and by
// several replicas, since each has numbers of its own (1, 4, 7 … of three).
//
// One server's identities are in total order, and linearizable: one is above all that the
// server had handed out before it was asked for. Those that one [Client] returns ascend,
// whichever replica they come from: it tells each one what it had. Between replicas and
// several clients order holds by and by: replicas tell each other how far they are, at an
// interval, and what was handed out two intervals ago lies below what comes now, while
// they reach each other. Through a third one it takes two intervals for each step.
//
// What is skipped: the rest of a block where a server is killed, what synchronisation
// raises a floor over, and what a caller has given up waiting for.
//
// # Two of one number, and copies
//
// Two servers of one replica's number would hand out the same. A replica that stays up knows
// of each number which directory it has, the sessions (openings) that are in its past, and
// how far each session has said to be: to the highest identity that it had handed out, or was
// told of by others. A server that reaches it is told to stop, in the answer to its
// first message,
//   - where it has another directory: both stop;
//   - where the session that is known is not in its past: it has an old backup, or a copy; it
//     is told at each start, and the one that is known goes on;
//   - where that session is in its past, and it begins below what sessions of its past have
//     said: its directory has gone back, or is a copy of one that another server has.
//
// Where a server and a live copy of its directory have both gone on, both are told within four
// intervals, and at each start. What was handed out since the last synchronisation is not seen,
// nor what was before the peers began.
//
// The way out is the same for all, [WayOut]: README.md says how to take it, and when less is
// enough.
//
// Who was told to stop says so to its peers. It is not taken for the server of its number.
// Where it was, and another replica has found it, and it has handed out nothing, the session
// before it is the one that is known. Where it was found by whom it met first, beside another
// directory, and its own one has never handed out, none is known. Else it keeps the place until
// the peers that know it are started anew.
//
// # When not to use it
//
// Where identities need no order, use random ones (UUIDs): they need no service. Where
// strangers reach the port, use mutual TLS: whoever reaches it can raise floors, each time
// by [identity.FurthestRaise] at most, and claim to be a replica.
package identityrpc
