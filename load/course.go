package load

import (
	"fmt"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
)

// Catalogue lists the experiments of this room. They start the service by this program:
// it has to be one that knows the verb serve, as cmd.Main does.
func Catalogue() []harness.Experiment { return []harness.Experiment{Generators()} }

// Suites lists the suites of this room.
func Suites() []experiments.Suite {
	quick := Generators()
	quick.Goroutines, quick.Window = []int{1, 50}, quickWindow
	for i := range quick.Factors {
		quick.Factors[i].Levels = nil
	}
	return []experiments.Suite{{
		Name:        "load-course",
		About:       "a list of albums under load, as a course on distributed systems asked it: 1 and 50 users, and 1,000",
		Experiments: []harness.Experiment{fixed(Generators())},
		Quick:       []harness.Experiment{fixed(quick)},
	}}
}

func fixed(e harness.Experiment) harness.Experiment {
	e.Fixed = true
	return e
}

const (
	// courseWorkers is how many processes of Locust's ask at most.
	courseWorkers = 4

	courseWindow = 6 * time.Second
	quickWindow  = 10 * time.Second
	// keptAlbums make a list of 26 KB, which the course saw.
	keptAlbums = 250
)

// Generators are users that ask the list of albums, made by Locust's processes or by this
// one. The list is under a mutex, in a process of its own, anew for every trial.
func Generators() harness.Experiment {
	return harness.Experiment{
		Name:       "load-albums",
		Question:   "What does a list of albums answer, asked by so many users, of so many processes of Locust's or of this program?",
		Unit:       "request",
		ByTime:     true,
		Beside:     true,
		Patience:   time.Minute,
		Window:     courseWindow,
		Goroutines: []int{1, 50, 1000},
		Factors: []harness.Factor{
			{Name: "wait", About: "how long a user rests between two requests", Default: "0", Levels: []string{"0", "1s-2s"}, Check: func(level string) error { _, err := waitOf(level); return err }},
			{Name: "list", About: "growing: from nothing, by every post; fixed: 250 albums, each post takes the oldest one's place", Default: "growing", Levels: []string{"growing", "fixed"}, Check: checkList},
		},
		Variants: []harness.Variant{
			locustVariant("http-1", 1, false),
			locustVariant("http-4", courseWorkers, false),
			locustVariant("fast-4", courseWorkers, true),
			{Name: "go", About: "this program: goroutines over fasthttp's codec", Promise: noPromise(), Open: openCourse},
		},
		Claims: courseClaims(),
		Scales: []results.Scale{{Of: "http-4", To: "http-1", Workers: courseWorkers}},
	}
}

func courseClaims() []results.Claim {
	claim := func(text, of, to string, users int) results.Claim {
		return results.Claim{By: "the course", Text: text, Of: results.Side{Variant: of}, To: results.Side{Variant: to}, Goroutines: users}
	}
	more := claim("4 workers answer 1.48 times as much as one, and not 4 times", "http-4", "http-1", 50)
	more.Least, more.Most = 1, 4
	slower := claim("FastHttpUser is no gain for 50 users", "fast-4", "http-4", 50)
	slower.Most = 1
	faster := claim("FastHttpUser helps from 1,000 users on", "fast-4", "http-4", 1000)
	faster.Least = 1
	growing := claim("the list slows requests down as it grows", "http-4", "http-4", 50)
	growing.Of.Factors, growing.To.Factors = map[string]string{"list": "growing"}, map[string]string{"list": "fixed"}
	growing.Most = 1
	return []results.Claim{more, slower, faster, growing}
}

func waitOf(level string) (Wait, error) {
	if level == "0" {
		return Wait{}, nil
	}
	return ParseWait(level)
}

func checkList(level string) error {
	if levels := []string{"growing", "fixed"}; !slices.Contains(levels, level) {
		return fmt.Errorf("%q: growing or fixed", level)
	}
	return nil
}

// courseService is the service of a trial, and the processors of what asks it. Factors
// were checked before the run began.
func courseService(s harness.Setup) (service AlbumsService, wait Wait, generator []int) {
	wait, _ = waitOf(s.Factors["wait"])
	if s.Factors["list"] == "fixed" {
		service.Keep = keptAlbums
	}
	service.Processors, generator = processors.Split(processors.Usable(), courseWorkers)
	return service, wait, generator
}

func locustVariant(name string, workers int, fast bool) harness.Variant {
	l := Locust{Workers: workers, Fast: fast}
	return l.variant(name, func(s harness.Setup) (results.Trial, error) {
		l := l
		var service AlbumsService
		service, l.Wait, l.Processors = courseService(s)
		l.Serve = service.Start
		return l.trial(s)
	})
}

// openCourse makes the users of a trial in this process.
func openCourse(s harness.Setup) (harness.Instance, error) {
	service, wait, generator := courseService(s)
	scenario := Albums(service).withDefaults()
	scenario.Wait, scenario.processors = wait, generator
	release := processors.Hold(generator)
	instance, err := open(scenario, s)
	if err != nil {
		release()
		return instance, err
	}
	closing := instance.Close
	instance.Close = func() error { defer release(); return closing() }
	return instance, nil
}
