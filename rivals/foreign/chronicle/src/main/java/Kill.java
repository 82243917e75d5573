import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** What a kill is survived by: appends until it comes, and what is there after it. */
final class Kill {
    /** Is not buffered: a line is one write. */
    private static final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** Appends until the process is killed, and says each acknowledgement. */
    static void appendForever(Path dir, int threads, int payload) throws InterruptedException {
        Log log = new Log(dir);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            new Thread(() -> Threads.orDie(() -> appendOneByOne(log, thread, payload))).start();
        }
        Thread.currentThread().join(); // for ever
    }

    private static void appendOneByOne(Log log, int thread, int payload) throws IOException {
        Log.Writer writer = log.writer();
        for (long seq = 0; ; seq++) {
            writer.put(new Value(thread, seq).encode(payload));
            writer.append();
            out.write(("ack " + thread + " " + seq + "\n").getBytes(US_ASCII));
        }
    }

    /** Says which values the log holds. */
    static void verify(Path dir) throws Exception {
        OutputStream lines = new BufferedOutputStream(out, 1 << 16);
        Log.scan(dir, bytes -> {
            Value value = Value.decode(bytes);
            lines.write((value.thread() + " " + value.seq() + "\n").getBytes(US_ASCII));
        });
        lines.flush();
    }
}
