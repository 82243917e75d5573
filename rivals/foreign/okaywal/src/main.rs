//! okaywal: an entry of one chunk for each value.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use okaywal::{Configuration, Entry, EntryId, LogManager, ReadChunkResult, SegmentReader, WriteAheadLog};
use trial::{Log, Result, Writer};

fn main() -> Result {
    trial::main::<OkayLog>()
}

struct OkayLog(WriteAheadLog);

/// One file that holds all, filled beforehand. The default checkpoints a file
/// when three quarters of it are full, and so does this one.
fn configuration(dir: &Path, bytes: u64) -> Result<Configuration> {
    let size = u32::try_from(bytes.div_ceil(3) * 4)?.max(64 << 20);
    Ok(Configuration::default_for(dir).preallocate_bytes(size).checkpoint_after_bytes(u64::from(size) / 4 * 3))
}

impl Log for OkayLog {
    type Writer<'a> = Entries<'a>;

    fn create(dir: &Path, bytes: u64) -> Result<Self> {
        Ok(OkayLog(configuration(dir, bytes)?.open(Values::default())?))
    }

    fn writer(&self, _thread: usize) -> Result<Entries<'_>> {
        Ok(Entries(&self.0))
    }

    fn close(self) -> Result {
        Ok(self.0.shutdown()?)
    }

    fn scan(dir: &Path, each: &mut dyn FnMut(&[u8]) -> Result) -> Result {
        let values = Values::default();
        let found = Arc::clone(&values.recovered);
        configuration(dir, 0)?.open(values)?.shutdown()?;
        let found = found.lock().map_err(|_| "the log panicked")?;
        found.iter().try_for_each(|value| each(value))
    }
}

struct Entries<'a>(&'a WriteAheadLog);

impl Writer for Entries<'_> {
    /// The commit returns when the file is synchronised.
    fn append(&mut self, value: &[u8]) -> Result {
        let mut entry = self.0.begin_entry()?;
        entry.write_chunk(value)?;
        entry.commit()?;
        Ok(())
    }
}

/// What the log held when it was opened.
#[derive(Debug, Default)]
struct Values {
    recovered: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl LogManager for Values {
    /// An entry that is not complete counts for nothing.
    fn recover(&mut self, entry: &mut Entry<'_>) -> io::Result<()> {
        let mut chunks = Vec::new();
        loop {
            match entry.read_chunk()? {
                ReadChunkResult::Chunk(mut chunk) => {
                    chunks.push(chunk.read_all()?);
                    if !chunk.check_crc()? {
                        return Err(io::Error::other("a chunk's checksum is wrong"));
                    }
                }
                ReadChunkResult::EndOfEntry => break,
                ReadChunkResult::AbortedEntry => return Ok(()),
            }
        }
        self.recovered.lock().map_err(|_| io::Error::other("poisoned"))?.append(&mut chunks);
        Ok(())
    }

    /// A checkpoint gives a file's entries up: the trial's file was too small.
    fn checkpoint_to(&mut self, _: EntryId, _: &mut SegmentReader, _: &WriteAheadLog) -> io::Result<()> {
        eprintln!("okaywal checkpoints: its file is too small for the trial");
        std::process::exit(1)
    }
}
