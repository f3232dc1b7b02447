package io.kairo.sandbox.backend;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * A command that a launcher runs elsewhere, such as in a container, and reports by
 * messages: that it runs or does not, and its end. Safe for use by several threads.
 */
public abstract class LaunchedCommand implements RunningCommand {

	private static final String NO_DIRECTORY = "directory: ";

	private static final int SIGNAL_MASK = 0x7f;

	private static final int SIGNAL_OFFSET = 128;

	private final Roots roots;

	private final @Nullable ProxyTunnels tunnels;

	private final @Nullable LaunchedInput stdin;

	private final LaunchedInput input;

	private final Runnable release;

	private final CompletableFuture<String> started = new CompletableFuture<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile @Nullable End end;

	private volatile boolean refused;

	/**
	 * Creates the command.
	 * @param roots its directories
	 * @param tunnels the connections to the proxy, null if there is none; closed with the
	 * command
	 * @param input its standard input
	 * @param stdin whether the command can receive input
	 * @param release releases what the command uses; called once no process of it is left
	 */
	protected LaunchedCommand(Roots roots, @Nullable ProxyTunnels tunnels, LaunchedInput input, boolean stdin,
			Runnable release) {
		this.roots = roots;
		this.tunnels = tunnels;
		this.input = input;
		this.stdin = stdin ? input : null;
		this.release = release;
	}

	/**
	 * Returns the connections to the proxy.
	 * @return the connections, or null if there is no proxy
	 */
	public final @Nullable ProxyTunnels tunnels() {
		return this.tunnels;
	}

	/**
	 * Returns whether the command was certainly not run, and never will be.
	 * @return whether the launcher has refused it
	 */
	public final boolean refused() {
		return this.refused;
	}

	/**
	 * Waits until the command runs.
	 * @param seconds the maximum time
	 * @return an empty string if it runs, else the reason why not; null if the launcher
	 * does not answer
	 */
	protected final @Nullable String awaitStart(long seconds) {
		try {
			return this.started.get(seconds, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (ExecutionException | TimeoutException ex) {
			return null;
		}
	}

	/**
	 * Returns the exception for a command that the launcher has refused.
	 * @param reason the reason; that the working directory cannot be entered, if it
	 * starts with {@code directory: }
	 * @param directory the working directory as the command would see it
	 * @param usual the usual reasons, in plural
	 * @return the exception
	 */
	public static SandboxException refusal(String reason, Path directory, String usual) {
		if (reason.startsWith(NO_DIRECTORY)) {
			return new SandboxException(SandboxErrorCode.SETUP_FAILED,
					"Commands cannot be run in " + directory + " (" + reason.substring(NO_DIRECTORY.length()) + ")",
					"the operator has to give the directory to the user of the commands (chown)");
		}
		return new SandboxException(SandboxErrorCode.START_FAILED, "The command could not be started: " + reason,
				"usual reasons are " + usual);
	}

	/**
	 * Takes note that the command runs.
	 */
	protected final void running() {
		this.started.complete("");
	}

	/**
	 * Returns whether the launcher has said that the command runs.
	 * @return whether it runs or has ended
	 */
	protected final boolean hasStarted() {
		return "".equals(this.started.getNow(null));
	}

	/**
	 * Takes note that the command does not run.
	 * @param reason the reason
	 */
	protected final void refuse(String reason) {
		this.refused = true;
		this.started.complete(reason);
	}

	/**
	 * Takes note of the end of the command, or that it is lost with its launcher. Only
	 * the first call counts.
	 * @param end the end, null if the command is lost
	 */
	protected final synchronized void finish(@Nullable End end) {
		if (this.ended.getCount() > 0) {
			this.started.completeExceptionally(new IllegalStateException("The launcher has ended"));
			this.end = end;
			this.input.end();
			this.ended.countDown();
		}
	}

	/**
	 * Waits for the end of the command.
	 * @param millis the maximum time
	 * @return whether it has ended or is lost
	 * @throws InterruptedException if the thread is interrupted
	 */
	protected final boolean awaitEnd(long millis) throws InterruptedException {
		return this.ended.await(millis, TimeUnit.MILLISECONDS);
	}

	/**
	 * Returns the end of the command.
	 * @return the end, or null if there is none or the command is lost
	 */
	protected final @Nullable End end() {
		return this.end;
	}

	/**
	 * Returns the reason for the loss of a command.
	 * @return one sentence without a period
	 */
	protected abstract String loss();

	/**
	 * Ends the launcher, since it is not known that the command has ended.
	 * @param release releases what the command uses; to be called after that
	 */
	protected abstract void abandon(Runnable release);

	@Override
	public final CommandEnd await() throws InterruptedException {
		this.ended.await();
		End known = this.end;
		if (known == null) {
			throw new IllegalStateException(loss());
		}
		int signal = known.status() & SIGNAL_MASK;
		return (signal == 0) ? new CommandEnd(known.status() >> 8, null)
				: new CommandEnd(SIGNAL_OFFSET + signal, name(signal));
	}

	private static String name(int signal) {
		String name = CommandEnd.ofExitCode(SIGNAL_OFFSET + signal).signal();
		return (name != null) ? name : "SIG" + signal;
	}

	@Override
	public int settle() {
		End known = this.end;
		return (known != null) ? known.leftovers() : 0;
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * If it is not known that the command has ended, its launcher is ended, and what
	 * keeps its processes from protected paths is released after that.
	 */
	@Override
	public final void release() {
		this.input.close();
		if (this.tunnels != null) {
			this.tunnels.close();
		}
		if (this.end != null || this.refused) {
			this.release.run();
		}
		else {
			abandon(this.release);
		}
	}

	@Override
	public final @Nullable OutputStream stdin() {
		return this.stdin;
	}

	@Override
	public final @Nullable Path workingDirectory() {
		return this.roots.toHost(reported());
	}

	@Override
	public final boolean endedOutside() {
		return this.roots.isOutside(reported());
	}

	@Override
	public final @Nullable Duration cpuTime() {
		End known = this.end;
		return (known != null) ? known.cpuTime() : null;
	}

	private @Nullable Path reported() {
		End known = this.end;
		return (known != null) ? known.directory() : null;
	}

	/**
	 * The end of a command.
	 *
	 * @param status the status as wait(2) returns it
	 * @param leftovers number of processes that the command left
	 * @param cpuTime the CPU time of all processes
	 * @param directory the last directory of the shell, as the shell sees it, not
	 * trusted; or null
	 */
	public record End(int status, int leftovers, Duration cpuTime, @Nullable Path directory) {

	}

}
