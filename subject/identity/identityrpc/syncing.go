package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// Errors of replicas, to test for with errors.Is.
var (
	// ErrStopped is why nothing is handed out any more: another server has this one's
	// numbers.
	ErrStopped = errors.New("stopped handing out identities")
	errEnding  = errors.New("the server is ending")
	errItself  = errors.New("it is this server itself")
	errEchoes  = errors.New("it is no replica: it sends back what it is sent")
)

// mostFloor is how many bytes a floor has at most.
const mostFloor = 1 << 20

// Syncing is how a replica keeps up with the others, as the documents have it: a ticker
// issues syncTimeout, and the local actor sends a syncRequest to each peer, which answers
// with a syncReply. Both say how far their sender is, and whoever gets one raises its own
// floor to that.
type syncing struct {
	ids     *Kept
	service *Service
	say     func(string)
	local   *actor.Actor[actor.Event]
	ticker  *actor.Actor[actor.Event]
	asker   *actor.Asker[actor.Event, *identitypb.Floor, *identitypb.Floor]
	peers   []*peer
	telling sync.WaitGroup // of what became of messages
	cancel  context.CancelFunc
	// conflict is closed when another server has this one's numbers.
	conflict chan struct{}

	// The local actor's.
	known      map[uint64]*acquaintance // the replicas that it has met
	unfollowed map[uint64]bool          // whose floor this server could not be raised above
}

// startSync starts the local actor, its ticker and the peers. Whoever calls it stops it.
func startSync(ids *Kept, service *Service, options ServeOptions) (*syncing, error) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &syncing{ids: ids, service: service, say: options.Say, cancel: cancel, conflict: make(chan struct{}),
		known: map[uint64]*acquaintance{}, unfollowed: map[uint64]bool{}}
	s.local = actor.Start(ctx, actor.Table{
		actor.SyncTimeout: s.onSyncTimeout, actor.SyncRequest: s.onSyncRequest, actor.SyncReply: s.onSyncReply,
	}.Handle, actor.Settings[actor.Event]{Name: "local"})
	s.asker = actor.NewAsker(s.local, func(floor *identitypb.Floor, reply actor.Reply[*identitypb.Floor]) actor.Event {
		return actor.Event{Type: actor.SyncRequest, Source: reply, Value: floor}
	})
	s.ticker = actor.StartTicker(ctx, s.local, actor.Event{Type: actor.SyncTimeout}, options.Interval)
	for _, address := range options.Peers {
		p, err := newPeer(address, ids.Replica(), options)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("peer %s: %w", address, err), s.stop())
		}
		s.peers = append(s.peers, p)
		s.telling.Go(func() { p.tell(ctx, s.local) })
	}
	err := s.ticker.Dispatch(ctx, actor.Event{Type: actor.TickerStart})
	if err == nil {
		err = s.local.Dispatch(ctx, actor.Event{Type: actor.SyncTimeout}) // the first one at once
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// stop ends what startSync has started.
func (s *syncing) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	err := s.ticker.Halt(ctx)
	for _, p := range s.peers {
		p.close()
	}
	err = errors.Join(err, s.local.Halt(ctx))
	s.cancel()
	s.telling.Wait()
	return err
}

// handle is the receiver's side: it asks the local actor, and returns its syncReply.
func (s *syncing) handle(ctx context.Context, _ string, m remote.Message) ([]byte, error) {
	if m.Type != actor.SyncRequest {
		return nil, fmt.Errorf("%v: %w", m.Type, actor.ErrNoHandler)
	}
	floor, err := readFloor(m.Payload)
	if err != nil {
		return nil, err
	}
	answer, err := s.asker.Ask(ctx, floor)
	if errors.Is(err, actor.ErrClosed) || errors.Is(err, actor.ErrEnded) {
		return nil, errEnding
	}
	if err != nil {
		return nil, err
	}
	return proto.Marshal(answer)
}

// floor is what this replica tells one of a number, which is 0 where it is not known yet.
func (s *syncing) floor(to uint64) *identitypb.Floor {
	instance, session, replica := s.ids.Instance(), s.ids.Session(), s.ids.Replica()
	isFound := s.service.found() != nil // first: what is handed out is final then
	floor := &identitypb.Floor{Last: s.ids.Last(), Replica: replica.Number, Replicas: replica.Of, Instance: instance[:], Session: session[:], Past: bytesOf(s.ids.Past()), Began: s.ids.Began(),
		Handed: s.ids.Handed(), Stopped: isFound}
	if known := s.known[to]; known != nil && len(known.told) > 0 {
		floor.Doubled = []*identitypb.Doubled{known.verdict(to)}
	}
	return floor
}

// isMeant reports whether a verdict of another replica is about this server.
func (s *syncing) isMeant(d *identitypb.Doubled) bool {
	return d.GetReplica() == s.ids.Replica().Number && slices.Contains(sessions(d.GetSessions()), s.ids.Session())
}

