package io.kairo.sandbox.docker;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

/**
 * The frames to the launcher of a container, as a stream for the connection. Frames may
 * be added by any thread; one thread reads.
 */
final class FrameInput extends InputStream {

	private static final byte[] END = {};

	private static final int HEADER = 5;

	private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();

	private byte @Nullable [] current;

	private int position;

	/**
	 * Adds a frame.
	 * @param letter the kind of frame
	 * @param data the payload
	 */
	void send(char letter, byte[] data) {
		this.frames
			.add(ByteBuffer.allocate(HEADER + data.length).put((byte) letter).putInt(data.length).put(data).array());
	}

	@Override
	public int read() {
		byte[] octet = new byte[1];
		return (read(octet, 0, 1) < 0) ? -1 : octet[0] & 0xff;
	}

	@Override
	public int read(byte[] buffer, int offset, int length) {
		byte[] frame = this.current;
		try {
			while (frame == null || this.position == frame.length) {
				if (frame == END) {
					return -1;
				}
				frame = this.frames.take();
				this.current = frame;
				this.position = 0;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return -1;
		}
		int count = Math.min(length, frame.length - this.position);
		System.arraycopy(frame, this.position, buffer, offset, count);
		this.position += count;
		return count;
	}

	/**
	 * Ends the stream after the frames that were added.
	 */
	@Override
	public void close() {
		this.frames.add(END);
	}

}
