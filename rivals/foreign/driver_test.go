package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestMain lets the test's program be the driver of our log.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "ours" {
		os.Exit(command(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestMissingIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	empty := home(t.TempDir())
	want := map[string]string{"chronicle": "java is missing", "raft-engine": "cargo is missing", "okaywal": "cargo is missing", "ours": ""}
	for _, d := range drivers() {
		if want, listed := want[d.name]; listed && d.missing(empty) != want {
			t.Errorf("%v: %q, want %q", d, d.missing(empty), want)
		}
	}
	if got := namesOf(present(empty, drivers())); got != "ours, ours-durable" {
		t.Errorf("without tools there are %s", got)
	}
}

func TestABuildIsOfItsSources(t *testing.T) {
	h := home(t.TempDir())
	if h.built(rust) {
		t.Error("an empty home holds what cargo has built")
	}
	sum, err := fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{sum: true, "of older sources": false} {
		if err := os.WriteFile(h.stamp(rust), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if h.built(rust) != want {
			t.Errorf("stamp %q: built %t, want %t", text, !want, want)
		}
	}
}

func TestUnpackedSourcesAreComplete(t *testing.T) {
	h := home(t.TempDir())
	for range 2 { // the second lays them over the first
		if err := h.unpack(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"Cargo.toml", "trial/src/lib.rs", "chronicle/pom.xml", "chronicle/src/main/java/Driver.java"} {
		if _, err := os.Stat(h.in("src", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestChooseKeepsOurs(t *testing.T) {
	some, err := choose("okaywal")
	if got := namesOf(some); got != "ours, ours-durable, okaywal" || err != nil {
		t.Errorf("chose %s, %v", got, err)
	}
	if _, err := choose("okaywall"); !errors.Is(err, errUsage) || !strings.Contains(err.Error(), "okaywall") {
		t.Errorf("a rival that there is not: %v", err)
	}
}

func TestOnlyContestedPromisesAreMeasured(t *testing.T) {
	some, err := choose("okaywal")
	if err != nil {
		t.Fatal(err)
	}
	jobs := measurement{drivers: some, payloads: []int{3}, levels: []int{1, 8}}.jobs()
	if len(jobs) != 4 {
		t.Errorf("%d jobs, want ours-durable and okaywal at two levels", len(jobs))
	}
	for _, j := range jobs {
		if j.cell.survives != powerCut || j.driver.survives != powerCut {
			t.Errorf("%v runs in %v", j.driver, j.cell)
		}
	}
}

func TestWrongWords(t *testing.T) {
	for _, words := range []string{
		"tabel", "-g 0", "-g 1,x", "-payload 0", "-rivals kafka", "survives -kills x", "survives now",
		"ours", "ours sometimes", "ours none DIR", "ours none DIR 1 3 many", "ours none DIR 1 -3 5",
	} {
		if err := dispatch(t.Context(), strings.Fields(words)); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v, want wrong words", words, err)
		}
	}
}
