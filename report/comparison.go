package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// ComparisonText writes a comparison for a terminal, worst cell first.
func ComparisonText(w io.Writer, c *results.Comparison, o TextOptions) error {
	out := bufio.NewWriter(w)
	textComparison(paper.New(out, o.Width, o.Color), c)
	return out.Flush()
}

func textComparison(w *paper.Paper, c *results.Comparison) {
	w.Paragraph("", comparisonSentence(c))
	fmt.Fprintln(w)
	if head, right, rows := pooledTable(c); len(rows) > 0 {
		fmt.Fprintln(w, pooledTitle)
		grid(w, head, right, rows)
		fmt.Fprintln(w)
	}
	if head, right, rows := comparisonTable(c); len(rows) > 0 {
		grid(w, head, right, rows)
		w.Paragraph("", comparisonKey(c))
		fmt.Fprintln(w)
	}
	textCosts(w, c)
	for _, line := range slices.Concat(causesOf(c), gatesKept(c)) {
		w.Paragraph("  · ", line)
	}
	for _, line := range allNotes(c) {
		w.Paragraph("  ! ", line)
	}
}

// textCosts writes what an operation takes, where that was compared.
func textCosts(w *paper.Paper, c *results.Comparison) {
	if head, right, rows := costsTable(c); len(rows) > 0 {
		fmt.Fprintln(w, costsTitle)
		grid(w, head, right, rows)
		fmt.Fprintln(w)
	}
	if note := costsNote(c); note != "" {
		w.Paragraph("", note)
		fmt.Fprintln(w)
	}
}

// ComparisonMarkdown writes a comparison for a pull request.
func ComparisonMarkdown(w io.Writer, c *results.Comparison) error {
	out := bufio.NewWriter(w)
	markdownComparison(out, c)
	return out.Flush()
}

func markdownComparison(w io.Writer, c *results.Comparison) {
	fmt.Fprintf(w, "**%s**\n\n", escape(comparisonSentence(c)))
	if head, right, rows := pooledTable(c); len(rows) > 0 {
		fmt.Fprintf(w, "%s:\n\n", pooledTitle)
		markdownTable(w, head, right, rows)
	}
	if head, right, rows := comparisonTable(c); len(rows) > 0 {
		markdownTable(w, head, right, rows)
		fmt.Fprintf(w, "%s\n\n", escape(comparisonKey(c)))
	}
	if head, right, rows := costsTable(c); len(rows) > 0 {
		fmt.Fprintf(w, "%s:\n\n", costsTitle)
		markdownTable(w, head, right, rows)
	}
	if note := costsNote(c); note != "" {
		fmt.Fprintf(w, "%s\n\n", escape(note))
	}
	list(w, slices.Concat(causesOf(c), gatesKept(c), allNotes(c)))
}

// causesOf says of each cell that changed what of it did.
func causesOf(c *results.Comparison) (lines []string) {
	fixed := sheet.FixedFactors(c.Changes)
	for _, change := range c.Changes {
		if change.Cause != "" {
			lines = append(lines, sheet.ShortName(change, fixed[change.Experiment])+": "+change.Cause)
		}
	}
	return lines
}

// comparisonSentence counts the calls, and says what the gates decided.
func comparisonSentence(c *results.Comparison) string {
	text := ""
	if len(c.Pooled) > 0 {
		var whole []results.Change
		for _, p := range c.Pooled {
			whole = append(whole, p.Change)
		}
		text = "Against the older run: " + callsText("variant", whole) + " Cell by cell: " + callsText("cell", c.Changes)
	} else if len(c.Changes) > 0 {
		text = "Against the older run: " + callsText("cell", c.Changes)
	}
	if c.Geomean.Known() {
		text += fmt.Sprintf(" The ratios' geometric mean is %s.", sheet.RatioOf(c.Geomean))
	}
	return strings.TrimSpace(text + " " + gatesSentence(c.Gates))
}

// callsText counts what changes were called.
func callsText(what string, changes []results.Change) string {
	count := map[string]int{}
	for _, change := range changes {
		count[change.Call]++
	}
	return fmt.Sprintf("%s worse, %d better, %d the same within the margin%s, and of %d one cannot tell.",
		results.Count(count[results.Worse], what), count[results.Better], count[results.Same], marginText(changes), count[results.CannotTell])
}

// marginText says how wide the margins of the cells are.
func marginText(changes []results.Change) string {
	least, most := math.Inf(1), 0.0
	for _, c := range changes {
		least, most = min(least, float64(c.Margin)), max(most, float64(c.Margin))
	}
	low, high := fmt.Sprintf("%.0f", least*100), fmt.Sprintf("%.0f %%", most*100)
	switch {
	case !(least > 0 && most > 0):
		return " (5 to 30 %, by cell)"
	case low+" %" == high:
		return " (" + high + ")"
	}
	return " (" + low + " to " + high + ", by cell)"
}

