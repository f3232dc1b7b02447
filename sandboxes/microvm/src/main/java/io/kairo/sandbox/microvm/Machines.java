package io.kairo.sandbox.microvm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a sandbox, one for each specification, and the machines that are
 * started ahead. A machine runs any number of commands at a time. Bounds their number and
 * memory, and ends machines that have been idle for too long. Safe for use by several
 * threads.
 */
final class Machines implements AutoCloseable {

	private final MachinePool pool;

	private final long memoryBytes;

	private final PrestartedMachines ahead;

	private final Deadlines deadlines = new Deadlines();

	/** The least recently used one comes first. */
	private final Map<MachineSpec, Slot> slots = new LinkedHashMap<>();

	/** Number of machines that only finish their commands. */
	private int leaving;

	private boolean closed;

	/**
	 * Creates the value.
	 * @param memoryBytes the memory of each machine
	 * @param startAhead starts a machine ahead
	 */
	Machines(MachinePool pool, long memoryBytes, Supplier<PrestartedMachine> startAhead) {
		this.pool = pool;
		this.memoryBytes = memoryBytes;
		this.ahead = new PrestartedMachines(this, pool.startedAhead(), () -> problemOfAnother() == null, startAhead);
	}

	/**
	 * Starts machines ahead in the background, as many as there should and can be.
	 */
	void startAhead() {
		this.ahead.fill();
	}

	/**
	 * Returns the machine for a specification, and keeps it until the lease is closed.
	 * Blocks while the machine is started.
	 * @param boot starts a machine, or uses the given one that was started ahead, if not
	 * null
	 * @throws SandboxException if it cannot be started, or all machines run commands
	 */
	Lease acquire(MachineSpec spec, Function<@Nullable PrestartedMachine, Machine> boot) {
		Slot slot;
		Slot victim = null;
		CompletableFuture<PrestartedMachine> taken = null;
		boolean own = false;
		synchronized (this) {
			requireOpen();
			Slot known = this.slots.remove(spec);
			if (known != null && known.isOver()) {
				leave(known);
				known = null;
			}
			if (known == null) {
				taken = this.ahead.take();
				victim = (taken == null) ? makeRoom() : null;
				known = new Slot();
				own = true;
			}
			known.use();
			this.slots.put(spec, known);
			slot = known;
		}
		if (victim != null) {
			victim.end("another machine is needed");
		}
		if (own) {
			CompletableFuture<PrestartedMachine> chosen = taken;
			boot(spec, slot, () -> boot.apply(PrestartedMachines.await(chosen)));
			startAhead();
		}
		return lease(spec, slot);
	}

	private void boot(MachineSpec spec, Slot slot, Supplier<Machine> boot) {
		try {
			slot.machine.complete(boot.get());
		}
		catch (RuntimeException | Error ex) {
			forget(spec, slot);
			slot.machine.completeExceptionally(ex);
		}
	}

