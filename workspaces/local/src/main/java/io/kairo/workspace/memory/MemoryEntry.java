package io.kairo.workspace.memory;

import java.time.Instant;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;

/**
 * A file found by a walk.
 */
final class MemoryEntry implements WorkspaceVisitor.Entry {

	private final WorkspacePath path;

	private final byte[] content;

	private final Instant modified;

	private boolean over;

	MemoryEntry(WorkspacePath path, byte[] content, Instant modified) {
		this.path = path;
		this.content = content;
		this.modified = modified;
	}

	void end() {
		this.over = true;
	}

	@Override
	public WorkspacePath path() {
		return this.path;
	}

	@Override
	public long size() {
		return this.content.length;
	}

	@Override
	public Instant modified() {
		return this.modified;
	}

	@Override
	public int read(byte[] buffer, long offset) {
		if (this.over) {
			throw new IllegalStateException("The visit of " + WorkspacePath.quote(this.path.relative())
					+ " is over: read it during the callback");
		}
		if (offset < 0) {
			throw new IllegalArgumentException("The offset " + offset + " is negative: give 0 or more");
		}
		if (offset >= this.content.length) {
			return -1;
		}
		int count = Math.min(buffer.length, this.content.length - (int) offset);
		System.arraycopy(this.content, (int) offset, buffer, 0, count);
		return count;
	}

}