// gatesSentence counts what became of the thresholds.
func gatesSentence(gates []results.Gate) string {
	if len(gates) == 0 {
		return ""
	}
	count := map[string]int{}
	for _, g := range gates {
		count[g.Status]++
	}
	return fmt.Sprintf("Thresholds: %d failed, %d passed, %d inconclusive.",
		count[results.GateFailed], count[results.GatePassed], count[results.GateUnseen])
}

const pooledTitle = "Each variant over its levels of N, by the geometric mean of its rates"

// pooledTable has a row a variant of several levels of N, as comparisonTable has one a cell.
func pooledTable(c *results.Comparison) (head []string, right []bool, rows [][]string) {
	fixed := sheet.FixedFactors(c.Changes)
	for _, p := range c.Pooled {
		name, _, _ := strings.Cut(sheet.ShortName(p.Change, fixed[p.Experiment]), "@")
		rows = append(rows, []string{name, sheet.Numbers(p.Levels), sheet.RatioOf(p.Ratio.Median), sheet.Span(p.Ratio, sheet.RatioOf), p.LeastText(), p.Call})
	}
	return []string{"variant", "N", "ratio", "95 %", "least", "call"}, []bool{false, false, true, true, true, false}, rows
}

// comparisonTable is the table that all renderers show.
func comparisonTable(c *results.Comparison) (head []string, right []bool, rows [][]string) {
	fixed := sheet.FixedFactors(c.Changes)
	head = []string{"cell", "old", "new", "ratio", "95 %", "p", "least", "call"}
	right = []bool{false, true, true, true, true, true, true, false}
	for _, change := range c.Changes {
		rows = append(rows, []string{
			sheet.ShortName(change, fixed[change.Experiment]),
			change.Old.Median.Rate(), change.New.Median.Rate(),
			sheet.RatioOf(change.Ratio.Median), sheet.Span(change.Ratio, sheet.RatioOf),
			pValue(change.P), change.LeastText(), change.Call,
		})
	}
	if slices.ContainsFunc(c.Changes, countsLosses) {
		head, right = append(head, "lost"), append(right, true)
		for i, change := range c.Changes {
			rows[i] = append(rows[i], lossesText(change))
		}
	}
	return head, right, rows
}

func countsLosses(c results.Change) bool { return c.OldLost != nil || c.NewLost != nil }

// lossesText is the share of the operations that each run lost.
func lossesText(c results.Change) string {
	if !countsLosses(c) {
		return sheet.Dash("")
	}
	share := func(lost *results.Interval) string {
		if lost == nil {
			return sheet.Dash("")
		}
		return lost.Median.Share()
	}
	return share(c.OldLost) + " → " + share(c.NewLost)
}

