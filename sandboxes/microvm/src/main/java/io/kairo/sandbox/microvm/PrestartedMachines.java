package io.kairo.sandbox.microvm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The machines that were started ahead and are not used. One thread starts them, one
 * after the other. Safe for use by several threads.
 */
final class PrestartedMachines {

	private static final Logger logger = System.getLogger(PrestartedMachines.class.getName());

	private final Object lock;

	private final int wanted;

	private final BooleanSupplier room;

	private final Supplier<PrestartedMachine> start;

	/** The oldest one comes first. Includes the starting one. */
	private final Deque<CompletableFuture<PrestartedMachine>> machines = new ArrayDeque<>();

	private boolean filling;

	private boolean closed;

	/**
	 * Creates the value.
	 * @param lock the lock of the bounds on machines
	 * @param wanted the number of machines
	 * @param room whether there may be one more machine, called with the lock
	 * @param start starts a machine
	 */
	PrestartedMachines(Object lock, int wanted, BooleanSupplier room, Supplier<PrestartedMachine> start) {
		this.lock = lock;
		this.wanted = wanted;
		this.room = room;
		this.start = start;
	}

	/**
	 * Returns the number of machines, including the starting one.
	 */
	int count() {
		synchronized (this.lock) {
			return this.machines.size();
		}
	}

	/**
	 * Returns the number of machines that are ready.
	 */
	int countReady() {
		synchronized (this.lock) {
			return (int) this.machines.stream().filter((machine) -> machine.isDone() && !isOver(machine)).count();
		}
	}

	/**
	 * Removes a machine for its use.
	 * @return the machine, possibly still being started, or null if there is none
	 */
	@Nullable CompletableFuture<PrestartedMachine> take() {
		synchronized (this.lock) {
			this.machines.removeIf(PrestartedMachines::isOver);
			return this.machines.poll();
		}
	}

	/**
	 * Waits until a machine is started.
	 * @return null if it does not start, or if there is none
	 */
	static @Nullable PrestartedMachine await(@Nullable CompletableFuture<PrestartedMachine> machine) {
		try {
			return (machine != null) ? machine.join() : null;
		}
		catch (CompletionException ex) {
			return null;
		}
	}

	/**
	 * Starts machines in the background until there are enough, or no room for another.
	 */
	void fill() {
		synchronized (this.lock) {
			CompletableFuture<PrestartedMachine> first = this.filling ? null : next();
			if (first != null) {
				this.filling = true;
				DaemonThreads.start("kairo-machine-ahead", () -> startFrom(first));
			}
		}
	}

	private @Nullable CompletableFuture<PrestartedMachine> next() {
		synchronized (this.lock) {
			this.machines.removeIf(PrestartedMachines::isOver);
			if (this.closed || this.machines.size() >= this.wanted || !this.room.getAsBoolean()) {
				this.filling = false;
				return null;
			}
			CompletableFuture<PrestartedMachine> added = new CompletableFuture<>();
			this.machines.add(added);
			return added;
		}
	}

	private void startFrom(CompletableFuture<PrestartedMachine> first) {
		for (CompletableFuture<PrestartedMachine> next = first; next != null;) {
			try {
				PrestartedMachine started = this.start.get();
				next.complete(started);
				endIfClosed(started);
			}
			catch (RuntimeException | Error ex) {
				fail(next, ex);
				return;
			}
			next = next();
		}
	}

	private void endIfClosed(PrestartedMachine machine) {
		synchronized (this.lock) {
			if (!this.closed) {
				return;
			}
		}
		machine.machine().end("the sandbox was closed");
	}

	/**
	 * Gives up until machines are wanted the next time.
	 */
	private void fail(CompletableFuture<PrestartedMachine> machine, Throwable problem) {
		synchronized (this.lock) {
			this.machines.removeIf((other) -> other == machine);
			this.filling = false;
			if (!this.closed) {
				logger.log(Level.WARNING, "A virtual machine could not be started ahead: " + problem.getMessage());
			}
		}
		machine.completeExceptionally(problem);
	}

	private static boolean isOver(CompletableFuture<PrestartedMachine> machine) {
		return machine.isDone() && (machine.isCompletedExceptionally() || !machine.join().machine().usable());
	}

	/**
	 * Ends all machines. If one is being started, the starting thread ends it.
	 * @return the threads that end them
	 */
	List<Thread> close() {
		synchronized (this.lock) {
			this.closed = true;
			List<Thread> ends = new ArrayList<>();
			for (CompletableFuture<PrestartedMachine> machine : this.machines) {
				if (machine.isDone() && !machine.isCompletedExceptionally()) {
					ends.add(DaemonThreads.start("kairo-machine-end",
							() -> machine.join().machine().end("the sandbox was closed")));
				}
			}
			this.machines.clear();
			return ends;
		}
	}

}
