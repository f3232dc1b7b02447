package io.kairo.sandbox.support.output;

/**
 * The output of a process, copied to a log. Reading never pauses, so that the process
 * does not block. Safe for use by several threads.
 */
public interface ProcessOutput extends AutoCloseable {

	/**
	 * Returns the process.
	 * @return the process
	 */
	Process process();

	/**
	 * Waits until the process has ended. Called once, on a thread that waits for nothing
	 * else, and may have to copy the output meanwhile.
	 * @return the exit code of the process
	 * @throws InterruptedException if the thread is interrupted
	 */
	int awaitExit() throws InterruptedException;

	/**
	 * Waits until both streams have ended.
	 * @param millis the timeout in milliseconds. A pause of the JVM extends it, so that
	 * the pause is not mistaken for a stream that is held open
	 * @return false after the timeout
	 */
	boolean await(long millis);

	/**
	 * Stops reading, even if a process holds a stream open. Does not block, and is called
	 * once the process has ended, unless it cannot be killed.
	 */
	@Override
	void close();

}
