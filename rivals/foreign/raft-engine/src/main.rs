//! raft-engine, the log of TiKV: each thread is a Raft group with entries of
//! its own, as its example has it, and all groups share the files.

use std::path::Path;

use raft::eraftpb::Entry;
use raft_engine::{Config, Engine, LogBatch, MessageExt, ReadableSize};
use trial::{Log, Result, Writer};

fn main() -> Result {
    trial::main::<RaftLog>()
}

struct Entries;

impl MessageExt for Entries {
    type Entry = Entry;

    fn index(e: &Entry) -> u64 {
        e.index
    }
}

struct RaftLog(Engine);

/// Set: log files are filled before they are used, as the documentation of
/// `Config` offers. It helps some workloads and not others.
const PREFILL: &str = "RAFT_ENGINE_PREFILL";

fn prefills() -> bool {
    std::env::var_os(PREFILL).is_some()
}

fn defaults(dir: &Path) -> Config {
    Config { dir: dir.to_string_lossy().into_owned(), ..Config::default() }
}

/// The defaults, and files for `bytes`, rounded up to whole files of 128 MiB.
fn prefilled(dir: &Path, bytes: u64) -> Config {
    let file = Config::default().target_file_size.0;
    let limit = ReadableSize(bytes.div_ceil(file) * file);
    Config { prefill_for_recycle: true, prefill_limit: Some(limit), ..defaults(dir) }
}

impl Log for RaftLog {
    type Writer<'a> = Group<'a>;

    /// A new engine begins in an empty file. One that prefills goes on to the
    /// next at once, as an engine has done that has run for a while.
    fn create(dir: &Path, bytes: u64) -> Result<Self> {
        if !prefills() {
            return Ok(RaftLog(Engine::open(defaults(dir))?));
        }
        let engine = Engine::open(prefilled(dir, bytes))?;
        engine.purge_manager().must_purge_all_stale();
        Ok(RaftLog(engine))
    }

    fn writer(&self, thread: usize) -> Result<Group<'_>> {
        Ok(Group { engine: &self.0, id: thread as u64 + 1, index: 0, batch: LogBatch::with_capacity(1) })
    }

    fn close(self) -> Result {
        Ok(())
    }

    fn scan(dir: &Path, each: &mut dyn FnMut(&[u8]) -> Result) -> Result {
        let engine = Engine::open(defaults(dir))?;
        for group in engine.raft_groups() {
            let (Some(first), Some(last)) = (engine.first_index(group), engine.last_index(group)) else { continue };
            for index in first..=last {
                let entry = engine.get_entry::<Entries>(group, index)?.ok_or("an entry is missing")?;
                each(&entry.data)?;
            }
        }
        Ok(())
    }
}

/// A Raft group: its entries have consecutive indexes.
struct Group<'a> {
    engine: &'a Engine,
    id: u64,
    index: u64,
    batch: LogBatch,
}

impl Writer for Group<'_> {
    /// The write is synchronous: its leader has called fdatasync.
    fn append(&mut self, value: &[u8]) -> Result {
        self.index += 1;
        let entry = Entry { index: self.index, data: value.to_vec().into(), ..Entry::default() };
        self.batch.add_entries::<Entries>(self.id, &[entry])?;
        self.engine.write(&mut self.batch, true)?;
        Ok(())
    }
}
