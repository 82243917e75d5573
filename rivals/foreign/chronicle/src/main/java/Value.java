import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import net.openhft.chronicle.bytes.Bytes;

/** A value that names its thread and its place. */
record Value(int thread, long seq) {
    private static final int HEADER = 12;

    /** Both numbers, little-endian, and a byte that follows from them up to the payload's length. */
    byte[] encode(int payload) {
        byte[] value = new byte[Math.max(payload, HEADER)];
        Arrays.fill(value, fill());
        ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putInt(thread).putLong(seq);
        return value;
    }

    /** Throws if nobody appended it. */
    static Value decode(Bytes<?> bytes) {
        byte[] all = bytes.toByteArray();
        if (all.length < HEADER) {
            throw new IllegalStateException(all.length + " bytes, which nobody appended");
        }
        ByteBuffer header = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        Value value = new Value(header.getInt(), header.getLong());
        if (!Arrays.equals(all, value.encode(all.length))) {
            throw new IllegalStateException("value " + value.seq + " of thread " + value.thread + " is damaged");
        }
        return value;
    }

    private byte fill() {
        return (byte) (thread * 31L + seq);
    }
}
