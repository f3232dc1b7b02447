package io.kairo.workspace.checkpoint;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints.State;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a workspace at some time. Immutable.
 *
 * @param type its type
 * @param size its size in bytes
 * @param mode its permissions, null for a link and where there are none
 * @param stamp the stamp of a file or a special file, empty for others and where it is
 * not known
 * @param content the hash of a file's kept content, or the text of a link; null if there
 * is none
 */
record Node(FileType type, long size, @Nullable String mode, String stamp, @Nullable String content) {

	static Node directory(@Nullable String mode) {
		return new Node(FileType.DIRECTORY, 0, mode, "", null);
	}

	Node withContent(@Nullable String kept) {
		return new Node(this.type, this.size, this.mode, this.stamp, kept);
	}

	/**
	 * Returns whether an entry is the same in both states.
	 */
	static boolean same(@Nullable Node one, @Nullable Node other) {
		if (one == null || other == null) {
			return one == null && other == null;
		}
		return one.type == other.type && one.hasModeOf(other) && one.hasContentOf(other);
	}

	/**
	 * Returns whether the permissions are the same, as far as they are known.
	 */
	private boolean hasModeOf(Node other) {
		return this.mode == null || other.mode == null || this.mode.equals(other.mode);
	}

	boolean hasContentOf(Node other) {
		return switch (this.type) {
			case DIRECTORY -> true;
			case LINK, FILE, OTHER -> (this.content != null && other.content != null)
					? this.content.equals(other.content) : !this.stamp.isEmpty() && this.stamp.equals(other.stamp);
		};
	}

	/**
	 * Returns whether the file was not written between both states. Its permissions may
	 * have changed, so that it cannot be read.
	 */
	boolean isUnwrittenSince(Node other) {
		int end = this.stamp.lastIndexOf(' ');
		return end > 0 && end == other.stamp.lastIndexOf(' ') && this.stamp.regionMatches(0, other.stamp, 0, end);
	}

	/**
	 * Returns whether the entry can be made again.
	 */
	boolean isKept() {
		return this.type == FileType.DIRECTORY || this.content != null;
	}

	State state() {
		return new State(this.type, (this.type == FileType.FILE) ? this.size : 0, this.mode, this.content);
	}

}
