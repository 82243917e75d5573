//! The protocol that all drivers of rivals/foreign speak, for those in Rust.
//!
//! A driver says how its log is opened, written and read; `main` does the rest.

mod kill;
mod timed;
mod value;
mod words;

use std::error::Error;
use std::path::Path;

pub use words::Words;

pub type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A log that threads append to. Each thread has a writer of its own.
pub trait Log: Sized + Sync {
    type Writer<'a>: Writer
    where
        Self: 'a;

    /// Makes a log in a directory that exists and is empty. `bytes` is what it
    /// will hold at least, so that it can allocate that beforehand.
    fn create(dir: &Path, bytes: u64) -> Result<Self>;

    fn writer(&self, thread: usize) -> Result<Self::Writer<'_>>;

    fn close(self) -> Result;

    /// Opens the log in `dir` anew and hands over every value in it.
    fn scan(dir: &Path, each: &mut dyn FnMut(&[u8]) -> Result) -> Result;
}

/// `append` returns when the value is acknowledged.
pub trait Writer {
    fn append(&mut self, value: &[u8]) -> Result;
}

/// Does what the words after the program's name ask for.
pub fn main<L: Log>() -> Result {
    match Words::of_this_process()? {
        Words::Timed(t) => timed::run::<L>(&t),
        Words::Kill { dir, threads, payload } => kill::append_forever::<L>(&dir, threads, payload),
        Words::Verify { dir } => kill::verify::<L>(&dir),
    }
}
