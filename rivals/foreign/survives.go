package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// survivesCommand crashes every driver and prints what was left.
func survivesCommand(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("foreign survives", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	rivals := flags.String("rivals", "", "rivals, joined by commas; all without it")
	kills := flags.Int("kills", 20, "kills of each driver")
	images := flags.Int("images", 10, "power cuts of each driver")
	dir := flags.String("dir", ".", "directory to work in")
	if err := parse(flags, args); err != nil {
		return err
	}
	h, some, err := here(*rivals)
	if err != nil {
		return err
	}
	if err := canImage(); err != nil {
		say("power cuts are left out: %v", err)
		*images = 0
	}
	var all []survival
	for _, d := range some {
		say("%s is killed and cut", d.name)
		s := survival{driver: d}
		if s.kills, err = repeat(ctx, *kills, killOnce, d, h, *dir); err != nil {
			return err
		}
		if s.images, err = repeat(ctx, *images, imageOnce, d, h, *dir); err != nil {
			return err
		}
		all = append(all, s)
	}
	return writeSurvivals(os.Stdout, all)
}

func repeat(ctx context.Context, times int, once func(context.Context, driver, home, string) (crash, error), d driver, h home, dir string) (crashes, error) {
	var all crashes
	for range times {
		c, err := once(ctx, d, h, dir)
		if err != nil {
			return all, err
		}
		if c.refused != nil {
			say("%s: %v", d.name, c.refused)
		}
		all = append(all, c)
	}
	return all, nil
}

// A survival is what the crashes of a driver left.
type survival struct {
	driver        driver
	kills, images crashes
}

type crashes []crash

// survived says what became of the acknowledged appends.
func (all crashes) survived() string {
	acked, gone, refused := 0, 0, 0
	for _, c := range all {
		acked += c.acked
		gone += c.lost
		if c.refused != nil {
			refused++
		}
	}
	switch {
	case len(all) == 0:
		return "not tried"
	case refused > 0:
		return fmt.Sprintf("%d of %d: the log could not be read; else %d of %d lost", refused, len(all), gone, acked)
	case gone > 0:
		return fmt.Sprintf("%d times: %d of %d lost", len(all), gone, acked)
	}
	return fmt.Sprintf("%d times: none of %d lost", len(all), acked)
}

// kept says whether nothing acknowledged was lost.
func (all crashes) kept() bool {
	for _, c := range all {
		if c.lost > 0 || c.refused != nil {
			return false
		}
	}
	return true
}

// verdict holds the driver to its promise.
func (s survival) verdict() string {
	asked := []crashes{s.kills}
	if s.driver.survives == powerCut {
		asked = append(asked, s.images)
	}
	verdict := "kept"
	for _, all := range asked {
		switch {
		case !all.kept():
			return "BROKEN"
		case len(all) == 0:
			verdict = "not shown"
		}
	}
	return verdict
}

func writeSurvivals(w io.Writer, all []survival) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "log\tpromise\tkilled\tpower cut\tpromise is")
	for _, s := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", s.driver.name, s.driver.survives, s.kills.survived(), s.images.survived(), s.verdict())
	}
	return t.Flush()
}
