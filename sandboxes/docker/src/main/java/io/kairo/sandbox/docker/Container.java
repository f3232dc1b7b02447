package io.kairo.sandbox.docker;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * A running container and the connection to its launcher. The launcher runs one command
 * at a time. Safe for use by several threads.
 */
final class Container {

	private static final Logger logger = System.getLogger(Container.class.getName());

	private static final long FIRST_PAUSE_MILLIS = 50;

	private static final long LONGEST_PAUSE_MILLIS = 2000;

	private final String id;

	private final ContainerSpec spec;

	private final FrameInput input = new FrameInput();

	private final Output output = new Output();

	private final DockerEngine engine;

	private final MountProof proof;

	private final Duration lease;

	private final AtomicBoolean discarded = new AtomicBoolean();

	private final List<Runnable> whenGone = new ArrayList<>();

	private final Frames frames = new Frames();

	private final StringBuilder complaints = new StringBuilder();

	private volatile boolean boundedSockets;

	private volatile @Nullable Gofer gofer;

	private @Nullable ContainerCommand command;

	private @Nullable Closeable connection;

	private boolean lost;

	private boolean retired;

	private boolean gone;

	/**
	 * Creates the value.
	 * @param engine the engine that has created the container
	 * @param proof the proof that the mounts match the plan
	 * @param lease time until the launcher ends without a connection
	 */
	Container(String id, ContainerSpec spec, DockerEngine engine, MountProof proof, Duration lease) {
		this.id = id;
		this.spec = spec;
		this.engine = engine;
		this.proof = proof;
		this.lease = lease;
	}

	/**
	 * Connects to the container and starts it.
	 * @throws InterruptedException if the thread is interrupted
	 * @throws Gofer.UnprovenException if the mounts cannot be proved
	 */
	void start() throws InterruptedException, Gofer.UnprovenException {
		Closeable attached = this.engine.attach(this.id, this.input, this.output);
		synchronized (this) {
			this.connection = attached;
		}
		this.engine.start(this.id);
		this.gofer = (this.proof == MountProof.GOFER) ? Gofer.of(this.id) : null;
		Long memoryBytes = this.spec.limits().memoryBytes();
		// sockets of gVisor are in the memory of its own processes
		this.boundedSockets = memoryBytes != null
				&& (this.gofer != null || new SocketBuffers().limit(this.id, memoryBytes / SocketBuffers.SHARE));
	}

	/**
	 * Returns whether the memory of sockets is limited.
	 */
	boolean boundedSockets() {
		return this.boundedSockets;
	}

	/**
	 * Returns the processes of gVisor that run the container; null with another runtime.
	 */
	@Nullable Gofer gofer() {
		return this.gofer;
	}

	String id() {
		return this.id;
	}

	ContainerSpec spec() {
		return this.spec;
	}

	/**
	 * Returns the lines that the launcher has to compare with its mount table.
	 */
	List<String> lines() {
		return this.proof.inContainer(this.spec.lines());
	}

	/**
	 * Returns whether the mounts match the plan, as far as that is proved on the host.
	 */
	boolean showsPlanned() {
		Gofer known = this.gofer;
		return known == null || known.shows(this.proof.onHost(this.spec.lines()));
	}

	/**
	 * Assigns the launcher to a command. The answers of the launcher are passed to the
	 * command from now on.
	 * @return false if the connection is lost
	 */
	synchronized boolean assign(ContainerCommand command) {
		this.command = command;
		return !this.lost;
	}

	/**
	 * Sends a frame to the launcher.
	 */
	void send(char letter, byte[] data) {
		this.input.send(letter, data);
	}

	/**
	 * Copies back the changes of a command in the copies of its directories.
	 * @return the changes that were not copied back, each a line for the user
	 */
	List<String> copyBack(WorkspaceCopy copy) {
		return copy.fetch(this.engine, this.id);
	}

	/**
	 * Returns whether the container can run commands.
	 */
	synchronized boolean usable() {
		return !this.lost && !this.retired;
	}

	/**
	 * Makes the container unusable for further commands.
	 */
	synchronized void retire() {
		this.retired = true;
	}

	/**
	 * Runs a task as soon as no process of the container is left: when the engine has
	 * removed it, or its lease has ended.
	 */
	void whenGone(Runnable task) {
		synchronized (this) {
			if (!this.gone) {
				this.whenGone.add(task);
				return;
			}
		}
		task.run();
	}

