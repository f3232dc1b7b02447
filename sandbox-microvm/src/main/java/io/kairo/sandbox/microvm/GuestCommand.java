package io.kairo.sandbox.microvm;

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

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * A command in a machine. Everything that the machine says about it is checked: what
 * cannot be true ends the machine.
 */
final class GuestCommand implements RunningCommand {

	/** Maximum output under way, in bytes. */
	static final int WINDOW = 256 * 1024;

	private static final int SIGTERM = 15;

	private static final int SIGKILL = 9;

	private static final long START_SECONDS = 30;

	private static final long KILL_MILLIS = 1200;

	/** Time after which a machine that does not end a command is ended, in seconds. */
	private static final long STUBBORN_SECONDS = 8;

	private static final int SIGNAL_MASK = 0x7f;

	private static final int MOST_SIGNAL = 64;

	private static final int SIGNAL_OFFSET = 128;

	private final int id;

	private final Machine machine;

	private final @Nullable ProxyTunnels tunnels;

	private final OutputLog log;

	private final Roots roots;

	private final CommandLimits limits;

	private final Duration killGrace;

	private final Runnable release;

	private final boolean stdin;

	private final GuestInput input;

	private final CompletableFuture<String> started = new CompletableFuture<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private int toAllow;

	private volatile @Nullable End end;

	/** Whether the machine said that the command does not run. */
	private volatile boolean refused;

	/**
	 * Creates the command.
	 * @param tunnels the connections to the proxy, null if there is none; closed with the
	 * command
	 * @param stdin whether the command can receive input
	 * @param limits the limits of the command
	 * @param release called once no process of the command is left
	 */
	GuestCommand(int id, Machine machine, @Nullable ProxyTunnels tunnels, OutputLog log, Roots roots, boolean stdin,
			CommandLimits limits, Duration killGrace, Runnable release) {
		this.id = id;
		this.machine = machine;
		this.tunnels = tunnels;
		this.log = log;
		this.roots = roots;
		this.stdin = stdin;
		this.limits = limits;
		this.killGrace = killGrace;
		this.release = release;
		this.input = new GuestInput(id, machine);
	}

	int id() {
		return this.id;
	}

	@Nullable ProxyTunnels tunnels() {
		return this.tunnels;
	}