	private Lease lease(MachineSpec spec, Slot slot) {
		Machine machine;
		try {
			machine = slot.machine.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof SandboxException cause) {
				throw new SandboxException(cause.code(), cause.problem(), cause.remedy(), cause);
			}
			throw ex;
		}
		synchronized (this) {
			if (!this.closed) {
				return new Lease(machine, () -> giveBack(spec, slot));
			}
		}
		machine.end("the sandbox was closed");
		throw closed();
	}

	private synchronized void forget(MachineSpec spec, Slot slot) {
		if (this.slots.get(spec) == slot) {
			this.slots.remove(spec);
		}
	}

	/**
	 * Returns a machine to end first, or null if there is room for another one.
	 */
	private @Nullable Slot makeRoom() {
		String problem = problemOfAnother();
		if (problem == null) {
			return null;
		}
		for (Map.Entry<MachineSpec, Slot> entry : this.slots.entrySet()) {
			if (entry.getValue().users == 0) {
				Slot idle = entry.getValue();
				forget(entry.getKey(), idle);
				return idle;
			}
		}
		throw new SandboxException(SandboxErrorCode.START_FAILED, "All virtual machines run commands, " + problem,
				"wait until a command has ended, or allow more virtual machines");
	}

	/**
	 * Returns the maximum that one more machine would exceed, or null.
	 */
	private @Nullable String problemOfAnother() {
		int count = count();
		if (count >= this.pool.maxMachines()) {
			return "the maximum is " + this.pool.maxMachines();
		}
		Long most = this.pool.maxMemoryBytes();
		// the quotient, as a product could be too large
		return (most != null && count >= most / this.memoryBytes)
				? "they have " + count * this.memoryBytes + " bytes of memory, the maximum is " + most : null;
	}

	private synchronized void giveBack(MachineSpec spec, Slot slot) {
		if (--slot.users > 0) {
			return;
		}
		this.leaving -= slot.leaving ? 1 : 0;
		if (this.closed || slot.isOver()) {
			forget(spec, slot);
			endLater(slot);
			return;
		}
		try {
			slot.expiry = this.deadlines.after(this.pool.idleTimeout(), () -> expire(spec, slot));
		}
		catch (RejectedExecutionException ex) {
			endLater(slot);
		}
	}

	/**
	 * Ends a machine that runs no more commands, or lets it finish its commands.
	 */
	private void leave(Slot slot) {
		if (slot.users == 0) {
			endLater(slot);
		}
		else {
			slot.leaving = true;
			this.leaving++;
		}
	}

	private synchronized void expire(MachineSpec spec, Slot slot) {
		if (slot.users == 0) {
			forget(spec, slot);
			endLater(slot);
			startAhead();
		}
	}

	private static Thread endLater(Slot slot) {
		return DaemonThreads.start("kairo-machine-end", () -> slot.end("it is not needed any more"));
	}

	/**
	 * Returns the number of machines, including machines that were started ahead.
	 */
	synchronized int count() {
		return this.slots.size() + this.leaving + this.ahead.count();
	}

	/**
	 * Returns the number of machines that were started ahead and are ready.
	 */
	int countReadyAhead() {
		return this.ahead.countReady();
	}

	/**
	 * Counts the live processes of all commands that have an argument.
	 */
	int countProcesses(String argument) {
		List<Slot> known;
		synchronized (this) {
			known = List.copyOf(this.slots.values());
		}
		return known.stream()
			.filter((slot) -> slot.machine.isDone() && !slot.machine.isCompletedExceptionally())
			.mapToInt((slot) -> slot.machine.join().countProcesses(argument))
			.sum();
	}

	/**
	 * Ends all machines, and waits up to two seconds for each.
	 */
	@Override
	public void close() {
		List<Thread> ends = new ArrayList<>();
		synchronized (this) {
			this.closed = true;
			this.slots.values().forEach((slot) -> ends.add(endLater(slot)));
			this.slots.clear();
			ends.addAll(this.ahead.close());
		}
		this.deadlines.close();
		try {
			for (Thread end : ends) {
				end.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw closed();
		}
	}

	private static SandboxException closed() {
		return new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed",
				"start commands before closing it");
	}

	/**
	 * A machine, possibly still being started.
	 */
	private static final class Slot {

		private final CompletableFuture<Machine> machine = new CompletableFuture<>();

		private int users;

		private boolean leaving;

		private @Nullable Future<?> expiry;

		void use() {
			this.users++;
			if (this.expiry != null) {
				this.expiry.cancel(false);
				this.expiry = null;
			}
		}

		/**
		 * Returns whether the machine can run no more commands.
		 */
		boolean isOver() {
			if (!this.machine.isDone()) {
				return false;
			}
			return this.machine.isCompletedExceptionally() || !this.machine.join().usable();
		}

		/**
		 * Ends the machine. If it is being started, the starting thread ends it.
		 */
		void end(String reason) {
			if (this.machine.isDone() && !this.machine.isCompletedExceptionally()) {
				this.machine.join().end(reason);
			}
		}

	}

	/**
	 * The use of a machine by one command.
	 *
	 * @param machine the machine
	 * @param end called at the end
	 */
	record Lease(Machine machine, Runnable end) implements AutoCloseable {

		@Override
		public void close() {
			this.end.run();
		}

	}

}
