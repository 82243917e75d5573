use std::path::PathBuf;

use crate::Result;

const USAGE: &str = "usage: DIR N PAYLOAD OPS [WARMUP] | DIR N PAYLOAD kill | DIR verify";

/// A trial whose time is taken.
pub struct Timed {
    pub dir: PathBuf,
    pub threads: usize,
    pub payload: usize,
    pub ops: u64,
    pub warmup: u64,
}

/// What a driver can be asked for.
pub enum Words {
    Timed(Timed),
    Kill { dir: PathBuf, threads: usize, payload: usize },
    Verify { dir: PathBuf },
}

impl Words {
    pub fn of_this_process() -> Result<Words> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Words::parse(&words)
    }

    fn parse(words: &[&str]) -> Result<Words> {
        match *words {
            [dir, "verify"] => Ok(Words::Verify { dir: dir.into() }),
            [dir, n, payload, "kill"] => Ok(Words::Kill {
                dir: dir.into(),
                threads: n.parse()?,
                payload: payload.parse()?,
            }),
            [dir, n, payload, ops] => Words::timed(dir, n, payload, ops, "0"),
            [dir, n, payload, ops, warmup] => Words::timed(dir, n, payload, ops, warmup),
            _ => Err(USAGE.into()),
        }
    }

    fn timed(dir: &str, n: &str, payload: &str, ops: &str, warmup: &str) -> Result<Words> {
        Ok(Words::Timed(Timed {
            dir: dir.into(),
            threads: n.parse()?,
            payload: payload.parse()?,
            ops: ops.parse()?,
            warmup: warmup.parse()?,
        }))
    }
}
