# Two commands need Go alone: `make run` and `make test`. `make check` is what CI
# runs, by .ci/run.

# Steps follow one another even under -j, since their times are printed, but for two or three
# at a time where some of them wait most of their time.
ifndef BESIDE
.NOTPARALLEL:
endif
BESIDE_ONE_ANOTHER = +@$(MAKE) --no-print-directory BESIDE=1 --output-sync=target
.PHONY: help release container run test selftest publish course loadcourse remotecourse aa causes crash rivals cold generators scale machines overhead strangers companions generate soak check installing waiting gofmt vet staticcheck browser race locust worker identity companionstest rivalstest othersystems newcomer

STEP = @.ci/step $@

help: ## list the targets
	@sed -n 's/^\([a-z ]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: ## measure the log, the main job
	go run ./cmd/syncwrite run

test: ## all tests that need Go alone; none asserts a time
	go test ./...

selftest: ## measure costs that are known and print how close the harness comes
	go test -tags selftest -run TestSelf -count=1 -v ./experiments ./cmd/syncwrite

publish: ## measure the main job and keep it with its figures in published/
	.ci/publish

course: ## measure the course's suite and keep its figures in docs/course.md (3 min)
	.ci/course

loadcourse: ## measure the list of albums under load, by Locust and by us, and keep it (42 min)
	.ci/loadcourse

remotecourse: ## measure messages to a peer and keep the figures in docs/course.md (8 min)
	.ci/remotecourse

aa: ## ten equal runs held to each other, slowdowns planted in four more, and three pairs in turns: how often compare is right (40 min; goes on where it was ended)
	go run ./internal/alike -o published/alike.md

causes: ## a catalogue of planted bottlenecks, and what --why tells of each (3 min)
	go run ./internal/bottlenecks

crash: ## a million simulated crashes, 2,800 kills, 1,400 crash images at least; root (17 min)
	.ci/crash

rivals: ## ours against the best of other people's logs, cell by cell (55 min)
	cd rivals && go run . table

cold: ## our log beside other people's with nothing warmed, a process a trial; root (30 min)
	cd rivals && go run ./cold -o ../published/cold/$$(date -u +%F).txt

scale: ## a Go worker of a Locust master beside Locust's own, and how many workers a master holds (8 min)
	.ci/scale

machines: ## a Locust master and workers in network namespaces of their own; root (15 s)
	.ci/machines

generators: ## our load generator beside other people's, those that are found in PATH (8 min)
	cd rivals && go run ./generators -o ../published/generators.md

overhead: ## what syncwrite test costs over go test: 20 layouts, latencies, sums, first run (3 min)
	go run ./gotest/overhead build tmp.overhead
	go run ./gotest/overhead measure tmp.overhead
	rm -r tmp.overhead
	go run ./gotest/overhead start

strangers: ## other people's benchmarks under go test and under syncwrite test (10 min)
	go run ./gotest/strangers -o docs/strangers.md

companions: ## install and test the companions as their READMEs say, against a real CoreNLP server, too (5 min)
	.ci/companions

generate: ## generate the code of the .proto files anew; the tools come with Go, and are built once (3 min)
	go tool -modfile=tools/generate.mod buf generate --template tools/buf.gen.yaml .

soak: ## 10,000 reconnects under the race detector; a million messages and 100 kills of the receiver; 1,000 kills of a server of identities, 1,000 of three replicas (15 min)
	SYNCWRITE_RECONNECTS=10000 go test -race -count=1 -v -timeout 30m -run FlappingLink ./subject/remote
	SYNCWRITE_KILLS=1000 go test -count=1 -v -timeout 30m -run Killed ./subject/identity/identityrpc
	SYNCWRITE_MESSAGES=1000000 SYNCWRITE_KILLS=100 go test -count=1 -v -timeout 30m -run ReceiverKilled ./subject/remote

release: ## archives for five systems in dist/, the same bytes from the same commit: make release VERSION=v0.1.0
	.ci/release $(VERSION)

container: ## the image syncwrite, built with buildah and run once
	.ci/container

# A test that skips where a tool is missing reads SYNCWRITE_REQUIRE and fails
# instead when it is 1: a check that skips has checked nothing.
check: export SYNCWRITE_REQUIRE = 1
check: export SYNCWRITE_AXE = $(AXE)
check: gofmt browser installing race waiting newcomer ## all of the steps below; nothing may be skipped

installing:
	$(BESIDE_ONE_ANOTHER) -j2 locust vet staticcheck

waiting:
	$(BESIDE_ONE_ANOTHER) -j3 worker rivalstest identity companionstest othersystems

gofmt: ## list the files gofmt would change; none may be
	$(STEP) sh -c 'files=$$(gofmt -l .) && test -z "$$files" || { echo "$$files"; exit 1; }'

# Whoever compiles takes a fifth less processor time where the collector comes seldom.
vet: ## go vet
	$(STEP) env GOGC=400 go vet ./...

staticcheck: ## staticcheck, in the version tools/go.mod pins
	$(STEP) env GOGC=400 go tool -modfile=tools/go.mod staticcheck ./...

# The tests of the page read axe-core from where SYNCWRITE_AXE says; they fetch
# nothing themselves.
AXE_VERSION = 4.14.1
AXE = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/syncwrite/axe-core-$(AXE_VERSION)/axe.min.js

browser: ## install Chromium and axe-core, which the tests of the page need
	$(STEP) .ci/browser $(AXE_VERSION) $(AXE)

locust: ## have Locust ask the list of albums: it is installed where it is missing, as tests need it
	$(STEP) .ci/locust

race: ## the tests of all that starts goroutines under the race detector
	$(STEP) .ci/race

worker: ## hold workers in Go to a real Locust master: users, kills, restarts, and the statistics to the request
	$(STEP) .ci/worker

identity: ## run the page of the identity service in a fresh clone, with a client in Python
	$(STEP) .ci/identity

companionstest: ## test the companions in Python, with a stub in place of the CoreNLP server
	$(STEP) .ci/companions quick

rivalstest: ## vet and test the wrappers of other people's logs, a module of its own
	$(STEP) env GOGC=400 sh -c 'cd rivals && go vet ./... && go test ./...'

othersystems: ## type-check all packages and tests for darwin and windows; make release builds for them
	$(STEP) env GOGC=400 go -C tools run ./typecheck .. darwin windows

newcomer: ## follow README.md in a fresh clone of the last commit: all tests again, with those that -race leaves out
	$(STEP) .ci/newcomer
