import java.nio.file.Path;

/** The protocol that all drivers of rivals/foreign speak, for Chronicle Queue. */
public final class Driver {
    private static final String USAGE = "usage: DIR N PAYLOAD OPS [WARMUP] | DIR N PAYLOAD kill | DIR verify";

    public static void main(String[] words) {
        try {
            run(words);
        } catch (Throwable err) {
            err.printStackTrace();
            Runtime.getRuntime().halt(1); // whatever the other threads do
        }
        System.exit(0);
    }

    private static void run(String[] words) throws Exception {
        Path dir = Path.of(words.length < 2 ? "" : words[0]);
        if (words.length == 2 && words[1].equals("verify")) {
            Kill.verify(dir);
        } else if (words.length == 4 && words[3].equals("kill")) {
            Kill.appendForever(dir, Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        } else if (words.length == 4 || words.length == 5) {
            long warmup = words.length == 5 ? Long.parseLong(words[4]) : 0;
            new Timed(dir, Integer.parseInt(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]), warmup).run();
        } else {
            throw new IllegalArgumentException(USAGE);
        }
    }
}
