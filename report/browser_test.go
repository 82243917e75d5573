package report_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// missing skips a test that needs what is not installed, or fails it where
// nothing may be skipped.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
		t.Fatalf("%s, and SYNCWRITE_REQUIRE is 1", what)
	}
	t.Skip(what)
}

// patience is when a tab that does not answer is given up: one that a script's
// dialog holds never would.
const patience = time.Minute

// A tab is one page of a real browser, and what it complained of.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	messages []string // on the console, or uncaught
	requests []string
}

// browse starts Chromium and returns a function that opens a page in a tab of
// its own.
func browse(t *testing.T) func(t *testing.T) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser: run without -short")
	}
	path := chromium()
	if path == "" {
		missing(t, "no chromium is installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	browser, closeBrowser := chromedp.NewContext(allocated)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return func(t *testing.T) *tab {
		ctx, closeTab := chromedp.NewContext(browser)
		t.Cleanup(closeTab)
		one := &tab{t: t, ctx: ctx}
		if err := chromedp.Listen(ctx, one.hear); err != nil {
			t.Fatal(err)
		}
		one.call(func(ctx context.Context, s *chromedp.Target) error {
			_, err := cdp.Call(ctx, s, network.Enable, network.EnableParams{})
			return err
		})
		return one
	}
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, "uncaught: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, "console: "+string(e.Type))
	case *log.EventEntryAdded:
		b.messages = append(b.messages, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) call(f func(context.Context, *chromedp.Target) error) {
	b.t.Helper()
	b.do(chromedp.Func(f))
}

// look opens a report at a width, in light or dark.
func (b *tab) look(r *results.Report, width int64, scheme string) {
	b.t.Helper()
	b.open(htmlOf(b.t, r), width, scheme)
}

func (b *tab) open(page string, width int64, scheme string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		b.t.Fatal(err)
	}
	b.call(func(ctx context.Context, s *chromedp.Target) error {
		_, err := cdp.Call(ctx, s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+file))
}

// ask evaluates an expression that gives a list of complaints.
func (b *tab) ask(script string) []string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	complaints, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return complaints
}

// quiet holds a page to having said and fetched nothing.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		b.t.Error(m)
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, "file://") && !strings.HasPrefix(url, "data:") {
			b.t.Errorf("the page fetches %s", url)
		}
	}
	if len(b.requests) == 0 {
		b.t.Error("not even the page's own request was seen")
	}
}

// overflow tells whether the page scrolls sideways, and which figure's text
// leaves its figure.
const overflow = `(() => {
  const bad = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) bad.push("the page is " + root.scrollWidth + " wide in a window of " + root.clientWidth);
  for (const svg of document.querySelectorAll("svg")) {
    const outer = svg.getBoundingClientRect();
    if (outer.width === 0) continue;
    for (const text of svg.querySelectorAll("text")) {
      const r = text.getBoundingClientRect();
      if (r.left < outer.left - 1 || r.right > outer.right + 1 || r.top < outer.top - 2 || r.bottom > outer.bottom + 2)
        bad.push(svg.getAttribute("aria-label") + ": " + text.textContent + " is cut");
    }
  }
  return bad;
})()`

// overlaps names the texts of figures that lie over one another.
const overlaps = `(() => {
  const bad = [];
  let seen = 0;
  for (const svg of document.querySelectorAll("svg")) {
    const texts = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
    seen += texts.length;
    texts.sort(([, a], [, b]) => a.top - b.top);
    texts.forEach(([name, a], i) => {
      for (let j = i + 1; j < texts.length && texts[j][1].top < a.bottom; j++) {
        const [other, b] = texts[j];
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
          bad.push(svg.getAttribute("aria-label") + ": " + name + " over " + other);
      }
    });
  }
  if (document.querySelector("svg") && seen === 0) bad.push("no text is seen in any figure");
  return bad;
})()`

func TestEveryPageInABrowser(t *testing.T) {
	open := browse(t)
	reports := fixtures()
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		for _, width := range []int64{1280, 390} {
			t.Run(fmt.Sprintf("%s at %d", name, width), func(t *testing.T) {
				b := open(t)
				b.look(reports[name], width, "light")
				for _, complaint := range append(b.ask(overflow), b.ask(overlaps)...) {
					t.Error(complaint)
				}
				b.quiet()
			})
		}
	}
}

// One geometry is shown at a time: the wide one on a desk, the other on a phone.
func TestGeometryFollowsTheWidth(t *testing.T) {
	open := browse(t)
	for width, want := range map[int64]string{1280: "wide", 390: "phone"} {
		b := open(t)
		b.look(usual("memory", "file").report(), width, "light")
		shown := b.ask(`[...new Set([...document.querySelectorAll("svg")].filter((s) => s.getBoundingClientRect().width > 0).map((s) => s.getAttribute("class")))]`)
		if !slices.Equal(shown, []string{want}) {
			t.Errorf("at %d: figures %v are shown, want %s", width, shown, want)
		}
	}
}

