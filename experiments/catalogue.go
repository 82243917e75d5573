package experiments

import "github.com/syncwrite/syncwrite/harness"

// Catalogue lists all experiments, the main job first.
func Catalogue() []harness.Experiment {
	return []harness.Experiment{
		Log(),
		Counter(),
		Map(),
		Buffering(),
		Handover(),
		Set(),
		Aggregate(),
		Mailbox(),
		Sequence(),
		Remote(),
		Identity(),
		IdentityClients(),
		Albums(),
		Limits(),
		KnownCost(),
	}
}