// onSyncTimeout sends a syncRequest to each peer that has settled the last one.
func (s *syncing) onSyncTimeout(self *actor.Self[actor.Event], _ actor.Event) error {
	for _, p := range s.peers {
		if p.waits {
			s.tell(p.missed())
			continue
		}
		payload, err := proto.Marshal(s.floor(p.number))
		if err != nil {
			return err
		}
		if err := p.Send(self.Context(), remote.Message{Type: actor.SyncRequest, Payload: payload}); err != nil {
			return nil // it is being closed
		}
		p.waits = true
	}
	return nil
}

func (s *syncing) onSyncRequest(_ *actor.Self[actor.Event], e actor.Event) error {
	asks, before := e.Value.(*identitypb.Floor), s.ids.Last()
	reply := e.Source.(actor.Reply[*identitypb.Floor])
	if s.isOwn(asks) {
		reply.Refuse(errItself)
		return nil
	}
	s.meet(asks)
	answer := s.floor(asks.Replica)
	answer.Last = before // and not what it was just raised to: whoever asks can see what this server has begun with
	reply.Send(answer)   // whoever does not wait any more asks again
	return nil
}

// onSyncReply takes what became of a syncRequest.
func (s *syncing) onSyncReply(_ *actor.Self[actor.Event], e actor.Event) error {
	p, became := e.Source.(*peer), e.Value.(settled)
	p.waits, p.misses = false, 0
	err := became.err
	if errors.Is(err, remote.ErrClosed) {
		return nil // by this server, which is ending
	}
	switch {
	case err != nil:
	case s.isOwn(became.floor): // and not of this server, which refuses its own
		err = errEchoes
	default:
		p.number = became.floor.Replica
		s.meet(became.floor)
	}
	s.tell(p.changed(err))
	return nil
}

// tell says what there is to say, if anything.
func (s *syncing) tell(text string) {
	if text != "" {
		s.say(text)
	}
}

// isOwn reports whether this server has sent a floor.
func (s *syncing) isOwn(floor *identitypb.Floor) bool {
	return identity.Session(floor.Session) == s.ids.Session()
}

// meet takes what another replica says of itself.
func (s *syncing) meet(floor *identitypb.Floor) {
	own, other := s.ids.Replica(), identity.Replica{Number: floor.Replica, Of: floor.Replicas}
	switch {
	case other.Of != own.Of:
		s.stopFor(fmt.Sprintf("there is a replica %v beside this one, %v: they can hand out the same; %s", other, own, otherCount))
	case other.Number == own.Number:
		s.stopFor(fmt.Sprintf("there are two replicas %v; %s", own, WayOut))
	case slices.ContainsFunc(floor.Doubled, s.isMeant):
		s.stopFor(fmt.Sprintf("replica %v has found that numbers of %v can be handed out twice: its log says why; %s", other, own, WayOut))
	}
	if other.Of != own.Of || other.Number == own.Number {
		return // what it is answered tells it the same
	}
	s.follow(other, floor.Last)
	s.recognise(other, floor)
}

// follow raises what this server hands out above what another one has, and says where it
// cannot: the other one is not to blame. One that has stopped stays where it is: started anew
// it begins there, and is told again if that is too low.
func (s *syncing) follow(other identity.Replica, last uint64) {
	if s.service.stopped.Load() != nil {
		return
	}
	err := s.ids.Update(context.Background(), last)
	switch was := s.unfollowed[other.Number]; {
	case err != nil && !was:
		s.say(fmt.Sprintf("replica %v is not followed: %v", other, err))
	case err == nil && was:
		s.say(fmt.Sprintf("replica %v is followed again", other))
	}
	s.unfollowed[other.Number] = err != nil
}

// recognise notes a replica, and says that its number can be handed out twice where it can.
// One that was told to stop is not the server of its number.
func (s *syncing) recognise(other identity.Replica, floor *identitypb.Floor) {
	known := s.known[other.Number]
	if floor.Stopped {
		if known != nil {
			known.takeBack(floor)
		}
		return
	}
	if known == nil {
		known = newAcquaintance(floor)
		s.known[other.Number] = known
	}
	if why := known.meet(floor); why != "" {
		s.say(fmt.Sprintf("replica %v can hand out the same twice, and is told to stop: %s; %s", other, why, WayOut))
	}
}

// stopFor says how far the server is, too: whoever is to name a floor has to know.
func (s *syncing) stopFor(why string) {
	if s.service.stop(fmt.Errorf("%w: %s", ErrStopped, why)) {
		close(s.conflict)
		s.say(fmt.Sprintf("NO MORE IDENTITIES: it is at %d, and has handed out %d since its start; %s", s.ids.Last(), s.ids.Handed(), why))
	}
}
