import java.nio.file.Path;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/** A queue as its users make it: the default roll cycle, an appender for each thread. */
final class Log implements AutoCloseable {
    /** For the queue's lock. It is not fair: of many threads, one can wait for longer than the default. */
    private static final long PATIENCE_MS = 100_000;

    private final ChronicleQueue queue;

    Log(Path dir) {
        queue = SingleChronicleQueueBuilder.single(dir.toFile()).rollCycle(RollCycles.FAST_DAILY).timeoutMS(PATIENCE_MS).build();
    }

    /** Called by the thread that will use it. */
    Writer writer() {
        return new Writer(queue.createAppender());
    }

    @Override
    public void close() {
        queue.close();
    }

    /** Append returns when the value is in memory that is mapped to the file. */
    static final class Writer {
        private final ExcerptAppender appender;
        private final Bytes<?> bytes = Bytes.allocateElasticDirect();

        private Writer(ExcerptAppender appender) {
            this.appender = appender;
        }

        /** Put names the value to append from now on. */
        void put(byte[] value) {
            bytes.clear();
            bytes.write(value);
        }

        void append() {
            appender.writeBytes(bytes);
        }
    }

    interface Each {
        void value(Bytes<?> bytes) throws Exception;
    }

    /** Opens the queue anew and hands over every value in it. */
    static void scan(Path dir, Each each) throws Exception {
        Bytes<?> bytes = Bytes.allocateElasticDirect();
        try (Log log = new Log(dir); ExcerptTailer tailer = log.queue.createTailer()) {
            while (tailer.readBytes(bytes.clear())) {
                each.value(bytes);
            }
        }
    }
}
