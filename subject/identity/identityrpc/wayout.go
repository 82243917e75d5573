package identityrpc

// WayOut is what to do where a number can be handed out twice, or may have been, whatever has
// led to that. The order matters. While another server of the number runs, or a peer remembers
// one, the server that is to stay is stopped again; and below the floor is what others had. A
// peer that was told to stop would hand out again what its own double does.
const WayOut = stepEnd + ", " + stepPeers + ", and then " + stepStart

// The steps of [WayOut].
const (
	stepEnd   = "end all servers of that number and of every other one that was told to stop"
	stepPeers = "start all their peers anew"
	stepStart = "start one of each such number with --floor above all that was handed out"
)

// otherCount is the way out where replicas have different counts: all numbers are concerned.
const otherCount = "end all servers with the wrong count, and then start each other replica anew with --floor above all that was handed out"
