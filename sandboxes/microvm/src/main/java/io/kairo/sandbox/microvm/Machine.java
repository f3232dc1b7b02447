package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.sandbox.support.proxy.ProxyTunnels;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * A virtual machine: the processes on the host, and the conversation with the agent
 * inside. A machine that breaks the rules of that conversation is ended, and its commands
 * are lost. Safe for use by several threads.
 */
final class Machine {

	/** The version of the conversation. */
	static final int VERSION = 3;

	private static final Logger logger = System.getLogger(Machine.class.getName());

	private static final long END_MILLIS = 2000;

	private static final long COUNT_SECONDS = 10;

	private final Process emulator;

	private final List<Process> processes;

	private final ConsoleTail console;

	private final FrameQueue queue = new FrameQueue(() -> endLater("it does not read"));

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private final List<Thread> threads = new ArrayList<>();

	private final CountDownLatch gone = new CountDownLatch(1);

	private final AtomicBoolean ending = new AtomicBoolean();

	private final GuestConnections connections = new GuestConnections(this::send);

	private final Map<Integer, GuestCommand> commands = new HashMap<>();

	private final List<Runnable> whenGone = new ArrayList<>();

	private final Map<Integer, CompletableFuture<Integer>> counts = new HashMap<>();

	private int lastId;

	private boolean lost;

	private boolean retired;

	private volatile @Nullable ServedMounts mounts;

	private volatile @Nullable String verdict;

	private volatile boolean late;

	/**
	 * Creates the value and starts to listen to the agent.
	 * @param emulator the process of the emulator; its streams lead to the agent
	 * @param processes all processes of the machine
	 * @param console the console of the machine
	 * @param readers the threads that read the other output of the processes; they end
	 * when the processes have ended
	 */
	Machine(Process emulator, List<Process> processes, ConsoleTail console, List<Thread> readers) {
		this.emulator = emulator;
		this.processes = List.copyOf(processes);
		this.console = console;
		this.threads.addAll(readers);
		this.threads.add(DaemonThreads.start("kairo-machine-out", this::listen));
		DaemonThreads.start("kairo-machine-in", () -> this.queue.writeTo(emulator.getOutputStream()));
	}

	/**
	 * Waits until the agent is ready.
	 * @return false if the machine has ended, or was not ready in time
	 */
	boolean awaitReady(Duration timeout) throws InterruptedException {
		try {
			this.ready.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return true;
		}
		catch (ExecutionException ex) {
			return false;
		}
		catch (TimeoutException ex) {
			this.verdict = "it was not ready within " + timeout.toMillis() + " ms";
			this.late = true;
			return false;
		}
	}

	/**
	 * Returns whether the machine was not ready in time, as far as it is known.
	 */
	boolean isLate() {
		return this.late;
	}

	/**
	 * Returns an unused number for a command.
	 */
	synchronized int nextId() {
		return ++this.lastId;
	}

	/**
	 * Starts a command. From now on, messages about it are passed to it.
	 * @param payload the start message for the agent
	 * @return false if nothing was sent, since the machine has ended
	 */
	boolean start(GuestCommand command, byte[] payload) {
		synchronized (this) {
			if (this.lost) {
				return false;
			}
			this.commands.put(command.id(), command);
		}
		send(new Frame('S', command.id(), payload));
		send(Frame.of('C', command.id(), GuestCommand.WINDOW));
		return true;
	}

	/**
	 * Returns the connections of commands to the proxy.
	 */
	GuestConnections connections() {
		return this.connections;
	}

	/**
	 * Sends a frame to the agent, unless the machine has ended.
	 */
	void send(Frame frame) {
		this.queue.add(frame);
	}

