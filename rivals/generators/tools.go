package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// A job is what a tool is to do; rate 0 is flat out.
type job struct {
	dir      string
	url      string
	users    int
	duration time.Duration
	rate     int
}

func (j job) seconds() string { return strconv.Itoa(int(j.duration.Seconds())) }

// A tool is a load generator. quantiles are p90, p95 and p99 in ms of what it wrote, NaN
// where it tells none.
type tool struct {
	name      string
	program   string
	command   func(j job) []string
	quantiles func(j job, out []byte) ([]float64, error)
	paced     bool // keeps pacedRate
}

// found splits tools into those in PATH and the names of the others.
func found(all []tool) (there []tool, absent []string) {
	for _, t := range all {
		if _, err := exec.LookPath(t.program); err != nil {
			absent = append(absent, t.name)
			continue
		}
		there = append(there, t)
	}
	return there, absent
}

func tools(dir string) []tool {
	files := map[string]string{"k6.js": k6Script, "locustfile.py": locustFile}
	for name, text := range files {
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	return []tool{
		{"syncwrite", filepath.Join(dir, "syncwrite"), func(j job) []string {
			words := []string{filepath.Join(dir, "syncwrite"), "load", j.url, "--users", strconv.Itoa(j.users), "--duration", j.duration.String(), "--trials", "1", "--quiet", "-o", "-"}
			if j.rate > 0 {
				words = append(words, "--rate", fmt.Sprintf("%d/s", j.rate))
			}
			return append(words, "--seed", strconv.FormatInt(time.Now().UnixNano()%1e9+1, 10))
		}, ourQuantiles, true},
		{"wrk", "wrk", func(j job) []string {
			return []string{"wrk", "-t1", "-c" + strconv.Itoa(j.users), "-d" + j.seconds() + "s", "--latency", j.url}
		}, wrkQuantiles, false},
		{"wrk2", "wrk2", func(j job) []string {
			rate := j.rate
			if rate == 0 {
				rate = 1_000_000 // more than it can
			}
			return []string{"wrk2", "-t1", "-c" + strconv.Itoa(j.users), "-d" + j.seconds() + "s", "-R" + strconv.Itoa(rate), "--latency", j.url}
		}, wrkQuantiles, true},
		{"bombardier", "bombardier", func(j job) []string {
			words := []string{"bombardier", "-c", strconv.Itoa(j.users), "-d", j.duration.String(), "-o", "json", "-p", "r", "-l", j.url}
			if j.rate > 0 {
				words = append(words, "-r", strconv.Itoa(j.rate))
			}
			return words
		}, bombardierQuantiles, true},
		{"vegeta", "vegeta", func(j job) []string {
			how := fmt.Sprintf("-rate=%d", j.rate)
			if j.rate == 0 {
				how = fmt.Sprintf("-rate=0 -max-workers=%d", j.users)
			}
			return []string{"sh", "-c", fmt.Sprintf("echo GET %s | vegeta attack %s -connections=%d -duration=%s | vegeta report -type=json", j.url, how, j.users, j.duration)}
		}, vegetaQuantiles, false},
		{"k6", "k6", func(j job) []string {
			return []string{"env", "URL=" + j.url, fmt.Sprintf("RATE=%d", j.rate), fmt.Sprintf("USERS=%d", j.users), "SECONDS=" + j.seconds(),
				"k6", "run", "--quiet", "--no-usage-report", filepath.Join(j.dir, "k6.js")}
		}, k6Quantiles, false},
		locust("Locust FastHttpUser", "Fast"),
		locust("Locust HttpUser", "Http"),
	}
}

func locust(name, class string) tool {
	return tool{name, "locust", func(j job) []string {
		return []string{"env", fmt.Sprintf("RATE=%d", j.rate), fmt.Sprintf("USERS=%d", j.users), "locust", "-f", filepath.Join(j.dir, "locustfile.py"), class, "--headless",
			"-u", strconv.Itoa(j.users), "-r", strconv.Itoa(j.users), "-t", j.seconds() + "s", "--host", j.url, "--csv", filepath.Join(j.dir, "locust"), "--loglevel", "ERROR"}
	}, locustQuantiles, false}
}

const k6Script = `import http from 'k6/http';
const rate = Number(__ENV.RATE), users = Number(__ENV.USERS), duration = __ENV.SECONDS + 's';
export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['p(90)', 'p(95)', 'p(99)'],
  scenarios: { load: rate > 0
    ? { executor: 'constant-arrival-rate', rate: rate, timeUnit: '1s', duration: duration, preAllocatedVUs: users, maxVUs: users }
    : { executor: 'constant-vus', vus: users, duration: duration } },
};
export default function () { http.get(__ENV.URL); }
export function handleSummary(data) {
  const v = data.metrics.http_req_duration.values;
  return { stdout: JSON.stringify({ quantiles: [v['p(90)'], v['p(95)'], v['p(99)']] }) };
}
`

const locustFile = `import os
from locust import FastHttpUser, HttpUser, constant, constant_throughput, task

rate, users = int(os.environ["RATE"]), int(os.environ["USERS"])
wait = constant_throughput(rate / users) if rate else constant(0)

class Http(HttpUser):
    wait_time = wait
    @task
    def get(self):
        self.client.get("")

class Fast(FastHttpUser):
    wait_time = wait
    @task
    def get(self):
        self.client.get("")
`

var wrkLine = regexp.MustCompile(`(?m)^\s+(50|75|90|99)(?:\.000)?%\s+([0-9.]+)(us|ms|s)`)

// wrkQuantiles reads wrk's and wrk2's table, which has no p95.
func wrkQuantiles(_ job, out []byte) ([]float64, error) {
	at := map[string]float64{}
	for _, m := range wrkLine.FindAllStringSubmatch(string(out), -1) {
		d, err := time.ParseDuration(m[2] + m[3])
		if err != nil {
			return nil, err
		}
		at[m[1]] = ms(d)
	}
	if len(at) == 0 {
		return nil, errNoQuantiles
	}
	return []float64{at["90"], missing, at["99"]}, nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func bombardierQuantiles(_ job, out []byte) ([]float64, error) {
	var r struct {
		Result struct {
			Latency struct {
				Percentiles map[string]float64 // µs
			}
		}
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, err
	}
	p := r.Result.Latency.Percentiles
	return []float64{p["90"] / 1e3, p["95"] / 1e3, p["99"] / 1e3}, nil
}

func vegetaQuantiles(_ job, out []byte) ([]float64, error) {
	var r struct {
		Latencies map[string]float64 // ns
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, err
	}
	return []float64{r.Latencies["90th"] / 1e6, r.Latencies["95th"] / 1e6, r.Latencies["99th"] / 1e6}, nil
}

func k6Quantiles(_ job, out []byte) ([]float64, error) {
	at := regexp.MustCompile(`\{"quantiles":.*\}`).Find(out)
	var r struct{ Quantiles []float64 }
	if at == nil {
		return nil, errNoQuantiles
	}
	return r.Quantiles, json.Unmarshal(at, &r)
}

// locustQuantiles reads the row of all requests.
func locustQuantiles(j job, _ []byte) ([]float64, error) {
	file, err := os.Open(filepath.Join(j.dir, "locust_stats.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, name := range []string{"90%", "95%", "99%"} {
		for i, head := range rows[0] {
			if head == name {
				x, err := strconv.ParseFloat(rows[len(rows)-1][i], 64)
				if err != nil {
					return nil, err
				}
				all = append(all, x)
			}
		}
	}
	if len(all) != 3 {
		return nil, errNoQuantiles
	}
	return all, nil
}
