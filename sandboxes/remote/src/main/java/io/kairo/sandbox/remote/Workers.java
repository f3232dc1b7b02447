package io.kairo.sandbox.remote;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.remote.WorkerState.Status;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a sandbox. A command is offered to one after another until it is
 * accepted, and to no other one once it may have been started. Safe for use by several
 * threads.
 */
final class Workers implements AutoCloseable {

	/**
	 * The codes of refusals before a worker starts anything; another one may accept the
	 * command.
	 */
	private static final Set<String> ELSEWHERE = Set.of(ErrorMessage.BUSY, ErrorMessage.LEASE_ENDED,
			SandboxErrorCode.TOO_MANY_EXECUTIONS.code(), SandboxErrorCode.BACKEND_UNAVAILABLE.code(),
			SandboxErrorCode.UNSUPPORTED_REQUEST.code());

	/** A file can be changed while it is copied. */
	private static final int MOST_COPIES = 3;

	private final RemoteSandboxOptions options;

	private final List<LeasedWorker> all;

	private final Deadlines probes = new Deadlines();

	private @Nullable HttpClient client;

	private volatile boolean closed;

	Workers(RemoteSandboxOptions options) {
		this.options = options;
		this.all = options.workers()
			.stream()
			.map((address) -> new LeasedWorker(new Worker(address, options.token(), this::client), this.probes))
			.toList();
	}

	private synchronized HttpClient client() throws IOException {
		HttpClient existing = this.client;
		if (existing == null) {
			if (this.closed) {
				throw new IOException("The sandbox is closed");
			}
			existing = Worker.newClient(this.options.ssl());
			this.client = existing;
		}
		return existing;
	}

	boolean isClosed() {
		return this.closed;
	}

	List<LeasedWorker> all() {
		return this.all;
	}

