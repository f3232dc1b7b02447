package io.kairo.governance.audit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.kairo.api.sandbox.ForwardingSandboxHandle;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxOutputChunk.Stderr;
import io.kairo.api.sandbox.SandboxOutputChunk.Stdout;
import io.kairo.governance.audit.AuditRecord.Command;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A command of a call. Safe for use by several threads.
 */
final class RecordedCommand {

	private final @Nullable String text;

	private final String digest;

	private final boolean tried;

	private final AtomicLong outputBytes = new AtomicLong();

	private @Nullable SandboxHandle handle;

	private @Nullable SandboxExit exit;

	private @Nullable String error;

	/** Receives the command if it ends after its call; guarded by this. */
	private @Nullable Consumer<Command> ended;

	/**
	 * Creates a command that has not been started.
	 * @param command the text of the command
	 * @param redaction removes secrets from the text, null to record no text
	 * @param tried whether it is run in a trial
	 */
	RecordedCommand(String command, @Nullable Redaction redaction, boolean tried) {
		this.tried = tried;
		this.text = (redaction != null) ? redaction.apply(command) : null;
		this.digest = "sha256:" + Sha256.hex(command, 32);
	}

	/**
	 * Records the start.
	 * @return the handle for the caller; its output is counted
	 */
	SandboxHandle started(SandboxHandle started) {
		synchronized (this) {
			this.handle = started;
		}
		started.exit().subscribe(this::exited);
		return new Counted(started);
	}

	synchronized void failed(String code) {
		this.error = code;
	}

	private void exited(SandboxExit end) {
		Consumer<Command> listener;
		synchronized (this) {
			this.exit = end;
			listener = this.ended;
			this.ended = null;
		}
		if (listener != null) {
			listener.accept(current());
		}
	}

	/**
	 * Returns the command at the end of its call.
	 * @param listener receives the command when it ends, unless it has ended
	 */
	synchronized Command callEnded(Consumer<Command> listener) {
		if (this.exit == null && this.handle != null) {
			// the caller may have heard of the exit first
			this.exit = this.handle.exit().toFuture().getNow(null);
		}
		if (this.exit == null && this.handle != null) {
			this.ended = listener;
		}
		return current();
	}

	private synchronized Command current() {
		long bytes = this.outputBytes.get();
		if (this.exit != null && this.handle != null) {
			bytes += this.handle.discardedBytes();
		}
		return new Command(this.text, this.digest,
				(this.exit != null && !SandboxExit.NOT_RUN.equals(this.exit.signal())) ? this.exit.exitCode() : null,
				(this.exit != null) ? this.exit.signal() : null, bytes, this.error, this.tried ? true : null);
	}

	/**
	 * Counts the output that its subscribers read: the maximum over all of them, since
	 * each receives the whole output.
	 */
	private final class Counted extends ForwardingSandboxHandle {

		Counted(SandboxHandle delegate) {
			super(delegate);
		}

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.defer(() -> {
				AtomicLong read = new AtomicLong();
				return delegate().output()
					.doOnNext((chunk) -> RecordedCommand.this.outputBytes.accumulateAndGet(read.addAndGet(size(chunk)),
							Math::max));
			});
		}

		private static long size(SandboxOutputChunk chunk) {
			if (chunk instanceof Stdout stdout) {
				return stdout.data().length;
			}
			return (chunk instanceof Stderr stderr) ? stderr.data().length : 0;
		}

	}

}
