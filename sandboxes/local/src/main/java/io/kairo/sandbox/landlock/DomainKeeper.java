package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.kairo.linux.Child;
import io.kairo.linux.LandlockRules;
import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadDomain;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.TaskLoop;
import org.jspecify.annotations.Nullable;

/**
 * A thread in a domain that confines signals only. The domain contains the domains of all
 * commands of one sandbox, since this thread starts their threads. A process in the same
 * domain waits for the end of a pipe that only the JVM holds open, and then kills the
 * domain: nothing survives a killed JVM. Commands can signal neither of the two, since
 * their domains are within.
 * <p>
 * Thread and process are started for the first command, the process again if it has
 * ended. Safe for use by several threads.
 */
final class DomainKeeper implements AutoCloseable {

	private static final Logger logger = System.getLogger(DomainKeeper.class.getName());

	private static final long PATIENCE_MILLIS = 2000;

	private static final String WARDEN = "read -r line; kill -9 -1";

	private final TaskLoop tasks = new TaskLoop();

	private final NativeLinux linux;

	private final int abi;

	private @Nullable Thread thread;

	private @Nullable LandlockRuleset scope;

	private boolean closed;

	/** Used by the thread alone. */
	private @Nullable Child warden;

	DomainKeeper(NativeLinux linux, int abi) {
		this.linux = linux;
		this.abi = abi;
	}

	/**
	 * Starts a thread in the domain.
	 * @return the thread
	 * @throws IOException if the domain cannot be entered, the process cannot be started,
	 * or no more threads can be created
	 */
	Thread start(String name, Runnable task) throws IOException {
		CompletableFuture<Thread> started = new CompletableFuture<>();
		add(() -> {
			try {
				ensureWarden();
				started.complete(DaemonThreads.start(name, task));
			}
			catch (OutOfMemoryError ex) {
				started.completeExceptionally(new IOException("No more threads can be created", ex));
			}
			catch (IOException | RuntimeException ex) {
				started.completeExceptionally(ex);
			}
		});
		return TaskLoop.await(started);
	}

	/**
	 * Makes the calling thread enter a domain of its own that confines signals only. The
	 * thread was started here.
	 */
	@Nullable ThreadDomain enterOwnDomain() throws IOException {
		LandlockRuleset shared = scope();
		return (shared != null) ? shared.restrictThread() : null;
	}

	/**
	 * Kills the processes in the domain, and ends the thread.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.thread != null) {
			this.tasks.addLast(this::endWarden);
		}
		if (this.scope != null) {
			this.scope.close();
			this.scope = null;
		}
	}

	private synchronized @Nullable LandlockRuleset scope() throws IOException {
		if (this.scope == null && this.abi >= LandlockRules.SCOPE_ABI) {
			if (this.closed) {
				throw new IOException("The sandbox is closed");
			}
			this.scope = LandlockRuleset.create(this.linux, LandlockRules.ofScopeOnly(), this.abi);
		}
		return this.scope;
	}

	private synchronized void add(Runnable task) throws IOException {
		if (this.closed) {
			throw new IOException("The sandbox is closed");
		}
		if (this.thread == null) {
			CompletableFuture<Boolean> entered = new CompletableFuture<>();
			LandlockRuleset shared = scope();
			try {
				this.thread = DaemonThreads.start("kairo-landlock", () -> work(shared, entered));
			}
			catch (OutOfMemoryError ex) {
				throw new IOException("No more threads can be created to start processes", ex);
			}
			try {
				TaskLoop.await(entered);
			}
			catch (IOException ex) {
				this.thread = null;
				throw ex;
			}
		}
		this.tasks.add(task);
	}

	private void work(@Nullable LandlockRuleset shared, CompletableFuture<Boolean> entered) {
		try {
			if (shared != null) {
				shared.restrictThread();
			}
			entered.complete(true);
		}
		catch (IOException | RuntimeException ex) {
			entered.completeExceptionally(ex);
			return;
		}
		this.tasks.run();
	}

	private void ensureWarden() throws IOException {
		if (this.abi < LandlockRules.SCOPE_ABI || (this.warden != null && this.warden.exitCode().isEmpty())) {
			return;
		}
		forgetWarden();
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/sh", "-c", WARDEN, "kairo-warden"), Map.of(),
				Path.of("/"), true, false)) {
			spawn.start();
			this.warden = spawn.child();
		}
	}

	private void endWarden() {
		Child current = this.warden;
		try {
			if (current != null) {
				current.input().close();
				current.awaitExit(PATIENCE_MILLIS);
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The process that ends commands has been lost", ex);
		}
		forgetWarden();
	}

	private void forgetWarden() {
		try (Child ended = this.warden; OutputStream input = (ended != null) ? ended.input() : null) {
			this.warden = null;
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The process that ends commands has ended", ex);
		}
	}

}
