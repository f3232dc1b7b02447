package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A directory that the commands of one session share, as this machine reaches it while
 * the session lasts. Commands change it at any time, so that only a descent that follows
 * no links may read it. Safe for use by several threads.
 *
 * @param target the absolute path of the directory for commands
 * @param source the path that opens the directory on this machine. It may lead through a
 * process of the sandbox: its real path is another directory then
 * @param intact whether the source has led to this directory until now. What was read is
 * valid only if this is true afterwards
 */
public record SessionDirectory(String target, Path source, BooleanSupplier intact) {

	/**
	 * Creates the value.
	 */
	public SessionDirectory {
		Objects.requireNonNull(target, "target");
		Objects.requireNonNull(source, "source");
		Objects.requireNonNull(intact, "intact");
	}

}
