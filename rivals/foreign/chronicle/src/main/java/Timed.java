import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;

/** A trial whose time is taken. */
final class Timed {
    private static final int SMALL = 64; // bytes of a value of the warm-up, at most

    private final Path dir;
    private final int threads, payload;
    private final long ops, warmup;
    private final long[] begin, end; // System.nanoTime, one of each thread

    Timed(Path dir, int threads, int payload, long ops, long warmup) {
        this.dir = dir;
        this.threads = threads;
        this.payload = payload;
        this.ops = ops;
        this.warmup = warmup;
        begin = new long[threads];
        end = new long[threads];
    }

    /** Times the appends, then reads the log again: each of them must be there. */
    void run() throws Exception {
        warmUp();
        try (Log log = new Log(dir)) {
            window(log);
        }
        long found = count();
        if (found != ops + first()) {
            throw new IllegalStateException("the log holds " + found + " values after " + (ops + first()) + " appends");
        }
        // From the barrier to the last finish: from the first thread that left
        // the barrier to the last that was done. Both are far from overflow.
        long wall = Arrays.stream(end).max().getAsLong() - Arrays.stream(begin).min().getAsLong();
        System.out.println("{\"ops\":" + ops + ",\"wall_ns\":" + wall + ",\"threads\":" + threads + "}");
    }

    /** Makes the compiler see the appends: in a queue of its own, of small values, by one thread. */
    private void warmUp() throws Exception {
        Path own = Files.createDirectory(dir.resolve("warm-up"));
        try (Log log = new Log(own)) {
            Log.Writer writer = log.writer();
            writer.put(value(Math.min(payload, SMALL)));
            append(writer, warmup);
        }
        try (Stream<Path> files = Files.list(own)) {
            files.forEach(file -> file.toFile().delete());
        }
        Files.delete(own);
    }

    /** How many appends come before the window in the trial's queue, so that threads have met at its lock. */
    private long first() {
        return warmup / 30;
    }

    private void window(Log log) throws InterruptedException {
        CyclicBarrier ready = new CyclicBarrier(threads);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int thread = i;
            all[i] = new Thread(() -> Threads.orDie(() -> oneThread(log, ready, thread)));
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    private void oneThread(Log log, CyclicBarrier ready, int i) throws Exception {
        Log.Writer writer = log.writer();
        writer.put(value(payload));
        append(writer, share(first(), i));
        ready.await();
        begin[i] = System.nanoTime();
        append(writer, share(ops, i));
        end[i] = System.nanoTime();
    }

    /** A method of its own: the warm-up compiles what the window runs. */
    private static void append(Log.Writer writer, long times) {
        for (long i = 0; i < times; i++) {
            writer.append();
        }
    }

    private static byte[] value(int payload) {
        byte[] value = new byte[payload];
        for (int i = 0; i < payload; i++) {
            value[i] = (byte) "foo".charAt(i % 3);
        }
        return value;
    }

    /** How many of so many operations fall to thread i. */
    private long share(long of, int i) {
        return of / threads + (i < of % threads ? 1 : 0);
    }

    private long count() throws Exception {
        long[] found = {0};
        Log.scan(dir, value -> {
            if (value.readRemaining() != payload) {
                throw new IllegalStateException("a value has another length");
            }
            found[0]++;
        });
        return found[0];
    }
}
