package io.kairo.sandbox.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * A lease of a worker. It is renewed until it is closed or the worker does not know it
 * any more. Safe for use by several threads.
 */
final class WorkerLease implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final int RENEWALS = 4;

	private final Worker worker;

	private final Consumer<@Nullable Exception> answered;

	private final LeaseMessage lease;

	private volatile LeaseMessage latest;

	private final Deadlines renewals = new Deadlines();

	private final AtomicLong numbers = new AtomicLong();

	private final Set<RemoteCommand> commands = ConcurrentHashMap.newKeySet();

	private volatile long renewed;

	private volatile boolean ended;

	private volatile @Nullable Future<?> renewal;

	private WorkerLease(Worker worker, Consumer<@Nullable Exception> answered, LeaseMessage lease, long requested) {
		this.worker = worker;
		this.answered = answered;
		this.lease = lease;
		this.latest = lease;
		this.renewed = requested;
		renewLater();
	}

	/**
	 * Requests a lease.
	 * @param answered receives null with each renewal that is answered, or the reason why
	 * it is not
	 * @throws WorkerRefusedException if the worker refuses it
	 * @throws IOException if the worker does not answer
	 */
	static WorkerLease request(Worker worker, Consumer<@Nullable Exception> answered)
			throws IOException, WorkerRefusedException {
		long now = System.nanoTime();
		LeaseMessage lease = Messages.read(worker.call("POST", "v1/leases", new byte[0], TIMEOUT), LeaseMessage.class);
		return new WorkerLease(worker, answered, lease, now);
	}

	/**
	 * Returns a number that no other command of this lease has.
	 */
	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Returns the path of a command.
	 */
	String path(long number) {
		return "v1/leases/" + this.lease.lease() + "/commands/" + number;
	}

	/**
	 * Returns the path of the copy of the directories of a command.
	 */
	String copyPath(long number) {
		return "v1/leases/" + this.lease.lease() + "/copies/" + number;
	}

	void watch(RemoteCommand command) {
		this.commands.add(command);
	}

	void forget(RemoteCommand command) {
		this.commands.remove(command);
	}

	/**
	 * Lets the worker end a command and release its output, from another thread. Repeated
	 * until the worker has answered or the lease has ended, so that no command that was
	 * cancelled, or whose start was not answered, goes on when the worker can be reached
	 * again.
	 * @param number the number of the command; nothing is started with it any more
	 */
	void close(long number) {
		repeatLater("kairo-remote-release", () -> this.worker.call("DELETE", path(number), new byte[0], TIMEOUT));
	}

	/**
	 * Repeats a request on another thread until it is answered or the lease has ended.
	 */
	void repeatLater(String name, Worker.Request<?> request) {
		DaemonThreads.startOrRun(name, () -> {
			try {
				Worker.repeat(() -> this.ended, request);
			}
			catch (IOException | WorkerRefusedException ex) {
				// the worker ends the command with the lease, or has done so
				return;
			}
		});
	}

	/**
	 * Returns whether the worker has ended the commands, as far as is known.
	 */
	boolean isEnded() {
		return this.ended;
	}

	/**
	 * Returns the last answer of the worker.
	 */
	LeaseMessage latest() {
		return this.latest;
	}

	/**
	 * Marks this lease as ended. Its commands stop waiting for output.
	 */
	void end() {
		this.ended = true;
		this.commands.forEach(RemoteCommand::interruptReading);
	}

	/**
	 * Returns the time between two renewals, also the timeout of one.
	 */
	private Duration interval() {
		return Duration.ofSeconds(this.lease.seconds()).dividedBy(RENEWALS);
	}

	private void renewLater() {
		try {
			this.renewal = this.renewals.after(interval(), this::renew);
		}
		catch (RejectedExecutionException ex) {
			// closed
			this.renewal = null;
		}
	}

	/**
	 * Renews the lease. If nothing has been heard of the worker for its time, the worker
	 * has ended it as well.
	 */
	private void renew() {
		long now = System.nanoTime();
		try {
			byte[] answer = this.worker.call("PUT", "v1/leases/" + this.lease.lease(), new byte[0], interval());
			this.latest = Messages.read(answer, LeaseMessage.class);
			this.renewed = now;
			this.answered.accept(null);
		}
		catch (WorkerRefusedException ex) {
			end();
			this.answered.accept(ex);
		}
		catch (IOException | IllegalArgumentException ex) {
			this.answered.accept(ex);
			if (now - this.renewed > Duration.ofSeconds(this.lease.seconds()).toNanos()) {
				end();
			}
		}
		this.commands.forEach(RemoteCommand::interruptSilentReading);
		if (!this.ended) {
			renewLater();
		}
	}

	/**
	 * Ends the lease and all of its commands.
	 */
	@Override
	public void close() {
		Future<?> next = this.renewal;
		if (next != null) {
			next.cancel(false);
		}
		this.renewals.close();
		if (!this.ended) {
			end();
			try {
				this.worker.call("DELETE", "v1/leases/" + this.lease.lease(), new byte[0], TIMEOUT);
			}
			catch (IOException | WorkerRefusedException ex) {
				// the worker ends it when it is not renewed
				return;
			}
		}
	}

}