func TestDarkAndLight(t *testing.T) {
	open := browse(t)
	papers := map[string]string{}
	for _, scheme := range []string{"light", "dark"} {
		b := open(t)
		b.look(usual("memory", "file").report(), 1280, scheme)
		papers[scheme] = b.ask(`[getComputedStyle(document.body).backgroundColor + " " + getComputedStyle(document.querySelector("svg text")).fill]`)[0]
	}
	if papers["light"] != "rgb(255, 255, 255) rgb(87, 96, 106)" || papers["dark"] != "rgb(13, 17, 23) rgb(157, 167, 177)" {
		t.Errorf("paper and ink: %v", papers)
	}
}

// The table is sorted from the keyboard: up, down, and back as it was.
func TestSortByKeyboard(t *testing.T) {
	b := browse(t)(t)
	b.look(usual("memory", "file", "leveldb").report(), 1280, "light")
	const state = `(() => { const t = document.querySelector("table"), h = t.tHead.rows[0].cells[2];
  return [h.getAttribute("aria-sort") ?? "none", ...[...t.tBodies[0].rows].map((r) => r.cells[2].dataset.v)]; })()`
	before := b.ask(state)
	b.ask(`(document.querySelector("table").tHead.rows[0].cells[2].querySelector("button").focus(), [])`)
	var seen [][]string
	for _, key := range []string{"\r", " ", "\r"} {
		b.do(chromedp.KeyEvent(key))
		seen = append(seen, b.ask(state))
	}
	if seen[0][0] != "ascending" || !ordered(seen[0][1:], 1) {
		t.Errorf("after Enter: %v", seen[0])
	}
	if seen[1][0] != "descending" || !ordered(seen[1][1:], -1) {
		t.Errorf("after Space: %v", seen[1])
	}
	if !slices.Equal(seen[2], before) {
		t.Errorf("after the third key: %v, want %v", seen[2], before)
	}
	b.quiet()
}

func ordered(values []string, direction float64) bool {
	last := 0.0
	for i, text := range values {
		var v float64
		if _, err := fmt.Sscan(text, &v); err != nil || i > 0 && (v-last)*direction < 0 {
			return false
		}
		last = v
	}
	return len(values) > 1
}

// Without JavaScript everything is there but the buttons.
func TestReadableWithoutJavaScript(t *testing.T) {
	open := browse(t)
	var texts []string
	for _, off := range []bool{false, true} {
		b := open(t)
		b.call(func(ctx context.Context, s *chromedp.Target) error {
			_, err := cdp.Call(ctx, s, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
			return err
		})
		b.look(usual("memory", "file").report(), 1280, "light")
		text, err := chromedp.Run(b.ctx, chromedp.Text(chromedp.CSS("main")))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.Join(strings.Fields(text), " "))
	}
	if len(texts[1]) < 1000 || texts[0] != texts[1] {
		t.Errorf("with JavaScript %d characters are seen, without %d", len(texts[0]), len(texts[1]))
	}
}

// axe names the serious and critical findings of axe-core.
const axe = `axe.run(document, { resultTypes: ["violations"] }).then((found) =>
  found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")))`

func TestAxe(t *testing.T) {
	path := os.Getenv("SYNCWRITE_AXE")
	if path == "" {
		missing(t, "SYNCWRITE_AXE names no axe.min.js")
	}
	source, err := os.ReadFile(path)
	if err != nil {
		missing(t, "no axe-core: "+err.Error())
	}
	open := browse(t)
	pages := map[string]string{}
	for name, r := range fixtures() {
		pages[name] = htmlOf(t, r)
	}
	live := fixtures()["usual"]
	live.Live = "2 of 6 blocks are to come"
	pages["live"] = htmlOf(t, live)
	var several strings.Builder
	if err := report.HistoryHTML(&several, history(5)); err != nil {
		t.Fatal(err)
	}
	pages["history"] = several.String()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		schemes := []string{"dark"}
		if name == "usual" || name == "history" {
			schemes = []string{"light", "dark"}
		}
		for _, scheme := range schemes {
			t.Run(name+" "+scheme, func(t *testing.T) {
				b := open(t)
				b.open(pages[name], map[string]int64{"light": 1280, "dark": 390}[scheme], scheme)
				b.ask(`(document.querySelectorAll("details").forEach((d) => { d.open = true }), [])`)
				b.ask("(() => { " + string(source) + "\nreturn []; })()")
				for _, finding := range b.ask(axe) {
					t.Error(finding)
				}
			})
		}
	}
}
