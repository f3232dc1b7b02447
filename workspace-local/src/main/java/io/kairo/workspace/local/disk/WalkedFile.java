package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A file found by a walk, opened on the first read.
 */
final class WalkedFile implements WorkspaceVisitor.Entry, Closeable {

	private final WorkspacePath path;

	private final OpenDirectory directory;

	private final Path name;

	private final BasicFileAttributes attributes;

	private @Nullable SeekableByteChannel channel;

	private boolean closed;

	WalkedFile(WorkspacePath path, OpenDirectory directory, Path name, BasicFileAttributes attributes) {
		this.path = path;
		this.directory = directory;
		this.name = name;
		this.attributes = attributes;
	}

	@Override
	public WorkspacePath path() {
		return this.path;
	}

	@Override
	public long size() {
		return this.attributes.size();
	}

	@Override
	public Instant modified() {
		return this.attributes.lastModifiedTime().toInstant();
	}

	@Override
	public int read(byte[] buffer, long offset) throws IOException {
		if (this.closed) {
			throw new IllegalStateException("The visit of " + WorkspacePath.quote(this.path.relative())
					+ " is over: read it during the callback");
		}
		SeekableByteChannel open = this.channel;
		if (open == null) {
			open = this.directory.file(this.name);
			this.channel = open;
		}
		int count = ContentReader.fill(open, offset, buffer);
		return (count == 0 && (buffer.length > 0 || offset >= open.size())) ? -1 : count;
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		if (this.channel != null) {
			this.channel.close();
		}
	}

}
