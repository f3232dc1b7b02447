package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;

/**
 * One direction of a connection: buffers bytes from a source until they are written to a
 * sink. For use by one thread, except for the count.
 */
final class Flow {

	private static final int BUFFER_BYTES = 16384;

	private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

	private final ReadableByteChannel source;

	private final WritableByteChannel sink;

	private final boolean tellsEnd;

	private long left;

	private boolean ended;

	private boolean told;

	private volatile long count;

	/**
	 * Creates a direction.
	 * @param most maximum number of bytes to read from the source
	 * @param tellsEnd whether to shut down the sink, if it is a socket, when the source
	 * has ended
	 */
	Flow(ReadableByteChannel source, WritableByteChannel sink, long most, boolean tellsEnd) {
		this.source = source;
		this.sink = sink;
		this.left = most;
		this.tellsEnd = tellsEnd;
		this.ended = most == 0;
	}

	/**
	 * Prepends bytes that were read from the source before.
	 * @param bytes fewer bytes than the capacity of the buffer; bytes beyond the maximum
	 * are dropped
	 */
	void begin(ByteBuffer bytes) {
		ByteBuffer taken = bytes.slice(bytes.position(), (int) Math.min(bytes.remaining(), this.left));
		this.left -= taken.remaining();
		this.ended = this.left == 0;
		this.buffer.put(taken);
	}

	/**
	 * Moves all bytes that can be moved without blocking.
	 * @return whether any byte was moved
	 */
	boolean move() throws IOException {
		boolean moved = false;
		if (wantsRead()) {
			int most = (int) Math.min(this.buffer.remaining(), this.left);
			int read = this.source.read(this.buffer.limit(this.buffer.position() + most));
			this.buffer.limit(this.buffer.capacity());
			this.left -= Math.max(read, 0);
			this.ended = read < 0 || this.left == 0;
			moved = read != 0;
		}
		if (wantsWrite()) {
			int written = this.sink.write(this.buffer.flip());
			this.buffer.compact();
			add(written);
			moved |= written > 0;
		}
		if (isDone() && this.tellsEnd && !this.told) {
			this.told = true;
			if (this.sink instanceof SocketChannel socket) {
				socket.shutdownOutput();
			}
		}
		return moved;
	}

	boolean isDone() {
		return this.ended && !wantsWrite();
	}

	/**
	 * Returns the operations to wait for at the source.
	 */
	int interestInSource() {
		return wantsRead() ? SelectionKey.OP_READ : 0;
	}

	/**
	 * Returns the operations to wait for at the sink.
	 */
	int interestInSink() {
		return wantsWrite() ? SelectionKey.OP_WRITE : 0;
	}

	/**
	 * Returns the number of bytes written to the sink.
	 */
	long count() {
		return this.count;
	}

	@SuppressWarnings("NonAtomicVolatileUpdate")
	private void add(int written) {
		// written by one thread only
		this.count += written;
	}

	private boolean wantsRead() {
		return !this.ended && this.buffer.hasRemaining();
	}

	private boolean wantsWrite() {
		return this.buffer.position() > 0;
	}

}
