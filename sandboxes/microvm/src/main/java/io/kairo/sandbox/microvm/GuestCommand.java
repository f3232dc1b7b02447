package io.kairo.sandbox.microvm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.LaunchedCommand;
import io.kairo.sandbox.backend.LaunchedInput;
import io.kairo.sandbox.support.CommandLimits;
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
final class GuestCommand extends LaunchedCommand {

	/** Maximum output under way, in bytes. */
	static final int WINDOW = 256 * 1024;

	/** Maximum input that the agent holds for a command, in bytes. */
	static final int INPUT_WINDOW = 64 * 1024;

	private static final int SIGTERM = 15;

	private static final int SIGKILL = 9;

	private static final long START_SECONDS = 30;

	private static final long KILL_MILLIS = 1200;

	/** Time after which a machine that does not end a command is ended. */
	private static final long STUBBORN_MILLIS = 8000;

	private static final int SIGNAL_MASK = 0x7f;

	private static final int MOST_SIGNAL = 64;

	private static final int MOST_LEFTOVERS = 1 << 22;

	/** About 290 years. */
	private static final long MOST_MICROS = Long.MAX_VALUE / 1000;

	private final int id;

	private final Machine machine;

	private final OutputLog log;

	private final CommandLimits limits;

	private final Duration killGrace;

	private final LaunchedInput input;

	private int toAllow;

	/** The capabilities of the limits that the command has hit. */
	private volatile Set<SandboxCapability> hits = Set.of();

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
		this(id, machine, tunnels, log, roots, stdin, limits, killGrace, release,
				new LaunchedInput(INPUT_WINDOW, Frame.MOST_DATA, true,
						(data) -> machine.send((data != null) ? new Frame('I', id, data) : Frame.of('E', id))));
	}

	private GuestCommand(int id, Machine machine, @Nullable ProxyTunnels tunnels, OutputLog log, Roots roots,
			boolean stdin, CommandLimits limits, Duration killGrace, Runnable release, LaunchedInput input) {
		super(roots, tunnels, input, stdin, release);
		this.id = id;
		this.machine = machine;
		this.log = log;
		this.limits = limits;
		this.killGrace = killGrace;
		this.input = input;
	}

	int id() {
		return this.id;
	}

	/**
	 * Waits until the command runs.
	 * @return an empty string if it runs, else the reason why not; null if the machine
	 * does not answer
	 */
	@Nullable String awaitStart() {
		return awaitStart(START_SECONDS);
	}

	/**
	 * Takes a message of the machine. Called by one thread.
	 * @return whether it is the last one
	 * @throws GuestProtocolException if it cannot be true
	 */
	boolean receive(Frame frame) throws GuestProtocolException {
		if (hasStarted() == (frame.kind() == 'R' || frame.kind() == 'N')) {
			throw new GuestProtocolException(
					"'" + frame.kind() + "' for a command that " + (hasStarted() ? "runs already" : "does not run"));
		}
		switch (frame.kind()) {
			case 'R' -> running();
			case 'N' -> {
				refuse(frame.text().isEmpty() ? "unknown" : frame.text());
				finish(null);
			}
			case 'O' -> append(OutputChannel.STDOUT, frame.payload());
			case 'W' -> append(OutputChannel.STDERR, frame.payload());
			case 'G' -> this.input.taken(frame.number(this.input.underWay()));
			case 'B' -> this.input.end();
			case 'X' -> finish(parse(ByteBuffer.wrap(frame.payload())));
			default -> throw new GuestProtocolException("'" + frame.kind() + "' for a command");
		}
		return frame.kind() == 'N' || frame.kind() == 'X';
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
		finish(null);
	}

	@Override
	protected String loss() {
		return "The virtual machine of a command has ended: " + this.machine.lastWords();
	}

	@Override
	public int settle() {
		this.hits.stream().sorted().forEach((limit) -> {
			byte[] line = ("kairo: the command has hit its limit of " + this.limits.set().get(limit) + "\n")
				.getBytes(StandardCharsets.US_ASCII);
			this.log.append(OutputChannel.STDERR, line, 0, line.length);
		});
		return super.settle();
	}

	@Override
	public void kill() {
		try {
			if (!this.killGrace.isZero()) {
				this.machine.send(Frame.of('K', this.id, SIGTERM));
				if (awaitEnd(this.killGrace.toMillis())) {
					return;
				}
			}
			this.machine.send(Frame.of('K', this.id, SIGKILL));
			awaitEnd(KILL_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	protected void abandon(Runnable release) {
		this.machine.retire();
		DaemonThreads.startOrRun("kairo-machine-end", () -> {
			try {
				if (!awaitEnd(STUBBORN_MILLIS)) {
					this.machine.end("a command could not be ended");
				}
			}
			catch (InterruptedException ex) {
				this.machine.end("interrupted");
			}
			if (end() != null) {
				release.run();
			}
			else {
				this.machine.whenGone(release);
			}
		});
	}

	private End parse(ByteBuffer payload) throws GuestProtocolException {
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
		Set<SandboxCapability> hits = EnumSet.noneOf(SandboxCapability.class);
		if (payload.getInt() > 0) {
			hits.add(SandboxCapability.MEMORY_LIMIT);
		}
		if (payload.getInt() > 0) {
			hits.add(SandboxCapability.PIDS_LIMIT);
		}
		this.hits = hits;
		long cpuMicros = payload.getLong();
		if (cpuMicros < 0 || cpuMicros > MOST_MICROS) {
			throw new GuestProtocolException("the impossible CPU time " + cpuMicros);
		}
		String text = StandardCharsets.UTF_8.decode(payload).toString();
		return new End(status, leftovers, Duration.of(cpuMicros, ChronoUnit.MICROS),
				text.endsWith("\n") ? Roots.reported(text.substring(0, text.length() - 1)) : null);
	}

}
