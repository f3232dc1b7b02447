package io.kairo.sandbox.remote;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.SSLHandshakeException;

import io.kairo.sandbox.remote.WorkerState.Status;
import io.kairo.sandbox.remote.protocol.CapabilitiesMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * A worker with the lease of this machine, and its last known state. A worker that does
 * not answer is asked again from time to time by another thread, so that commands need
 * not wait for it. Safe for use by several threads.
 */
final class LeasedWorker implements AutoCloseable {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(6);

	private static final Duration QUESTION = Duration.ofSeconds(2);

	private static final Duration FIRST_PROBE = Duration.ofMillis(500);

	private static final int MOST_DOUBLINGS = 5;

	/** A worker may be started again with other settings within a lease. */
	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final int MOST_TENANTS = 1000;

	private final Worker worker;

	private final Deadlines probes;

	private final ReentrantLock leasing = new ReentrantLock();

	private final AtomicInteger commands = new AtomicInteger();

	/** The commands of this machine when the worker told how many it has. */
	private volatile int ownAtLatest;

	/** By the path of the request. */
	private final Map<String, Answer> capabilities = new ConcurrentHashMap<>();

	private volatile @Nullable WorkerLease lease;

	private final AtomicBoolean down = new AtomicBoolean();

	private volatile @Nullable Future<?> nextProbe;

	private volatile String problem = "";

	private volatile boolean refused;

	private volatile boolean closed;

	/**
	 * Creates the value.
	 * @param probes the time for asking again
	 */
	LeasedWorker(Worker worker, Deadlines probes) {
		this.worker = worker;
		this.probes = probes;
	}

	Worker worker() {
		return this.worker;
	}

	/**
	 * Returns the lease, after requesting one if there is none.
	 * @throws WorkerRefusedException if the worker refuses it
	 * @throws IOException if the worker does not answer
	 */
	WorkerLease lease() throws IOException, WorkerRefusedException {
		WorkerLease current = this.lease;
		if (current != null && !current.isEnded()) {
			return current;
		}
		try {
			if (!this.leasing.tryLock(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new IOException("The worker does not answer");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the worker did not answer");
		}
		try {
			current = this.lease;
			if (current == null || current.isEnded()) {
				current = WorkerLease.request(this.worker, this::answered);
				this.capabilities.clear();
				this.ownAtLatest = 0;
				this.lease = current;
				this.down.set(false);
			}
			if (this.closed) {
				current.close();
				throw new IOException("The sandbox is closed");
			}
			return current;
		}
		finally {
			this.leasing.unlock();
		}
	}

	/**
	 * Counts a command that is to start, until it is {@linkplain #release() released}.
	 */
	void take() {
		this.commands.incrementAndGet();
	}

	void release() {
		this.commands.decrementAndGet();
	}

	private void answered(@Nullable Exception failure) {
		if (failure == null) {
			this.ownAtLatest = this.commands.get();
			this.down.set(false);
		}
		else {
			missed(failure);
		}
	}

	/**
	 * Requests a lease if there is none, to know whether the worker accepts commands.
	 */
	void connect() {
		try {
			lease();
		}
		catch (IOException | WorkerRefusedException | IllegalArgumentException ex) {
			missed(ex);
		}
	}

	/**
	 * Notes that the worker does not answer. It is asked again later.
	 * @param failure the reason
	 */
	void missed(Exception failure) {
		String message = failure.getMessage();
		this.refused = isRefusal(failure);
		this.problem = (message != null) ? message
				: "it cannot be reached (" + failure.getClass().getSimpleName() + ")";
		if (this.down.compareAndSet(false, true)) {
			probeLater(0);
		}
	}

	/**
	 * Returns whether a failure is of the settings, of this machine or of the worker, so
	 * that it lasts until they are corrected.
	 */
	static boolean isRefusal(Exception failure) {
		if (failure instanceof WorkerRefusedException refusal) {
			String code = refusal.error().code();
			return code.equals(ErrorMessage.UNAUTHORIZED) || code.equals(ErrorMessage.FORBIDDEN);
		}
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateException
					|| (cause instanceof SSLHandshakeException && !(cause.getCause() instanceof EOFException))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns whether the worker refused this machine when it was asked last, or one of
	 * them does not accept the certificate of the other.
	 */
	boolean isRefused() {
		return this.down.get() && this.refused;
	}

	private void probeLater(int attempt) {
		try {
			this.nextProbe = this.probes.after(FIRST_PROBE.multipliedBy(1L << Math.min(attempt, MOST_DOUBLINGS)),
					() -> probe(attempt));
		}
		catch (RejectedExecutionException ex) {
			// the sandbox is closed
			this.nextProbe = null;
		}
	}

	private void probe(int attempt) {
		try {
			lease();
			// if there is one, its renewal tells
			if (!this.down.get()) {
				return;
			}
		}
		catch (IOException | WorkerRefusedException | IllegalArgumentException ex) {
			// it is asked again
			missed(ex);
		}
		if (!this.closed) {
			probeLater(attempt + 1);
		}
	}

	WorkerState state() {
		WorkerLease current = this.lease;
		LeaseMessage latest = (current != null && !current.isEnded()) ? current.latest() : null;
		Status status = (latest != null && latest.draining()) ? Status.DRAINING : Status.UP;
		int others = (latest != null) ? Math.max(0, latest.commands() - this.ownAtLatest) : 0;
		boolean unusable = this.down.get();
		return new WorkerState(this.worker.address(), unusable ? Status.DOWN : status, this.commands.get() + others,
				(latest != null) ? latest.maxCommands() : 0, unusable ? this.problem : null);
	}

	/**
	 * Returns the capabilities that the worker enforces. The worker is asked again after
	 * a minute, and not while it is known not to answer.
	 * @param tenant the tenant; null for the capabilities enforced for all of them
	 * @throws WorkerRefusedException if the worker refuses to tell
	 * @throws IOException if it does not answer
	 * @throws IllegalArgumentException if it answers something else
	 */
	CapabilitiesMessage capabilities(@Nullable String tenant) throws IOException, WorkerRefusedException {
		String path = "v1/capabilities"
				+ ((tenant != null) ? "?tenant=" + URLEncoder.encode(tenant, StandardCharsets.UTF_8) : "");
		Answer known = this.capabilities.get(path);
		if (known != null && System.nanoTime() - known.time() < FRESH_NANOS) {
			return known.message();
		}
		if (this.down.get()) {
			throw new IOException(this.problem);
		}
		CapabilitiesMessage message;
		try {
			byte[] answer = Worker.repeat(QUESTION, () -> this.worker.call("GET", path, new byte[0], QUESTION));
			message = Messages.read(answer, CapabilitiesMessage.class);
		}
		catch (IOException ex) {
			missed(ex);
			throw ex;
		}
		if (this.capabilities.size() >= MOST_TENANTS) {
			this.capabilities.clear();
		}
		this.capabilities.put(path, new Answer(message, System.nanoTime()));
		return message;
	}

	/**
	 * Ends the lease and all of its commands.
	 */
	@Override
	public void close() {
		this.closed = true;
		Future<?> probe = this.nextProbe;
		if (probe != null) {
			probe.cancel(false);
		}
		WorkerLease last = this.lease;
		if (last != null) {
			last.close();
		}
	}

	/**
	 * The capabilities that the worker enforces for a tenant.
	 *
	 * @param message the answer
	 * @param time the time when it was received, by {@link System#nanoTime()}
	 */
	private record Answer(CapabilitiesMessage message, long time) {

	}

}
