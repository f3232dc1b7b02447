package io.kairo.sandbox.remote;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.remote.protocol.EndMessage;
import io.kairo.sandbox.remote.protocol.Frame;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs on a worker. The thread that waits for its end reads its output
 * meanwhile, and continues after the last byte that it has received when a connection
 * breaks.
 */
final class RemoteCommand implements RunningCommand {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofMillis(1500);

	private static final long DRAIN_MILLIS = 500;

	/** The worker sends something every five seconds. */
	private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

	private static final CommandEnd LOST = new CommandEnd(-1, SandboxExit.LOST);

	private final Worker worker;

	private final WorkerLease lease;

	private final long number;

	private final String path;

	private final OutputLog log;

	private final Function<String, @Nullable Path> toLocal;

	private final Runnable onRelease;

	private final @Nullable RemoteInput input;

	private final CountDownLatch done = new CountDownLatch(1);

	/** Number of bytes of output so far; for use by the reading thread. */
	private long received;

	/** Number of bytes that the worker discarded; for use by the reading thread. */
	private long skipped;

	private volatile @Nullable Closeable reading;

	private volatile long heard = System.nanoTime();

	private volatile @Nullable EndMessage end;

	/**
	 * Creates the command. It has been started already.
	 * @param number the number of the command
	 * @param log the log for its output
	 * @param toLocal returns the path of this machine for a path of the worker, or null
	 * @param onRelease called when the command is released
	 */
	RemoteCommand(Worker worker, WorkerLease lease, long number, boolean stdin, OutputLog log,
			Function<String, @Nullable Path> toLocal, Runnable onRelease) {
		this.worker = worker;
		this.lease = lease;
		this.number = number;
		this.path = lease.path(number);
		this.log = log;
		this.toLocal = toLocal;
		this.onRelease = onRelease;
		this.input = stdin ? new RemoteInput(worker, lease, this.path) : null;
		lease.watch(this);
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		try {
			return read();
		}
		catch (InterruptedIOException ex) {
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
		finally {
			this.done.countDown();
		}
	}

	private CommandEnd read() throws InterruptedIOException {
		long pause = Worker.FIRST_PAUSE_MILLIS;
		while (!this.lease.isEnded()) {
			long before = this.received;
			try (InputStream frames = this.worker.open(this.path + "/output?from=" + this.received)) {
				this.reading = frames;
				this.heard = System.nanoTime();
				EndMessage last = read(new DataInputStream(frames));
				this.end = last;
				discarded(last.discardedBytes(), last.outputStorageFailed());
				readToEnd(frames);
				return new CommandEnd(last.exitCode(), last.signal());
			}
			catch (WorkerRefusedException ex) {
				if (ex.isGone()) {
					return LOST;
				}
			}
			catch (InterruptedIOException ex) {
				throw ex;
			}
			catch (IOException | IllegalArgumentException ex) {
				// the connection broke: it goes on from the last byte
				pause = (this.received > before) ? Worker.FIRST_PAUSE_MILLIS : pause;
			}
			finally {
				this.reading = null;
			}
			Worker.pause(pause);
			pause = Math.min(2 * pause, Worker.LONGEST_PAUSE_MILLIS);
		}
		return LOST;
	}

	/**
	 * Reads the end of the response. Its connection then serves other requests.
	 */
	private static void readToEnd(InputStream frames) {
		try {
			frames.read();
		}
		catch (IOException ex) {
			// the command has ended, and its connection is not used again
			return;
		}
	}

	private EndMessage read(DataInputStream frames) throws IOException {
		byte[] bytes = new byte[1 << 16];
		while (true) {
			byte type = frames.readByte();
			int length = frames.readInt();
			this.heard = System.nanoTime();
			if (length < 0 || length > Frame.MOST_BYTES) {
				throw new IOException("The worker announced " + length + " bytes");
			}
			switch (type) {
				case Frame.STDOUT -> append(OutputChannel.STDOUT, frames, length, bytes);
				case Frame.STDERR -> append(OutputChannel.STDERR, frames, length, bytes);
				case Frame.DISCARDED -> discarded(frames.readLong(), false);
				case Frame.END -> {
					return Messages.read(frames.readNBytes(length), EndMessage.class);
				}
				default -> frames.skipNBytes(length);
			}
		}
	}

	private void append(OutputChannel channel, InputStream frames, int length, byte[] bytes) throws IOException {
		int left = length;
		while (left > 0) {
			int count = frames.read(bytes, 0, Math.min(left, bytes.length));
			if (count < 0) {
				throw new EOFException("The stream ended within a frame");
			}
			this.log.append(channel, bytes, 0, count);
			this.received += count;
			left -= count;
			this.heard = System.nanoTime();
		}
	}

	/**
	 * Counts the output that the worker has discarded.
	 * @param total the number of bytes so far
	 * @param storageFailed whether some of them could not be stored
	 */
	private void discarded(long total, boolean storageFailed) {
		this.log.skip(Math.max(0, total - this.skipped), storageFailed);
		this.skipped = Math.max(total, this.skipped);
	}

	/**
	 * Breaks the connection of the output, so that the reading thread looks at the lease.
	 */
	void interruptReading() {
		Closeable stream = this.reading;
		if (stream != null) {
			try {
				stream.close();
			}
			catch (IOException ex) {
				// it is broken already
				return;
			}
		}
	}

	/**
	 * Breaks the connection of the output if nothing has been received for long.
	 */
	void interruptSilentReading() {
		if (System.nanoTime() - this.heard > SILENCE_NANOS) {
			interruptReading();
		}
	}

	@Override
	public int settle() {
		EndMessage last = this.end;
		return (last != null) ? last.leftoverProcesses() : 0;
	}

	@Override
	public void kill() {
		try {
			Worker.repeat(PATIENCE, () -> this.worker.call("POST", this.path + "/cancel", new byte[0], TIMEOUT));
			this.done.await(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (IOException | WorkerRefusedException ex) {
			// the worker ends it with the lease, or has done so
			return;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void release() {
		this.lease.forget(this);
		if (this.input != null) {
			this.input.abandon();
		}
		this.lease.close(this.number);
		this.onRelease.run();
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.input;
	}

	@Override
	public @Nullable Path workingDirectory() {
		EndMessage last = this.end;
		String directory = (last != null) ? last.workingDirectory() : null;
		return (directory != null) ? this.toLocal.apply(directory) : null;
	}

	@Override
	public boolean endedOutside() {
		EndMessage last = this.end;
		return last != null && last.endedOutside();
	}

	@Override
	public @Nullable Duration cpuTime() {
		EndMessage last = this.end;
		return (last != null && last.cpuNanos() != null) ? Duration.ofNanos(Math.max(0, last.cpuNanos())) : null;
	}

}