	/**
	 * Returns the output of the container outside of commands, such as the reason why the
	 * launcher was not started.
	 */
	synchronized String complaints() {
		return this.complaints.toString().strip();
	}

	/**
	 * Ends the container and all of its processes. Blocks until the engine has done so,
	 * or cannot: it is then asked again on another thread, until the lease has ended.
	 */
	void discard() {
		if (!this.discarded.compareAndSet(false, true)) {
			return;
		}
		retire();
		this.input.close();
		boolean removed = remove(Level.WARNING);
		disconnect();
		if (removed) {
			markGone();
		}
		else {
			DaemonThreads.start("kairo-container-removal", this::removeAgain);
		}
	}

	private boolean remove(Level failure) {
		try {
			return this.engine.remove(this.id, true);
		}
		catch (RuntimeException ex) {
			logger.log(failure, "A container could not be removed; it ends by itself after at most the lease: "
					+ ContainerFactory.message(ex));
			logger.log(Level.DEBUG, "The removal of a container failed", ex);
			return false;
		}
	}

	/**
	 * The lease is awaited twice, since the last message may arrive late.
	 */
	private void removeAgain() {
		long deadline = System.nanoTime() + this.lease.multipliedBy(2).toNanos();
		long pause = FIRST_PAUSE_MILLIS;
		try {
			do {
				Thread.sleep(pause);
				pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
			}
			while (!remove(Level.DEBUG) && System.nanoTime() < deadline);
			markGone();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void markGone() {
		List<Runnable> tasks;
		synchronized (this) {
			this.gone = true;
			tasks = List.copyOf(this.whenGone);
		}
		for (Runnable task : tasks) {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "Not all resources of a container could be released", ex);
			}
		}
	}

	private void ended() {
		ContainerCommand running;
		synchronized (this) {
			this.lost = true;
			running = this.command;
		}
		this.input.close();
		if (running != null) {
			running.lost();
		}
	}

	private void disconnect() {
		Closeable attached;
		synchronized (this) {
			attached = this.connection;
			this.connection = null;
		}
		try {
			if (attached != null) {
				attached.close();
			}
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The connection to a container could not be closed", ex);
		}
	}

	private synchronized void complain(byte[] data) {
		if (this.complaints.length() < 2000) {
			this.complaints.append(new String(data, StandardCharsets.UTF_8));
		}
	}

	private synchronized @Nullable ContainerCommand command() {
		return this.command;
	}

	/**
	 * Passes on the output of the container.
	 */
	private final class Output extends ResultCallback.Adapter<Frame> {

		@Override
		public void onNext(Frame frame) {
			if (frame.getStreamType() == StreamType.STDOUT) {
				Container.this.frames.add(frame.getPayload());
			}
			else if (frame.getStreamType() == StreamType.STDERR) {
				complain(frame.getPayload());
			}
		}

		@Override
		public void onError(Throwable failure) {
			logger.log(Container.this.discarded.get() ? Level.TRACE : Level.DEBUG,
					"The connection to a container is lost", failure);
			super.onError(failure);
			ended();
		}

		@Override
		public void onComplete() {
			super.onComplete();
			ended();
		}

	}

	/**
	 * Puts together the frames of the launcher. The engine may have split them.
	 */
	private final class Frames {

		private static final int HEADER = 5;

		private byte[] rest = {};

		void add(byte[] data) {
			byte[] all = new byte[this.rest.length + data.length];
			System.arraycopy(this.rest, 0, all, 0, this.rest.length);
			System.arraycopy(data, 0, all, this.rest.length, data.length);
			int position = 0;
			while (all.length - position >= HEADER) {
				int length = ((all[position + 1] & 0xff) << 24) | ((all[position + 2] & 0xff) << 16)
						| ((all[position + 3] & 0xff) << 8) | (all[position + 4] & 0xff);
				if (all.length - position - HEADER < length) {
					break;
				}
				ContainerCommand receiver = command();
				if (receiver != null) {
					receiver.receive((char) all[position], all, position + HEADER, length);
				}
				position += HEADER + length;
			}
			this.rest = (position == 0) ? all : Arrays.copyOfRange(all, position, all.length);
		}

	}

}
