use std::io::{self, Write};
use std::path::Path;
use std::thread;

use crate::value::{decode, encode};
use crate::{Log, Result, Writer};

/// What the log is told that it will hold; the kill comes long before.
const EXPECTED: u64 = 16 << 20;

/// Appends until the process is killed, and says each acknowledgement.
pub(crate) fn append_forever<L: Log>(dir: &Path, threads: usize, payload: usize) -> Result {
    let log = &L::create(dir, EXPECTED)?;
    thread::scope(|scope| {
        for i in 0..threads {
            scope.spawn(move || {
                let err = append_one_by_one(log, i, payload).unwrap_err();
                eprintln!("thread {i}: {err}");
                std::process::exit(1)
            });
        }
    });
    Ok(())
}

/// Standard output is line-buffered: a line is one write.
fn append_one_by_one<L: Log>(log: &L, thread: usize, payload: usize) -> Result {
    let mut writer = log.writer(thread)?;
    for seq in 0.. {
        writer.append(&encode(thread, seq, payload))?;
        let line = format!("ack {thread} {seq}\n");
        io::stdout().lock().write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Says which values the log holds.
pub(crate) fn verify<L: Log>(dir: &Path) -> Result {
    let mut out = io::BufWriter::new(io::stdout().lock());
    L::scan(dir, &mut |value| {
        let (thread, seq) = decode(value)?;
        Ok(writeln!(out, "{thread} {seq}")?)
    })?;
    Ok(out.flush()?)
}
