package load

// apart deals processors out to a server and to what asks it, as many to that as it has
// workers; none to either where there are not enough: both then use all.
func apart(processors []int, workers int) (server, generator []int) {
	if len(processors) <= workers {
		return nil, nil
	}
	split := len(processors) - workers
	return processors[:split], processors[split:]
}
