package load

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// resolving is how long the name of a server is looked for, to know whose machine it is.
const resolving = 2 * time.Second

// here reports whether the server is on this machine: one of its addresses is this
// machine's own, or that of no machine, under which one asks one's own.
func (s Scenario) here() bool {
	if s.Serve != nil {
		return true
	}
	u, _ := url.Parse(s.URL) // Check has
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	addresses, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	own := ownAddresses()
	return u.Hostname() == "localhost" || slices.ContainsFunc(addresses, func(a netip.Addr) bool {
		a = a.Unmap().WithZone("")
		return a.IsLoopback() || a.IsUnspecified() || slices.Contains(own, a)
	})
}

// ownAddresses are those of this machine's interfaces.
func ownAddresses() (all []netip.Addr) {
	interfaces, _ := net.InterfaceAddrs() // where they are not told, nobody knows
	for _, i := range interfaces {
		if prefix, err := netip.ParsePrefix(i.String()); err == nil {
			all = append(all, prefix.Addr().Unmap().WithZone(""))
		}
	}
	return all
}
