package io.kairo.tools.trash;

import io.kairo.api.workspace.WorkspaceUsage;
import org.jspecify.annotations.Nullable;

/**
 * The room for entries of a trash; negative numbers if a bound is exceeded.
 *
 * @param bytes number of bytes
 * @param files number of files, directories and links
 * @param count number of entries
 */
record TrashRoom(long bytes, long files, int count) {

	/** Maximum number of entries. Each may be a whole directory. */
	private static final int MAX_COUNT = 1000;

	/** Maximum number of a tenant's files in the trash, in full workspaces. */
	private static final int WORKSPACES = 10;

	/**
	 * Returns the room in the trash of a workspace: within the bounds of the trash, and
	 * within the rest of the workspace's quota.
	 * @param usage the usage of the workspace, null if it has no quota
	 */
	static TrashRoom of(TrashOptions options, @Nullable WorkspaceUsage usage) {
		TrashRoom room = new TrashRoom(options.maxBytes(), options.maxFiles(), MAX_COUNT);
		return (usage == null) ? room : new TrashRoom(Math.min(room.bytes, usage.maxBytes() - usage.bytes()),
				Math.min(room.files, usage.maxFiles() - usage.files()), MAX_COUNT);
	}

	/**
	 * Returns the room in the trash of all workspaces of a tenant.
	 */
	static TrashRoom ofTenant(TrashOptions options) {
		return new TrashRoom(options.maxBytesPerTenant(), WORKSPACES * options.maxFiles(), WORKSPACES * MAX_COUNT);
	}

	TrashRoom without(TrashEntry entry) {
		return new TrashRoom(this.bytes - entry.bytes(), this.files - entry.entries(), this.count - 1);
	}

	boolean exceeded() {
		return this.bytes < 0 || this.files < 0 || this.count < 0;
	}

}
