package io.kairo.sandbox.microvm;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The machines that a {@link MicroVmSandbox} keeps. Immutable.
 *
 * @param maxMachines maximum number of machines, at least 1
 * @param maxMemoryBytes maximum memory of all machines together in bytes, at least the
 * memory of one; null for no other maximum than their number
 * @param startedAhead number of machines that are started before a command needs them,
 * and replaced in the background when one is used; 0 for none, at most
 * {@code maxMachines}. They count towards both maximums, and none is started that exceeds
 * one
 * @param idleTimeout time until a machine without a command is ended, above zero;
 * machines that were started ahead and not used are kept
 */
public record MachinePool(int maxMachines, @Nullable Long maxMemoryBytes, int startedAhead, Duration idleTimeout) {

	/**
	 * The default: eight machines, none of them started ahead, and an idle timeout of
	 * five minutes.
	 */
	public static final MachinePool DEFAULT = new MachinePool(8, null, 0, Duration.ofMinutes(5));

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a number or the time is out of its range
	 */
	public MachinePool {
		if (maxMachines < 1) {
			throw new IllegalArgumentException(
					"The maximum number of machines is " + maxMachines + ": it must be at least 1");
		}
		if (startedAhead < 0 || startedAhead > maxMachines) {
			throw new IllegalArgumentException("The number of machines started ahead is " + startedAhead
					+ ": it must be between 0 and the maximum number of machines, " + maxMachines);
		}
		if (idleTimeout.isNegative() || idleTimeout.isZero()) {
			throw new IllegalArgumentException("The idle timeout is " + idleTimeout + ": it must be above zero");
		}
	}

	/**
	 * Returns a pool with another value of {@link #maxMachines()}.
	 * @param maxMachines the maximum number of machines
	 * @return the changed pool
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MachinePool withMaxMachines(int maxMachines) {
		return new MachinePool(maxMachines, this.maxMemoryBytes, this.startedAhead, this.idleTimeout);
	}

	/**
	 * Returns a pool with another value of {@link #maxMemoryBytes()}.
	 * @param maxMemoryBytes the maximum memory of all machines in bytes, or null
	 * @return the changed pool
	 */
	public MachinePool withMaxMemoryBytes(@Nullable Long maxMemoryBytes) {
		return new MachinePool(this.maxMachines, maxMemoryBytes, this.startedAhead, this.idleTimeout);
	}

	/**
	 * Returns a pool with another value of {@link #startedAhead()}.
	 * @param startedAhead the number of machines started ahead
	 * @return the changed pool
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MachinePool withStartedAhead(int startedAhead) {
		return new MachinePool(this.maxMachines, this.maxMemoryBytes, startedAhead, this.idleTimeout);
	}

	/**
	 * Returns a pool with another value of {@link #idleTimeout()}.
	 * @param idleTimeout the idle timeout
	 * @return the changed pool
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MachinePool withIdleTimeout(Duration idleTimeout) {
		return new MachinePool(this.maxMachines, this.maxMemoryBytes, this.startedAhead, idleTimeout);
	}

}
