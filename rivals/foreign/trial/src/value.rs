use crate::Result;

/// The bytes of a value that name its thread and its place.
const HEADER: usize = 12;

/// The value that `thread` appends as its `seq`th: both numbers, little-endian,
/// and a byte that follows from them up to the payload's length.
pub(crate) fn encode(thread: usize, seq: u64, payload: usize) -> Vec<u8> {
    let mut value = Vec::with_capacity(payload.max(HEADER));
    value.extend_from_slice(&(thread as u32).to_le_bytes());
    value.extend_from_slice(&seq.to_le_bytes());
    value.resize(payload.max(HEADER), fill(thread, seq));
    value
}

/// Who appended `value`; an error if nobody did.
pub(crate) fn decode(value: &[u8]) -> Result<(usize, u64)> {
    if value.len() < HEADER {
        return Err(format!("{} bytes, which nobody appended", value.len()).into());
    }
    let thread = u32::from_le_bytes(value[..4].try_into()?) as usize;
    let seq = u64::from_le_bytes(value[4..HEADER].try_into()?);
    if value[HEADER..].iter().any(|b| *b != fill(thread, seq)) {
        return Err(format!("value {seq} of thread {thread} is damaged").into());
    }
    Ok((thread, seq))
}

fn fill(thread: usize, seq: u64) -> u8 {
    (thread as u64 * 31 + seq) as u8
}
