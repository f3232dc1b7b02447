package io.kairo.sandbox.support.transcript;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.support.output.OutputChannel;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Reads the output of a handle from the beginning, requesting one chunk at a time so that
 * at most two are held. For use by one thread at a time.
 */
final class ChunkReader {

	private static final int AHEAD = 2;

	private static final SandboxOutputChunk END = new SandboxOutputChunk.Stdout(new byte[0]);

	private final BlockingQueue<SandboxOutputChunk> chunks = new LinkedBlockingQueue<>();

	private final Source source = new Source();

	private final Map<OutputChannel, byte[]> last = new EnumMap<>(OutputChannel.class);

	private @Nullable SandboxOutputChunk current;

	private int offset;

	private long position;

	private boolean fresh = true;

	ChunkReader(SandboxHandle handle) {
		handle.output().subscribe(this.source);
	}

	/**
	 * Returns the number of bytes that were taken.
	 */
	long position() {
		return this.position;
	}

	/**
	 * Returns whether no output has arrived so far.
	 */
	boolean isFresh() {
		return this.fresh;
	}

	boolean isComplete() {
		return this.current == END;
	}

	/**
	 * Waits until output is available or has ended.
	 * @return false after the timeout
	 * @throws IllegalStateException if the output cannot be read
	 */
	boolean await(long nanos) throws InterruptedException {
		if (this.current == null) {
			this.current = this.chunks.poll(nanos, TimeUnit.NANOSECONDS);
			this.offset = 0;
			this.fresh = this.fresh && this.current == null;
		}
		RuntimeException failure = this.source.failure;
		if (this.current == END && failure != null) {
			throw new IllegalStateException("The output of the command cannot be read", failure);
		}
		return this.current != null;
	}

	/**
	 * Returns the stream of the available bytes.
	 */
	OutputChannel channel() {
		return (this.current instanceof SandboxOutputChunk.Stderr) ? OutputChannel.STDERR : OutputChannel.STDOUT;
	}

	/**
	 * Returns the number of available bytes.
	 */
	int available() {
		return (this.current != null) ? this.current.data().length - this.offset : 0;
	}

	/**
	 * Returns the number of available bytes up to and including a line terminator.
	 * @return {@link #available()} if there is no line terminator
	 */
	int lineLength() {
		byte[] data = (this.current != null) ? this.current.data() : new byte[0];
		for (int i = this.offset; i < data.length; i++) {
			if (data[i] == '\n') {
				return i + 1 - this.offset;
			}
		}
		return available();
	}

	/**
	 * Takes bytes of one stream.
	 * @param most maximum number of bytes
	 */
	byte[] take(int most) {
		int count = Math.min(most, available());
		if (this.current == null || count == 0) {
			return new byte[0];
		}
		OutputChannel channel = channel();
		byte[] taken = Arrays.copyOfRange(this.current.data(), this.offset, this.offset + count);
		this.last.put(channel, lastOf(before(channel), taken));
		this.offset += count;
		this.position += count;
		if (available() == 0) {
			this.current = null;
			this.source.request(1);
		}
		return taken;
	}

	/**
	 * Returns the last bytes taken from a stream, as many as an incomplete character can
	 * have.
	 */
	byte[] before(OutputChannel channel) {
		return this.last.getOrDefault(channel, new byte[0]);
	}

	void cancel() {
		this.source.cancel();
	}

	private static byte[] lastOf(byte[] before, byte[] taken) {
		byte[] all = Arrays.copyOf(before, before.length + taken.length);
		System.arraycopy(taken, 0, all, before.length, taken.length);
		return Arrays.copyOfRange(all, Math.max(0, all.length - Utf8Text.MOST_PENDING), all.length);
	}

	private final class Source extends BaseSubscriber<SandboxOutputChunk> {

		private volatile @Nullable RuntimeException failure;

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request(AHEAD);
		}

		@Override
		protected void hookOnNext(SandboxOutputChunk chunk) {
			if (chunk.data().length > 0) {
				ChunkReader.this.chunks.add(chunk);
			}
			else {
				request(1);
			}
		}

		@Override
		protected void hookOnComplete() {
			ChunkReader.this.chunks.add(END);
		}

		@Override
		protected void hookOnError(Throwable ex) {
			this.failure = new IllegalStateException(ex);
			ChunkReader.this.chunks.add(END);
		}

	}

}
