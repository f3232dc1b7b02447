package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A directory that shows the files of another one to the commands of a session, and keeps
 * what is changed in it elsewhere. The session lasts at least until it is closed. Safe
 * for use by several threads.
 *
 * @param directory the path that opens the directory on this machine, and by which
 * requests of the session name it. It may lead through a process of the sandbox: its real
 * path is another directory then
 * @param intact whether the path has led to this directory until now. What was read is
 * valid only if this is true afterwards
 * @param end ends it
 */
public record SessionOverlay(Path directory, BooleanSupplier intact, Runnable end) implements AutoCloseable {

	/**
	 * Creates the value.
	 */
	public SessionOverlay {
		Objects.requireNonNull(directory, "directory");
		Objects.requireNonNull(intact, "intact");
		Objects.requireNonNull(end, "end");
	}

	/**
	 * Ends it. Commands that still run in it keep it for themselves. Does nothing after
	 * the first time.
	 */
	@Override
	public void close() {
		this.end.run();
	}

}