	/**
	 * Counts the live processes of all commands that have an argument.
	 * @return their number; 0 if the machine has ended or does not answer
	 */
	int countProcesses(String argument) {
		CompletableFuture<Integer> count = new CompletableFuture<>();
		int id;
		synchronized (this) {
			if (this.lost) {
				return 0;
			}
			id = ++this.lastId;
			this.counts.put(id, count);
		}
		send(new Frame('L', id, argument.getBytes(StandardCharsets.UTF_8)));
		try {
			return count.get(COUNT_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 0;
		}
		catch (ExecutionException | TimeoutException ex) {
			return 0;
		}
	}

	/**
	 * Sets the mounts that the file server has to have as long as the machine is used.
	 */
	void require(ServedMounts mounts) {
		this.mounts = mounts;
		whenGone(() -> {
			try {
				mounts.close();
			}
			catch (IOException ex) {
				logger.log(Level.TRACE, "A mount table could not be closed", ex);
			}
		});
	}

	/**
	 * Returns whether the machine can run commands: not if something that it shows was
	 * removed on the host, even if something else is in its place now.
	 */
	boolean usable() {
		synchronized (this) {
			if (this.lost || this.retired) {
				return false;
			}
		}
		ServedMounts required = this.mounts;
		return required == null || required.areComplete();
	}

	/**
	 * Makes the machine unusable for further commands.
	 */
	synchronized void retire() {
		this.retired = true;
	}

	/**
	 * Runs a task as soon as no process of the machine is left.
	 */
	void whenGone(Runnable task) {
		synchronized (this) {
			if (this.gone.getCount() > 0) {
				this.whenGone.add(task);
				return;
			}
		}
		task.run();
	}

	/**
	 * Returns why the machine has ended, as far as that is known. It is not trusted.
	 */
	String lastWords() {
		String known = this.verdict;
		String text = this.console.text();
		return ((known != null) ? known : "unexpectedly") + (text.isEmpty() ? "" : ", after \"" + text + "\"");
	}

	/**
	 * Ends the machine with all commands, and waits up to two seconds for the end of its
	 * processes.
	 * @param reason the reason for the log
	 */
	void end(String reason) {
		retire();
		if (this.ending.compareAndSet(false, true)) {
			if (this.verdict == null) {
				this.verdict = reason;
			}
			this.queue.close();
			// Process.destroyForcibly() would close the streams, and lose the last words
			this.processes.forEach((process) -> process.toHandle().destroyForcibly());
			DaemonThreads.startOrRun("kairo-machine-end", this::awaitEnd);
		}
		try {
			this.gone.await(END_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void endLater(String reason) {
		logger.log(Level.WARNING, "A virtual machine is ended: " + reason);
		DaemonThreads.startOrRun("kairo-machine-end", () -> end(reason));
	}

	/**
	 * Waits until the last process has closed its output, as the processes on this side
	 * only confine the others.
	 */
	private void awaitEnd() {
		try {
			for (Thread thread : this.threads) {
				if (thread != Thread.currentThread()) {
					thread.join();
				}
			}
			for (Process process : this.processes) {
				process.waitFor();
				process.destroy(); // closes the streams that nobody has read
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		List<Runnable> tasks;
		synchronized (this) {
			this.gone.countDown();
			tasks = List.copyOf(this.whenGone);
		}
		for (Runnable task : tasks) {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "Not all resources of a virtual machine could be released", ex);
			}
		}
	}

	private void listen() {
		try (InputStream stream = this.emulator.getInputStream()) {
			for (Frame frame = Frame.read(stream); frame != null; frame = Frame.read(stream)) {
				receive(frame);
			}
		}
		catch (GuestProtocolException ex) {
			this.verdict = ex.getMessage();
			logger.log(Level.WARNING, "A virtual machine is ended: " + ex.getMessage());
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A virtual machine has ended", ex);
		}
		finally {
			lose();
		}
	}

	private void receive(Frame frame) throws GuestProtocolException {
		if (!this.ready.isDone()) {
			if (frame.kind() != 'H') {
				throw new GuestProtocolException("'" + frame.kind() + "' before it was ready");
			}
			int version = frame.number(Integer.MAX_VALUE);
			if (version != VERSION) {
				throw new GuestProtocolException("version " + version + " of the agent, where " + VERSION
						+ " is needed: make the initial RAM disk again");
			}
			this.ready.complete(null);
			return;
		}
		switch (frame.kind()) {
			case 'c' -> {
				ProxyTunnels tunnels = command(frame.number(Integer.MAX_VALUE), frame).tunnels();
				if (tunnels == null) {
					throw new GuestProtocolException("a connection of a command without a network");
				}
				this.connections.open(frame, tunnels);
			}
			case 'L' -> {
				CompletableFuture<Integer> count;
				synchronized (this) {
					count = this.counts.remove(frame.id());
				}
				if (count == null) {
					throw new GuestProtocolException("an answer to no question");
				}
				count.complete(frame.number(Integer.MAX_VALUE));
			}
			case 'd', 'g', 'f', 'q' -> this.connections.receive(frame);
			default -> receive(frame, command(frame.id(), frame));
		}
	}

	private synchronized GuestCommand command(int id, Frame frame) throws GuestProtocolException {
		GuestCommand command = this.commands.get(id);
		if (command == null) {
			throw new GuestProtocolException("'" + frame.kind() + "' for a command that does not exist");
		}
		return command;
	}

	private void receive(Frame frame, GuestCommand command) throws GuestProtocolException {
		if (command.receive(frame)) {
			synchronized (this) {
				this.commands.remove(frame.id());
			}
			ProxyTunnels tunnels = command.tunnels();
			if (tunnels != null) {
				this.connections.forget(tunnels);
			}
		}
	}

	private void lose() {
		List<GuestCommand> running;
		List<CompletableFuture<Integer>> asked;
		synchronized (this) {
			this.lost = true;
			running = List.copyOf(this.commands.values());
			this.commands.clear();
			asked = List.copyOf(this.counts.values());
			this.counts.clear();
		}
		this.ready.completeExceptionally(new IOException("The virtual machine has ended"));
		asked.forEach((count) -> count.complete(0));
		running.forEach(GuestCommand::lost);
		DaemonThreads.startOrRun("kairo-machine-end", () -> end("it has ended"));
	}

}
