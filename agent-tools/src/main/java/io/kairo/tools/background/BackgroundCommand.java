package io.kairo.tools.background;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.transcript.CommandTranscript;
import io.kairo.sandbox.support.transcript.TranscriptPage;
import io.kairo.workspace.local.repository.RepositoryGuard.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A command in the background of a session. Safe for use by several threads.
 */
public final class BackgroundCommand {

	private final AtomicLong cursor = new AtomicLong();

	private final AtomicBoolean reported = new AtomicBoolean();

	private final CompletableFuture<SandboxExit> exit = new CompletableFuture<>();

	private final String id;

	private final String title;

	private final SandboxHandle handle;

	private final CommandTranscript transcript;

	private final long started = System.nanoTime();

	private volatile long ended;

	private volatile boolean forgotten;

	private final Watch repositories;

	/** The directory of its workspace. */
	private final Path directory;

	private volatile List<String> removed = List.of();

	private volatile boolean given;

	/** The input that is being written; guarded by this. */
	private CompletableFuture<@Nullable Void> input = CompletableFuture.completedFuture(null);

	BackgroundCommand(String id, String title, SandboxHandle handle, SandboxRequest request, Watch repositories) {
		this.id = id;
		this.repositories = repositories;
		this.title = title;
		this.handle = handle;
		this.directory = request.workspaceRoot();
		this.transcript = new CommandTranscript(handle, request);
	}

	/**
	 * Waits for the end of the command on the thread that reports it.
	 * @param action an action that runs before the end is visible
	 */
	void watch(Runnable action) {
		this.handle.exit().doOnNext((value) -> {
			this.removed = this.repositories.end(!SandboxExit.LOST.equals(value.signal()));
		}).doOnTerminate(() -> {
			this.repositories.end(false);
			this.ended = System.nanoTime();
			action.run();
		})
			.subscribe(this.exit::complete, this.exit::completeExceptionally, () -> this.exit.completeExceptionally(
					new IllegalStateException("The sandbox did not report the exit of the command")));
	}

	/**
	 * Returns the id.
	 * @return a random id
	 */
	public String id() {
		return this.id;
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Returns the command as it is listed.
	 * @return one line or more
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Returns the handle of the command.
	 * @return the handle, not to be closed
	 */
	public SandboxHandle handle() {
		return this.handle;
	}

	/**
	 * Returns the end of the command.
	 * @return the exit, null while the command is running
	 */
	public @Nullable SandboxExit exit() {
		return (this.exit.isDone() && !this.exit.isCompletedExceptionally()) ? this.exit.getNow(null) : null;
	}

	/**
	 * Returns the names of the files removed from repositories after the command.
	 * @return the names, none while the command is running
	 */
	public List<String> removed() {
		return this.removed;
	}

	/**
	 * Returns the time from the start to the end, or to now.
	 * @return the duration
	 */
	public Duration duration() {
		return Duration.ofNanos((this.exit.isDone() ? this.ended : System.nanoTime()) - this.started);
	}

	/**
	 * Returns the position of the output that no call has returned.
	 * @return the position for {@link #read}
	 */
	public long cursor() {
		return this.cursor.get();
	}

	/**
	 * Marks output as returned.
	 * @param position the position behind it
	 */
	public void returned(long position) {
		this.cursor.accumulateAndGet(position, Math::max);
	}

	/**
	 * Marks the end of the command as reported.
	 * @return whether it was reported before
	 */
	public boolean reportEnd() {
		return this.reported.getAndSet(true);
	}

	/**
	 * Reads the available output.
	 * @param position the position to start from
	 * @param maxBytes the maximum number of bytes
	 * @return the page
	 * @throws InterruptedException if the thread is interrupted
	 */
	public TranscriptPage read(long position, int maxBytes) throws InterruptedException {
		return this.transcript.read(position, maxBytes);
	}

	/**
	 * Waits for output, or for its end.
	 * @param position the position of the output
	 * @param timeout the maximum time to wait
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void awaitOutput(long position, Duration timeout) throws InterruptedException {
		this.transcript.awaitOutput(position, timeout);
	}

	/**
	 * Waits for the end of the command.
	 * @param timeout the maximum time to wait
	 * @return the exit; empty after the timeout
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<SandboxExit> awaitExit(Duration timeout) throws InterruptedException {
		try {
			return Optional.of(this.exit.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return Optional.empty();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The exit of the command is not known", ex.getCause());
		}
	}

	/**
	 * Returns whether input has been written, or the end of the input.
	 * @return whether {@link #write} has been called
	 */
	public boolean hasInput() {
		return this.given;
	}

	/**
	 * Writes input on a thread of its own, since the command decides when it reads.
	 * @param data the input
	 * @param last whether the input ends with it
	 * @param patience the maximum time to wait for the command to take the input
	 * @return false if earlier input has not been taken yet, so that this one was not
	 * written
	 * @throws TimeoutException if the command has not taken the input yet
	 * @throws IOException if the command takes no input any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean write(byte[] data, boolean last, Duration patience)
			throws TimeoutException, IOException, InterruptedException {
		CompletableFuture<@Nullable Void> written = new CompletableFuture<>();
		synchronized (this) {
			if (!this.input.isDone()) {
				return false;
			}
			this.input = written;
			this.given = true;
		}
		Thread writer = new Thread(() -> write(data, last, written), "kairo-input-" + this.id);
		writer.setDaemon(true);
		try {
			writer.start();
		}
		catch (OutOfMemoryError ex) {
			written.completeExceptionally(ex);
			throw ex;
		}
		try {
			written.get(patience.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (ExecutionException ex) {
			throw new IOException("The command takes no input any more", ex.getCause());
		}
	}

	private void write(byte[] data, boolean last, CompletableFuture<@Nullable Void> written) {
		try {
			if (data.length > 0) {
				this.handle.stdin().write(data);
				this.handle.stdin().flush();
			}
			if (last) {
				this.handle.stdin().close();
			}
			written.complete(null);
		}
		catch (IOException | RuntimeException ex) {
			written.completeExceptionally(ex);
		}
	}

	/**
	 * Ends the command and all processes that it started, without waiting for the end.
	 */
	public void cancel() {
		this.handle.cancel();
	}

	void awaitQuietly(Duration timeout) {
		try {
			this.exit.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			// the sandbox logs the processes that it cannot end
		}
	}

	boolean isForgotten() {
		return this.forgotten;
	}

	/**
	 * Releases the output of a command that has ended.
	 */
	void forget() {
		this.forgotten = true;
		close();
	}

	void close() {
		this.transcript.close();
		this.handle.close();
	}

}
