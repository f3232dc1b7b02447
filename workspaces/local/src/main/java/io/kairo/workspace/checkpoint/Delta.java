package io.kairo.workspace.checkpoint;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The change of an entry by a step.
 *
 * @param path the entry
 * @param before its state before, null if it did not exist
 * @param after its state afterwards, null if it does not exist
 */
record Delta(WorkspacePath path, @Nullable Node before, @Nullable Node after) {

	/** Maximum size of a file that is written rather than replaced. */
	static final long MAX_WRITTEN = 1 << 20;

	/**
	 * Returns whether the entry is made anew or removed, rather than written.
	 */
	boolean isReplaced() {
		if (this.before == null || this.after == null || this.before.type() != this.after.type()) {
			return true;
		}
		return !this.before.hasContentOf(this.after) && !isWritten(this.before, this.after);
	}

	private static boolean isWritten(Node before, Node after) {
		return before.type() == FileType.FILE && after.size() <= MAX_WRITTEN
				&& (before.mode() == null || before.mode().startsWith("rw"));
	}

}
