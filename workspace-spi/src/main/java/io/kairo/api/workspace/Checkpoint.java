package io.kairo.api.workspace;

import java.time.Instant;
import java.util.List;

/**
 * A point in the work of a session that it can return to. Immutable.
 *
 * @param name its name
 * @param taken the time
 * @param steps number of steps since then that are not undone
 * @param files number of files that were examined; 0 if the checkpoint was not taken just
 * now
 * @param unkept what could not be kept; empty if the checkpoint was not taken just now
 */
public record Checkpoint(String name, Instant taken, long steps, long files, List<Unkept> unkept) {

	/**
	 * Creates the value.
	 */
	public Checkpoint {
		unkept = List.copyOf(unkept);
	}

	/**
	 * Files whose content is not kept.
	 *
	 * @param path the file, or a directory in a root with such files
	 * @param files number of files
	 * @param bytes their size in bytes
	 */
	public record Unkept(WorkspacePath path, long files, long bytes) {

	}

}
