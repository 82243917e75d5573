use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use crate::words::Timed;
use crate::{Log, Result, Writer};

/// What a log may need around a value; only to allocate enough beforehand.
const OVERHEAD: u64 = 64;

/// Times the appends, then reads the log again: each of them must be there.
pub(crate) fn run<L: Log>(t: &Timed) -> Result {
    let all = t.ops + t.warmup;
    let log = L::create(&t.dir, all * (t.payload as u64 + OVERHEAD))?;
    let wall = window(&log, t)?;
    log.close()?;
    let mut found = 0;
    L::scan(&t.dir, &mut |value| {
        found += 1;
        if value.len() == t.payload { Ok(()) } else { Err("a value has another length".into()) }
    })?;
    if found != all {
        return Err(format!("the log holds {found} values after {all} appends").into());
    }
    println!(r#"{{"ops":{},"wall_ns":{},"threads":{}}}"#, t.ops, wall.as_nanos(), t.threads);
    Ok(())
}

/// The time from the barrier to the last finish: from the first thread that
/// left the barrier to the last that was done.
fn window<L: Log>(log: &L, t: &Timed) -> Result<Duration> {
    let ready = Barrier::new(t.threads);
    let value: Vec<u8> = b"foo".iter().copied().cycle().take(t.payload).collect();
    let spans = thread::scope(|scope| {
        let threads: Vec<_> = (0..t.threads)
            .map(|i| {
                let (ready, value) = (&ready, &value);
                scope.spawn(move || one_thread(log, t, i, ready, value))
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("a thread panicked")).collect::<Result<Vec<_>>>()
    })?;
    let first = spans.iter().map(|s| s.0).min().ok_or("no threads")?;
    let last = spans.iter().map(|s| s.1).max().ok_or("no threads")?;
    Ok(last - first)
}

/// An error ends the process at once: the other threads wait at the barrier.
fn one_thread<L: Log>(log: &L, t: &Timed, i: usize, ready: &Barrier, value: &[u8]) -> Result<(Instant, Instant)> {
    let work = || -> Result<(Instant, Instant)> {
        let mut writer = log.writer(i)?;
        for _ in 0..share(t.warmup, t.threads, i) {
            writer.append(value)?;
        }
        ready.wait();
        let begin = Instant::now();
        for _ in 0..share(t.ops, t.threads, i) {
            writer.append(value)?;
        }
        Ok((begin, Instant::now()))
    };
    work().inspect_err(|err| {
        eprintln!("{err}");
        std::process::exit(1)
    })
}

/// How many of `ops` fall to thread `i`.
fn share(ops: u64, threads: usize, i: usize) -> u64 {
    let n = threads as u64;
    ops / n + u64::from((i as u64) < ops % n)
}
