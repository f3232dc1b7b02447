package io.kairo.sandbox.microvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * A file server that is being started.
 *
 * @param process the process
 * @param socket the socket that it creates when it is ready
 * @param tail the end of its messages
 * @param reader reads them until the process has ended
 */
record FileServer(Process process, Path socket, ConsoleTail tail, Thread reader) {

	/** Exit code of a file server that serves nothing. */
	static final int OTHER_MOUNTS = 125;

	private static final long START_NANOS = Duration.ofSeconds(10).toNanos();

	private static final long POLL_MILLIS = 3;

	/**
	 * Waits until it can be connected to.
	 * @throws SandboxException if it does not start
	 */
	void await() throws InterruptedException {
		long deadline = System.nanoTime() + START_NANOS;
		while (!Files.exists(this.socket)) {
			if (!this.process.isAlive() && this.process.exitValue() == OTHER_MOUNTS) {
				throw replaced();
			}
			if (!this.process.isAlive() || System.nanoTime() - deadline > 0) {
				this.reader.join(MachineStart.LAST_WORDS_MILLIS);
				throw new SandboxException(SandboxErrorCode.START_FAILED,
						"The file server of a virtual machine did not start: " + this.tail.text(),
						"look for the cause in its message");
			}
			Thread.sleep(POLL_MILLIS);
		}
	}

	static SandboxException replaced() {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"A directory was replaced while it was being mounted, so the command was not run", "try again");
	}

}
