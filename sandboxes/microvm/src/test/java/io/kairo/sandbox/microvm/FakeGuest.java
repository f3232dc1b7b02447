package io.kairo.sandbox.microvm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The process of an emulator whose machine says what a test wants.
 */
final class FakeGuest extends Process {

	private static final int PIPE_BYTES = 1 << 20;

	private final PipedInputStream said = new PipedInputStream(PIPE_BYTES);

	private final PipedOutputStream mouth;

	private final PipedInputStream heard = new PipedInputStream(PIPE_BYTES);

	private final PipedOutputStream ear;

	private final CountDownLatch ended = new CountDownLatch(1);

	FakeGuest() {
		try {
			this.mouth = new PipedOutputStream(this.said);
			this.ear = new PipedOutputStream(this.heard);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns a machine that listens to this.
	 */
	Machine machine() {
		return new Machine(this, List.of(this), new ConsoleTail(), List.of());
	}

	void say(char kind, int id, byte... payload) throws IOException {
		say(new Frame(kind, id, payload).toBytes());
	}

	void sayNumber(char kind, int id, int number) throws IOException {
		say(Frame.of(kind, id, number).toBytes());
	}

	void say(byte[] bytes) throws IOException {
		this.mouth.write(bytes);
		this.mouth.flush();
	}

	void sayReady() throws IOException {
		sayNumber('H', 0, Machine.VERSION);
	}

	/**
	 * Says that a command ended.
	 */
	void sayEnd(int id, int status, int leftovers) throws IOException {
		sayEnd(id, status, leftovers, 0);
	}

	void sayEnd(int id, int status, int leftovers, long cpuMicros) throws IOException {
		say('X', id,
				ByteBuffer.allocate(Frame.END_BYTES)
					.putInt(status)
					.putInt(leftovers)
					.putLong(4 * Integer.BYTES, cpuMicros)
					.array());
	}

	/**
	 * Reads the next frame of the host.
	 */
	Frame hear() throws IOException {
		DataInputStream stream = new DataInputStream(this.heard);
		char kind = (char) stream.readByte();
		int id = stream.readInt();
		return new Frame(kind, id, stream.readNBytes(stream.readInt()));
	}

	@Override
	public OutputStream getOutputStream() {
		return this.ear;
	}

	@Override
	public InputStream getInputStream() {
		return this.said;
	}

	@Override
	public InputStream getErrorStream() {
		return new ByteArrayInputStream(new byte[0]);
	}

	@Override
	public int waitFor() throws InterruptedException {
		this.ended.await();
		return 137;
	}

	@Override
	public int exitValue() {
		if (this.ended.getCount() > 0) {
			throw new IllegalThreadStateException("running");
		}
		return 137;
	}

	@Override
	public Process destroyForcibly() {
		destroy();
		return this;
	}

	/**
	 * Returns a handle of which all methods end the process.
	 */
	@Override
	public ProcessHandle toHandle() {
		return (ProcessHandle) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ProcessHandle.class }, (proxy, method, arguments) -> {
					destroy();
					return true;
				});
	}

	@Override
	public void destroy() {
		this.ended.countDown();
		try {
			this.mouth.close();
			this.heard.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isEnded() {
		return this.ended.getCount() == 0;
	}

}
