package io.kairo.sandbox.docker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

import io.kairo.sandbox.backend.LaunchedCommand;
import io.kairo.sandbox.backend.LaunchedInput;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * A command in a container that runs nothing else at the same time. The launcher ends all
 * of its processes; if it does not answer, the whole container is ended.
 */
final class ContainerCommand extends LaunchedCommand {

	private static final int MOST_INPUT_BYTES = 32 * 1024;

	private static final long START_SECONDS = 20;

	private static final long KILL_MILLIS = 400;

	private static final long DISCARD_MILLIS = 900;

	private final Container container;

	private final OutputLog log;

	private final Duration killGrace;

	private final LaunchedInput input;

	/**
	 * Creates the command.
	 * @param tunnels the connections to the proxy, null if there is none
	 * @param stdin whether the command can receive input
	 * @param release releases the container and its mounts; called when no process of the
	 * command is left
	 */
	ContainerCommand(Container container, @Nullable ProxyTunnels tunnels, OutputLog log, Roots roots, boolean stdin,
			Duration killGrace, Runnable release) {
		this(container, tunnels, log, roots, stdin, killGrace, release,
				new LaunchedInput(MOST_INPUT_BYTES, MOST_INPUT_BYTES, false,
						(data) -> container.send((data != null) ? 'I' : 'E', (data != null) ? data : new byte[0])));
	}

	private ContainerCommand(Container container, @Nullable ProxyTunnels tunnels, OutputLog log, Roots roots,
			boolean stdin, Duration killGrace, Runnable release, LaunchedInput input) {
		super(roots, tunnels, input, stdin, release);
		this.container = container;
		this.log = log;
		this.killGrace = killGrace;
		this.input = input;
	}

	/**
	 * Starts the command, and waits until it runs.
	 * @param payload the command for the launcher
	 * @return an empty string if it runs, else the reason why not; null if the container
	 * does not answer
	 */
	@Nullable String start(byte[] payload) {
		if (!this.container.assign(this)) {
			refuse("");
			return null;
		}
		if (!this.container.showsPlanned()) {
			refuse(ContainerLaunch.OTHER_MOUNTS);
			return ContainerLaunch.OTHER_MOUNTS;
		}
		this.container.send('R', payload);
		return awaitStart(START_SECONDS);
	}

	/**
	 * Takes an answer of the launcher.
	 */
	void receive(char letter, byte[] data, int offset, int length) {
		switch (letter) {
			case 'S' -> running();
			case 'N' -> refuse(new String(data, offset, length, StandardCharsets.UTF_8));
			case 'O' -> this.log.append(OutputChannel.STDOUT, data, offset, length);
			case 'E' -> this.log.append(OutputChannel.STDERR, data, offset, length);
			case 'A' -> this.input.taken(this.input.underWay());
			case 'B' -> this.input.end();
			case 'C', 'D', 'G', 'F', 'Q' -> {
				ProxyTunnels tunnels = tunnels();
				if (tunnels != null) {
					tunnels.receive(letter, data, offset, length);
				}
				else if (letter == 'C') {
					this.container.send('Q', Arrays.copyOfRange(data, offset, offset + length));
				}
			}
			case 'X' -> finish(parse(ByteBuffer.wrap(data, offset, length)));
			default -> throw new IllegalArgumentException("The launcher answered '" + letter + "'");
		}
	}

	/**
	 * Takes note that the container has ended.
	 */
	void lost() {
		finish(null);
	}

	@Override
	protected String loss() {
		return "The container of a command has ended, or the connection to it: " + this.container.complaints();
	}

	@Override
	public void kill() {
		this.container.send('K', Long.toString(this.killGrace.toMillis()).getBytes(StandardCharsets.US_ASCII));
		try {
			if (!awaitEnd(this.killGrace.toMillis() + KILL_MILLIS) || end() == null) {
				DaemonThreads.start("kairo-container-removal", this.container::discard).join(DISCARD_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	protected void abandon(Runnable release) {
		this.container.whenGone(release);
		DaemonThreads.start("kairo-container-removal", this.container::discard);
	}

	private static End parse(ByteBuffer payload) {
		int status = payload.getShort() & 0xffff;
		int leftovers = payload.getInt();
		Duration cpuTime = Duration.ofSeconds(Integer.toUnsignedLong(payload.getInt()))
			.plus(Integer.toUnsignedLong(payload.getInt()), ChronoUnit.MICROS);
		return new End(status, leftovers, cpuTime, Roots.reported(StandardCharsets.UTF_8.decode(payload).toString()));
	}

}
