package io.kairo.sandbox.docker;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * A command in a container, which runs nothing else at the same time. The launcher ends
 * all of its processes; if it does not answer, the whole container is ended.
 */
final class ContainerCommand implements RunningCommand {

	private static final long START_SECONDS = 20;

	private static final long KILL_MILLIS = 400;

	private static final long DISCARD_MILLIS = 900;

	private static final int SIGNAL_MASK = 0x7f;

	private static final int SIGNAL_OFFSET = 128;

	private final Container container;

	private final @Nullable ProxyTunnels tunnels;

	private final OutputLog log;

	private final Roots roots;

	private final Duration killGrace;

	private final Runnable release;

	private final CommandInput input;

	private final boolean stdin;

	private final CompletableFuture<String> started = new CompletableFuture<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile @Nullable End end;

	/** Whether the command was not run, and never will be. */
	private volatile boolean refused;

	/**
	 * Creates the command.
	 * @param tunnels the connections to the proxy, null if there is none
	 * @param stdin whether the command can receive input
	 * @param release releases the container and its mounts; called when no process of the
	 * command is left
	 */
	ContainerCommand(Container container, @Nullable ProxyTunnels tunnels, OutputLog log, Roots roots, boolean stdin,
			Duration killGrace, Runnable release) {
		this.container = container;
		this.tunnels = tunnels;
		this.log = log;
		this.roots = roots;
		this.stdin = stdin;
		this.killGrace = killGrace;
		this.release = release;
		this.input = new CommandInput(container);
	}

	/**
	 * Starts the command, and waits until it runs.
	 * @param payload the command for the launcher
	 * @return an empty string if it runs, else the reason why not; null if the container
	 * does not answer
	 */
	@Nullable String start(byte[] payload) {
		if (!this.container.assign(this)) {
			this.refused = true;
			return null;
		}
		if (!this.container.showsPlanned()) {
			this.refused = true;
			return ContainerLaunch.OTHER_MOUNTS;
		}
		this.container.send('R', payload);
		try {
			return this.started.get(START_SECONDS, TimeUnit.SECONDS);
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
	 * Returns whether the command was certainly not run, and never will be.
	 */
	boolean refused() {
		return this.refused;
	}

	/**
	 * Takes an answer of the launcher.
	 */
	void receive(char letter, byte[] data, int offset, int length) {
		switch (letter) {
			case 'S' -> this.started.complete("");
			case 'N' -> {
				this.refused = true;
				this.started.complete(new String(data, offset, length, StandardCharsets.UTF_8));
			}
			case 'O' -> this.log.append(OutputChannel.STDOUT, data, offset, length);
			case 'E' -> this.log.append(OutputChannel.STDERR, data, offset, length);
			case 'A' -> this.input.accepted();
			case 'B' -> this.input.end();
			case 'C', 'D', 'G', 'F', 'Q' -> {
				if (this.tunnels != null) {
					this.tunnels.receive(letter, data, offset, length);
				}
			}
			case 'X' -> end(End.parse(ByteBuffer.wrap(data, offset, length)));
			default -> throw new IllegalArgumentException("The launcher answered '" + letter + "'");
		}
	}

	/**
	 * Takes note that the container has ended.
	 */
	void lost() {
		this.started.completeExceptionally(new IllegalStateException("The container has ended"));
		end(null);
	}

	private synchronized void end(@Nullable End end) {
		if (this.ended.getCount() == 0) {
			return;
		}
		this.end = end;
		this.input.end();
		this.ended.countDown();
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		this.ended.await();
		End known = this.end;
		if (known == null) {
			throw new IllegalStateException(
					"The container of a command has ended, or the connection to it: " + this.container.complaints());
		}
		int signal = known.status() & SIGNAL_MASK;
		return (signal != 0) ? CommandEnd.ofExitCode(SIGNAL_OFFSET + signal)
				: new CommandEnd(known.status() >> 8, null);
	}

	@Override
	public int settle() {
		End known = this.end;
		return (known != null) ? known.leftovers() : 0;
	}

	@Override
	public void kill() {
		this.container.send('K', Long.toString(this.killGrace.toMillis()).getBytes(StandardCharsets.US_ASCII));
		try {
			if (!this.ended.await(this.killGrace.toMillis() + KILL_MILLIS, TimeUnit.MILLISECONDS) || this.end == null) {
				DaemonThreads.start("kairo-container-removal", this.container::discard).join(DISCARD_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * If it is not known that the command has ended, its container is ended, and what
	 * keeps its processes from protected paths is released after that.
	 */
	@Override
	public void release() {
		this.input.close();
		if (this.tunnels != null) {
			this.tunnels.close();
		}
		if (this.end != null || this.refused) {
			this.release.run();
		}
		else {
			this.container.whenGone(this.release);
			DaemonThreads.start("kairo-container-removal", this.container::discard);
		}
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.stdin ? this.input : null;
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.roots.toHost(reported());
	}

	@Override
	public boolean endedOutside() {
		return this.roots.isOutside(reported());
	}

	@Override
	public @Nullable Duration cpuTime() {
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
	 * @param cpuTime the CPU time of the container while the command ran
	 * @param directory the last directory of the shell in the container, which is not
	 * trusted, or null
	 */
	private record End(int status, int leftovers, Duration cpuTime, @Nullable Path directory) {

		static End parse(ByteBuffer payload) {
			int status = payload.getShort() & 0xffff;
			int leftovers = payload.getInt();
			Duration cpuTime = Duration.ofSeconds(Integer.toUnsignedLong(payload.getInt()))
				.plus(Integer.toUnsignedLong(payload.getInt()), ChronoUnit.MICROS);
			return new End(status, leftovers, cpuTime,
					Roots.reported(StandardCharsets.UTF_8.decode(payload).toString()));
		}

	}

}