func pValue(p results.Number) string {
	if !p.Known() {
		return "–"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3f", float64(p)), "0")
}

// comparisonKey explains the columns of the table.
func comparisonKey(c *results.Comparison) string {
	key := keyOfCalls + oneBehindTheOther
	if c.Turns {
		key = keyOfCalls + inTurns
	}
	if slices.ContainsFunc(c.Changes, countsLosses) {
		key += " Where operations were lost, the 95 % interval is wide enough to hold of those that were kept as well; ratio and p are of all of them."
	}
	return key
}

const keyOfCalls = "A call of better or worse asks for more than 95 %: for so much that in 5 % of all comparisons any of its cells is called so by chance. "

// The columns, and what moves a whole run, where the two were measured one behind the other, and
// where they took turns.
const (
	oneBehindTheOther = "ratio is the median of all quotients of a new trial and an old one, with its 95 % interval: the columns, divided, can give another. p is Mann–Whitney's, " + leastIs + " What moves a whole run, such as another hour or neighbour, is in an interval as far as three other variants, or limits measured along, show it; without these compare several runs before you trust a small one."
	inTurns           = "The runs took turns, trial by trial, so that what moved the machine moved both: ratio is the middle of the quotients of a new trial and the old one beside it, with its 95 % interval; the columns, divided, can give another. p is that of Wilcoxon's signed ranks, " + leastIs
	leastIs           = "least is the smallest drop that these trials rule out: --fail-above passes a cell from there on, unless it is in doubt."
)

// comparisonDoubts are the reasons why cells are not compared, each with them, but for those
// that a threshold tells.
func comparisonDoubts(c *results.Comparison) []string {
	var order []string
	cells := map[string][]string{}
	for _, change := range c.Changes {
		if change.Doubt == "" || toldByGate(c, change) {
			continue
		}
		if cells[change.Doubt] == nil {
			order = append(order, change.Doubt)
		}
		cells[change.Doubt] = append(cells[change.Doubt], change.Cell().Name())
	}
	var lines []string
	for _, doubt := range order {
		where := strings.Join(cells[doubt], ", ")
		if len(cells[doubt]) == len(c.Changes) && len(c.Changes) > 1 {
			where = sheet.EveryCell
		}
		lines = append(lines, "cannot tell: "+doubt+" — "+where)
	}
	return lines
}

// leavesOpen reports whether a gate of --fail-above cannot tell of a cell.
func leavesOpen(g results.Gate, change results.Change) bool {
	return g.Status == results.GateUnseen && strings.HasPrefix(g.Threshold, change.Cell().Name()+": at most ")
}

// toldByGate reports whether a threshold has said already why a cell is not compared.
func toldByGate(c *results.Comparison, change results.Change) bool {
	return slices.ContainsFunc(c.Gates, func(g results.Gate) bool { return leavesOpen(g, change) && g.Text == change.Doubt })
}

// whatHelps says how thresholds can be settled that are inconclusive for want of
// certainty alone.
func whatHelps(c *results.Comparison) []string {
	open, doubted, worst := false, false, results.Change{}
	for _, change := range c.Changes {
		if !slices.ContainsFunc(c.Gates, func(g results.Gate) bool { return leavesOpen(g, change) }) {
			continue
		}
		if change.Doubt != "" {
			doubted = true
			continue
		}
		open = true
		if change.Least.Known() && change.Least > worst.Least {
			worst = change
		}
	}
	switch {
	case !open && doubted:
		return []string{"what helps where a threshold is inconclusive: first what is doubted; a quiet machine, six trials or more in both runs"}
	case !open:
		return nil
	}
	text := "what helps where a threshold is inconclusive and nothing is doubted: longer windows and more trials in both runs, a quiet machine"
	if worst.Least > 0 && worst.LeastPercent() < 100 { // a threshold of 100 % holds nothing, and is refused
		text += ", or a --fail-above from least on, here " + worst.LeastText()
	}
	return []string{text}
}

// unheld says which cells --fail-above passes over.
func unheld(c *results.Comparison) []string {
	var names []string
	for _, change := range c.Changes {
		if change.Along {
			names = append(names, change.Cell().Name())
		}
	}
	if len(names) == 0 || len(c.Gates) == 0 {
		return nil
	}
	return []string{"measured along, and held to no --fail-above — " + results.FewNames(names)}
}

// allNotes are the overridden differences, the thresholds that did not hold, and the notes.
func allNotes(c *results.Comparison) []string {
	return slices.Concat(overridden(c), gatesToSee(c), comparisonNotes(c))
}

// gatesToSee are the thresholds that did not hold, then those nobody can tell of.
func gatesToSee(c *results.Comparison) []string {
	return gatesOf(c, results.GateFailed, results.GateUnseen)
}

// gatesKept are the thresholds that one run keeps: up to which rate is an answer. Of a
// comparison, which has one for each cell, they are counted only.
func gatesKept(c *results.Comparison) []string {
	if !c.Alone() {
		return nil
	}
	return gatesOf(c, results.GatePassed)
}

func gatesOf(c *results.Comparison, statuses ...string) []string {
	var all []string
	for _, status := range statuses {
		for _, g := range c.Gates {
			if g.Status != status {
				continue
			}
			switch alike := alikeGates(c, g); {
			case len(alike) < manyAlike:
				all = append(all, fmt.Sprintf("%s: %s: %s", g.Status, g.Threshold, g.Text))
			case alike[0] == g.Threshold:
				_, bound, _ := strings.Cut(g.Threshold, ": ")
				all = append(all, fmt.Sprintf("%s: %s of %s: %s — %s", g.Status, bound, results.Count(len(alike), "cell"), g.Text, cellsOf(c, alike)))
			}
		}
	}
	return all
}

// manyAlike is from how many cells on one line tells of all that cannot be told for one reason.
const manyAlike = 3

// alikeGates are the thresholds of cells that cannot be told of for the same reason.
func alikeGates(c *results.Comparison, as results.Gate) (alike []string) {
	_, bound, _ := strings.Cut(as.Threshold, ": ")
	for _, g := range c.Gates {
		if _, its, _ := strings.Cut(g.Threshold, ": "); g.Status == results.GateUnseen && as.Status == g.Status && g.Text == as.Text && its == bound {
			alike = append(alike, g.Threshold)
		}
	}
	return alike
}

// cellsOf names the cells of thresholds.
func cellsOf(c *results.Comparison, thresholds []string) string {
	if len(thresholds) == len(c.Gates) {
		return sheet.EveryCell
	}
	var names []string
	for _, text := range thresholds {
		name, _, _ := strings.Cut(text, ": ")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// overridden are the differences for which the runs would have been refused.
func overridden(c *results.Comparison) []string {
	var lines []string
	for _, unlike := range c.Unlike {
		lines = append(lines, "not comparable, compared anyway — "+unlike)
	}
	return lines
}

// comparisonNotes are the doubts of cells, the cells that one run lacks, and the doubts
// of both runs.
func comparisonNotes(c *results.Comparison) []string {
	lines := slices.Concat(whatHelps(c), unheld(c), comparisonDoubts(c), c.Only)
	if n := len(c.Unasked); n > 0 {
		lines = append(lines, results.Count(n, "cell")+" of the older run not chosen this time, so held to no threshold: "+results.FewNames(c.Unasked))
	}
	seen := map[string]bool{}
	for _, warning := range c.Warnings {
		if !seen[warning.Text] {
			lines = append(lines, warning.Text)
		}
		seen[warning.Text] = true
	}
	return lines
}
