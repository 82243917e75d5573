package logs

func Rivals() []Rival {
	var all []Rival
	for _, few := range [][]Rival{
		Ours(), naiveRivals(), tidwallRivals(), raftRivals(), etcdRivals(), leveldbRivals(),
		pebbleRivals(), bboltRivals(), badgerRivals(), prometheusRivals(),
	} {
		all = append(all, few...)
	}
	return all
}