	/**
	 * Starts a command.
	 * @param copy the copy of its directories, null if all are shared
	 * @param toLocal returns the path of this machine for a path of a worker, or null
	 * @throws SandboxException if no worker accepted it, or one may have started it
	 */
	RemoteCommand start(SandboxRequest request, StartMessage message, @Nullable RemoteCopy copy, OutputLog log,
			Function<String, @Nullable Path> toLocal) {
		byte[] body = Messages.write(message);
		long deadline = System.nanoTime() + this.options.patience().toNanos();
		Set<LeasedWorker> refused = new HashSet<>();
		Set<LeasedWorker> silent = new HashSet<>();
		long pause = Worker.FIRST_PAUSE_MILLIS;
		WorkerRefusedException refusal = null;
		while (true) {
			if (this.closed) {
				throw new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed",
						"start commands before closing it");
			}
			LeasedWorker worker = select(request, (each) -> !refused.contains(each) && !silent.contains(each));
			boolean started = false;
			Exception failure;
			worker.take();
			try {
				Started command = start(worker, body, copy);
				RemoteCommand running = new RemoteCommand(worker.worker(), command.lease(), command.number(),
						message.stdin(), log, toLocal, worker::release);
				started = true;
				return running;
			}
			catch (WorkerRefusedException ex) {
				if (!ELSEWHERE.contains(ex.error().code())) {
					throw exception(ex);
				}
				failure = ex;
				if (ex.error().code().equals(ErrorMessage.LEASE_ENDED)) {
					// the next attempt has another one
					silent.add(worker);
				}
				else {
					refusal = ex;
					refused.add(worker);
				}
			}
			catch (IOException | IllegalArgumentException ex) {
				failure = ex;
				worker.missed(ex);
				silent.add(worker);
			}
			finally {
				if (!started) {
					worker.release();
				}
			}
			if (refused.size() + silent.size() < this.all.size()) {
				continue;
			}
			if (refusal != null) {
				throw exception(refusal);
			}
			if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
				throw unavailable(failure);
			}
			pause(pause);
			pause = Math.min(2 * pause, Worker.LONGEST_PAUSE_MILLIS);
			silent.clear();
		}
	}

	private void pause(long millis) {
		try {
			Worker.pause(millis);
		}
		catch (IOException ex) {
			throw unavailable(ex);
		}
	}

	/**
	 * Selects one of the workers that accept commands or, if there is none, one that may
	 * do so all the same.
	 */
	private LeasedWorker select(SandboxRequest request, Predicate<LeasedWorker> candidate) {
		List<LeasedWorker> candidates = new ArrayList<>();
		List<WorkerState> states = new ArrayList<>();
		List<Predicate<WorkerState>> preferences = List.of((state) -> state.status() == Status.UP && state.load() < 1,
				(state) -> state.status() == Status.UP, (state) -> true);
		for (Predicate<WorkerState> preferred : preferences) {
			for (LeasedWorker worker : this.all) {
				WorkerState state = worker.state();
				if (candidate.test(worker) && preferred.test(state)) {
					candidates.add(worker);
					states.add(state);
				}
			}
			if (!candidates.isEmpty()) {
				break;
			}
		}
		WorkerState selected = this.options.selector().select(request, List.copyOf(states));
		int index = states.indexOf(selected);
		if (index < 0) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The WorkerSelector selected " + selected + ", which is none of the workers it was given",
					"let it return one of them");
		}
		return candidates.get(index);
	}

	/**
	 * Sends the copy of a command to a worker, if there is one, and lets it start the
	 * command.
	 * @return the number of the command
	 * @throws WorkerRefusedException if it was not started
	 * @throws IOException if it was not started, since the worker does not answer
	 * @throws SandboxException if it may have been started
	 */
	private Started start(LeasedWorker worker, byte[] body, @Nullable RemoteCopy copy)
			throws IOException, WorkerRefusedException {
		WorkerLease lease = worker.lease();
		if (copy == null) {
			return start(worker, lease, lease.nextNumber(), body);
		}
		for (int attempt = 1;; attempt++) {
			long number = lease.nextNumber();
			boolean started = false;
			try {
				copy.send(worker.worker(), lease, number, this.options.patience());
				Started command = start(worker, lease, number, body);
				started = true;
				return command;
			}
			catch (CopyTransfer.ChangedException ex) {
				if (attempt == MOST_COPIES) {
					throw RemoteCopy.failed(ex);
				}
			}
			catch (WorkerRefusedException ex) {
				if (ex.error().code().equals(ErrorMessage.LEASE_ENDED)) {
					lease.end();
				}
				throw ex;
			}
			finally {
				if (!started) {
					lease.close(number);
				}
			}
		}
	}

	private Started start(LeasedWorker worker, WorkerLease lease, long number, byte[] body)
			throws IOException, WorkerRefusedException {
		long deadline = System.nanoTime() + this.options.patience().toNanos();
		boolean[] sent = new boolean[1];
		try {
			Worker.repeat(() -> !sent[0] || lease.isEnded() || System.nanoTime() > deadline, () -> {
				try {
					return worker.worker().call("PUT", lease.path(number), body, Worker.TIMEOUT);
				}
				catch (IOException ex) {
					sent[0] |= !Worker.isUnsent(ex);
					throw ex;
				}
			});
			return new Started(lease, number);
		}
		catch (WorkerRefusedException ex) {
			if (ex.error().code().equals(ErrorMessage.LEASE_ENDED)) {
				lease.end();
				if (sent[0]) {
					throw uncertain(ex);
				}
			}
			throw ex;
		}
		catch (IOException ex) {
			if (sent[0]) {
				lease.close(number);
				throw uncertain(ex);
			}
			throw ex;
		}
	}

	private static SandboxException uncertain(Exception cause) {
		return new SandboxException(SandboxErrorCode.START_FAILED,
				"The worker was started again, or lost sight of this machine, while it was asked to start a command",
				"the command may have run in part: find out before it is started again", cause);
	}

	private SandboxException unavailable(Exception cause) {
		boolean one = this.all.size() == 1;
		if (LeasedWorker.isRefusal(cause)) {
			return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
					"There is no secure connection to "
							+ (one ? "the worker " + this.options.workers().get(0)
									: "a worker, and none of " + this.options.workers() + " answers")
							+ ": " + cause.getMessage(),
					"correct the certificates of this machine or of the worker: their period, host, authority and key",
					cause);
		}
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				one ? "The worker " + this.options.workers().get(0) + " does not answer"
						: "None of the workers " + this.options.workers() + " answers",
				"check that " + (one ? "it runs" : "they run") + " and can be reached", cause);
	}

	private static SandboxException exception(WorkerRefusedException refused) {
		ErrorMessage error = refused.error();
		return new SandboxException(code(error.code()), error.problem(), error.remedy(), refused);
	}

	/**
	 * Returns the code of a refusal. A code that is not of a sandbox concerns this
	 * client.
	 */
	private static SandboxErrorCode code(String code) {
		return switch (code) {
			case ErrorMessage.UNAUTHORIZED -> SandboxErrorCode.BACKEND_UNAVAILABLE;
			case ErrorMessage.FORBIDDEN -> SandboxErrorCode.UNSUPPORTED_REQUEST;
			case ErrorMessage.BUSY -> SandboxErrorCode.TOO_MANY_EXECUTIONS;
			default -> Arrays.stream(SandboxErrorCode.values())
				.filter((each) -> each.name().toLowerCase(Locale.ROOT).equals(code))
				.findFirst()
				.orElse(SandboxErrorCode.START_FAILED);
		};
	}

	/**
	 * Ends the leases with all of their commands.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.probes.close();
		this.all.parallelStream().forEach(LeasedWorker::close);
		HttpClient last;
		synchronized (this) {
			last = this.client;
			this.client = null;
		}
		// before Java 21, its thread ends when it is garbage
		if (last instanceof AutoCloseable closeable) {
			DaemonThreads.startOrRun("kairo-remote-close", () -> close(closeable));
		}
	}

	private static void close(AutoCloseable client) {
		try {
			client.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A command that a worker has started.
	 *
	 * @param lease the lease that it belongs to
	 * @param number its number
	 */
	private record Started(WorkerLease lease, long number) {

	}

}
