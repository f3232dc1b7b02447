package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.attribute.PosixFileAttributes;

import io.kairo.linux.OpenFile;

/**
 * A regular file that was opened directly, for reading. For use by one thread.
 */
public final class DirectFile implements SeekableByteChannel {

	private final OpenFile file;

	private long position;

	private boolean open = true;

	DirectFile(OpenFile file) {
		this.file = file;
	}

	@Override
	public int read(ByteBuffer target) throws IOException {
		requireOpen();
		int count = this.file.read(target, this.position);
		this.position += Math.max(0, count);
		return count;
	}

	@Override
	public int write(ByteBuffer source) {
		throw new NonWritableChannelException();
	}

	@Override
	public long position() throws IOException {
		requireOpen();
		return this.position;
	}

	@Override
	public SeekableByteChannel position(long position) throws IOException {
		requireOpen();
		if (position < 0) {
			throw new IllegalArgumentException("The position " + position + " is negative");
		}
		this.position = position;
		return this;
	}

	@Override
	public long size() throws IOException {
		return attributes().size();
	}

	/**
	 * Reads the attributes of the open file.
	 * @return the attributes
	 * @throws IOException if this file is closed
	 */
	public PosixFileAttributes attributes() throws IOException {
		requireOpen();
		return new StatusAttributes(this.file.status());
	}

	@Override
	public SeekableByteChannel truncate(long size) {
		throw new NonWritableChannelException();
	}

	@Override
	public boolean isOpen() {
		return this.open;
	}

	@Override
	public void close() {
		this.open = false;
		this.file.close();
	}

	private void requireOpen() throws ClosedChannelException {
		if (!this.open) {
			throw new ClosedChannelException();
		}
	}

}
