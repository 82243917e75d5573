/** What a thread does when it fails: it ends the process. */
final class Threads {
    interface Work {
        void run() throws Exception;
    }

    static void orDie(Work work) {
        try {
            work.run();
        } catch (Throwable err) {
            err.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }
}
