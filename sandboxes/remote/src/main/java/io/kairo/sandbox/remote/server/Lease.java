package io.kairo.sandbox.remote.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one client. Each has a number, and no other command is ever started
 * with it: a request that arrives twice, however late, starts nothing. Safe for use by
 * several threads.
 */
final class Lease {

	private final RemoteClient client;

	private final Map<Long, Started> commands = new HashMap<>();

	private final Map<Long, ServedCopy> copies = new HashMap<>();

	private final Numbers closedNumbers = new Numbers();

	private volatile long renewed = System.nanoTime();

	private boolean ended;

	Lease(RemoteClient client) {
		this.client = client;
	}

	/**
	 * Checks that a client may use this lease.
	 * @throws RefusedRequestException if it belongs to another client; this is not
	 * distinguished from a lease that does not exist
	 */
	Lease requireOf(RemoteClient caller) {
		if (!isOf(caller)) {
			throw noLease();
		}
		this.renewed = System.nanoTime();
		return this;
	}

	boolean isOf(RemoteClient other) {
		return this.client.equals(other);
	}

	boolean isOver(long nanos) {
		return System.nanoTime() - this.renewed > nanos;
	}

	/**
	 * Starts a command, or returns the one that has the number.
	 * @param starter starts the command; its failure is kept for repeated requests
	 * @return whether this call started it
	 * @throws RefusedRequestException if the number belongs to another command
	 */
	boolean start(long number, StartMessage message, Supplier<ServedCommand> starter) {
		Started own = new Started(message, new CompletableFuture<>(), System.nanoTime());
		Started first = putIfAbsent(number, own);
		if (first != null) {
			if (!first.message().equals(message)) {
				throw new RefusedRequestException(ErrorMessage.CONFLICT,
						"The number " + number + " belongs to another command",
						"give each command a number of its own");
			}
			first.join();
			return false;
		}
		try {
			ServedCommand command = starter.get();
			own.command().complete(command);
			if (isEnded()) {
				command.close();
				throw noLease();
			}
			return true;
		}
		catch (RuntimeException | Error ex) {
			own.command().completeExceptionally(ex);
			throw ex;
		}
	}

	private synchronized @Nullable Started putIfAbsent(long number, Started command) {
		requireOpen(number);
		return this.commands.putIfAbsent(number, command);
	}

	private void requireOpen(long number) {
		if (this.ended) {
			throw noLease();
		}
		if (number <= 0) {
			throw new RefusedRequestException(ErrorMessage.INVALID_REQUEST, "The number of the command is " + number,
					"count from 1");
		}
		if (this.closedNumbers.contains(number)) {
			throw gone(number);
		}
	}

	/**
	 * Returns a command.
	 * @throws RefusedRequestException if there is none with the number, or it did not
	 * start
	 */
	ServedCommand command(long number) {
		Started started;
		synchronized (this) {
			started = this.commands.get(number);
		}
		if (started == null) {
			throw gone(number);
		}
		return started.join();
	}

	/**
	 * Creates the copy for the command with a number, or returns it if there is one.
	 * @param creation creates the copy
	 * @throws RefusedRequestException if the number belongs to another copy
	 */
	ServedCopy copy(long number, CopyMessage message, Supplier<ServedCopy> creation) {
		synchronized (this) {
			requireOpen(number);
			ServedCopy copy = this.copies.computeIfAbsent(number, (same) -> creation.get());
			if (!copy.message().equals(message)) {
				throw new RefusedRequestException(ErrorMessage.CONFLICT,
						"The number " + number + " belongs to another copy", "give each copy a number of its own");
			}
			return copy;
		}
	}

	/**
	 * Returns the copy for the command with a number.
	 * @throws RefusedRequestException if there is none
	 */
	synchronized ServedCopy copy(long number) {
		ServedCopy copy = this.copies.get(number);
		if (copy == null) {
			throw gone(number);
		}
		return copy;
	}

	/**
	 * Closes a command and its copy. Does nothing if that has happened.
	 */
	void close(long number) {
		Started started;
		ServedCopy copy;
		synchronized (this) {
			started = this.commands.remove(number);
			copy = this.copies.remove(number);
			this.closedNumbers.add(number);
		}
		if (started != null) {
			started.close();
		}
		if (copy != null) {
			copy.close();
		}
	}

	/**
	 * Closes the commands that ended before a time, and copies without a command.
	 */
	void closeEnded(long nanos) {
		Map<Long, Started> all;
		Map<Long, ServedCopy> copied;
		synchronized (this) {
			all = Map.copyOf(this.commands);
			copied = Map.copyOf(this.copies);
		}
		all.forEach((number, started) -> {
			if (started.endedBefore(nanos)) {
				close(number);
			}
		});
		copied.forEach((number, copy) -> {
			if (copy.isUnusedSince(nanos)) {
				close(number);
			}
		});
	}

	/**
	 * Ends this lease and all of its commands.
	 */
	void end() {
		Map<Long, Started> all;
		Map<Long, ServedCopy> copied;
		synchronized (this) {
			this.ended = true;
			all = Map.copyOf(this.commands);
			copied = Map.copyOf(this.copies);
			this.commands.clear();
			this.copies.clear();
		}
		all.values().forEach(Started::close);
		copied.values().forEach(ServedCopy::close);
	}

	private synchronized boolean isEnded() {
		return this.ended;
	}

	static RefusedRequestException noLease() {
		return new RefusedRequestException(ErrorMessage.LEASE_ENDED,
				"There is no such lease: it was not renewed in time, or the worker was started again",
				"its commands have ended; request another one");
	}

	private static RefusedRequestException gone(long number) {
		return new RefusedRequestException(ErrorMessage.COMMAND_GONE,
				"The command " + number + " was not started, or is closed", "start another one");
	}

	/**
	 * A command that is being started, was started, or could not be.
	 */
	private record Started(StartMessage message, CompletableFuture<ServedCommand> command, long requested) {

		ServedCommand join() {
			try {
				return this.command.join();
			}
			catch (CompletionException ex) {
				if (ex.getCause() instanceof RuntimeException failure) {
					throw failure;
				}
				throw ex;
			}
		}

		/**
		 * Closes the command, or lets it be closed as soon as it has been started.
		 */
		@SuppressWarnings("FutureReturnValueIgnored") // a failed start is told to who
														// waits
		void close() {
			this.command.thenAccept(ServedCommand::close);
		}

		boolean endedBefore(long nanos) {
			if (this.command.isCompletedExceptionally()) {
				return this.requested - nanos < 0;
			}
			return this.command.isDone() && this.command.join().endedBefore(nanos);
		}

	}

}