	/**
	 * Waits until the command runs.
	 * @return an empty string if it runs, else the reason why not; null if the machine
	 * does not answer
	 */
	@Nullable String awaitStart() {
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
	 * Takes a message of the machine. Called by one thread.
	 * @return whether it is the last one
	 * @throws GuestProtocolException if it cannot be true
	 */
	boolean receive(Frame frame) throws GuestProtocolException {
		boolean running = "".equals(this.started.getNow(null));
		if (running == (frame.kind() == 'R' || frame.kind() == 'N')) {
			throw new GuestProtocolException(
					"'" + frame.kind() + "' for a command that " + (running ? "runs already" : "does not run"));
		}
		switch (frame.kind()) {
			case 'R' -> this.started.complete("");
			case 'N' -> {
				this.refused = true;
				this.started.complete(frame.text().isEmpty() ? "unknown" : frame.text());
				finish(null);
			}
			case 'O' -> append(OutputChannel.STDOUT, frame.payload());
			case 'W' -> append(OutputChannel.STDERR, frame.payload());
			case 'G' -> this.input.taken(frame);
			case 'B' -> this.input.end();
			case 'X' -> finish(End.parse(ByteBuffer.wrap(frame.payload())));
			default -> throw new GuestProtocolException("'" + frame.kind() + "' for a command");
		}
		return this.ended.getCount() == 0;
	}

	/**
	 * Appends output, and allows as much again. The agent of a machine that sends more
	 * than it may has to wait until it is read all the same.
	 */
	private void append(OutputChannel channel, byte[] data) {
		this.log.append(channel, data, 0, data.length);
		this.toAllow += data.length;
		if (this.toAllow >= WINDOW / 4) {
			this.machine.send(Frame.of('C', this.id, this.toAllow));
			this.toAllow = 0;
		}
	}

	/**
	 * Takes note that the machine has ended.
	 */
	void lost() {
		this.started.completeExceptionally(new IllegalStateException("The virtual machine has ended"));
		finish(null);
	}

	private void finish(@Nullable End end) {
		this.end = end;
		this.input.end();
		this.ended.countDown();
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		this.ended.await();
		End known = this.end;
		if (known == null) {
			throw new IllegalStateException("The virtual machine of a command has ended: " + this.machine.lastWords());
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
		if (known == null) {
			return 0;
		}
		remark(known.kills() > 0, SandboxCapability.MEMORY_LIMIT);
		remark(known.refusedForks() > 0, SandboxCapability.PIDS_LIMIT);
		return known.leftovers();
	}

	private void remark(boolean hit, SandboxCapability limit) {
		if (hit) {
			byte[] line = ("kairo: the command has hit its limit of " + this.limits.set().get(limit) + "\n")
				.getBytes(StandardCharsets.US_ASCII);
			this.log.append(OutputChannel.STDERR, line, 0, line.length);
		}
	}

	@Override
	public void kill() {
		try {
			if (!this.killGrace.isZero()) {
				this.machine.send(Frame.of('K', this.id, SIGTERM));
				if (this.ended.await(this.killGrace.toMillis(), TimeUnit.MILLISECONDS)) {
					return;
				}
			}
			this.machine.send(Frame.of('K', this.id, SIGKILL));
			this.ended.await(KILL_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * If it is not known that the command has ended, its machine is ended as well after
	 * some seconds, and what keeps its processes from protected paths is released after
	 * that.
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
			this.machine.retire();
			DaemonThreads.startOrRun("kairo-machine-end", this::releaseLater);
		}
	}

	private void releaseLater() {
		try {
			if (!this.ended.await(STUBBORN_SECONDS, TimeUnit.SECONDS)) {
				this.machine.end("a command could not be ended");
			}
		}
		catch (InterruptedException ex) {
			this.machine.end("interrupted");
		}
		if (this.end != null) {
			this.release.run();
		}
		else {
			this.machine.whenGone(this.release);
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
		return (known != null) ? Duration.of(known.cpuMicros(), ChronoUnit.MICROS) : null;
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
	 * @param kills number of processes that were killed for want of memory
	 * @param refusedForks number of processes that were not started because of the limit
	 * @param cpuMicros the CPU time of all processes, in microseconds
	 * @param directory the last directory of the shell, or null
	 */
	private record End(int status, int leftovers, int kills, int refusedForks, long cpuMicros,
			@Nullable Path directory) {

		private static final int MOST_LEFTOVERS = 1 << 22;

		/** About 290 years. */
		private static final long MOST_MICROS = Long.MAX_VALUE / 1000;

		static End parse(ByteBuffer payload) throws GuestProtocolException {
			int status = payload.getInt();
			int signal = status & SIGNAL_MASK;
			// a dump of memory sets another bit, and there are none
			boolean exited = signal == 0 && status == (status & 0xff00);
			if (!exited && (status != signal || signal > MOST_SIGNAL)) {
				throw new GuestProtocolException("the impossible status " + Integer.toHexString(status));
			}
			int leftovers = payload.getInt();
			if (leftovers < 0 || leftovers > MOST_LEFTOVERS) {
				throw new GuestProtocolException("the impossible number of processes " + leftovers);
			}
			int kills = payload.getInt();
			int refusedForks = payload.getInt();
			long cpuMicros = payload.getLong();
			if (cpuMicros < 0 || cpuMicros > MOST_MICROS) {
				throw new GuestProtocolException("the impossible CPU time " + cpuMicros);
			}
			String text = StandardCharsets.UTF_8.decode(payload).toString();
			return new End(status, leftovers, kills, refusedForks, cpuMicros,
					text.endsWith("\n") ? Roots.reported(text.substring(0, text.length() - 1)) : null);
		}

	}

}
