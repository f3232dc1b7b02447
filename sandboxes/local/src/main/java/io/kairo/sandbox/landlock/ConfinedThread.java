package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.TaskLoop;
import org.jspecify.annotations.Nullable;

/**
 * A thread that enters a domain, waits for a process to start there, starts it and ends.
 * It may load no class, since the class path cannot be read there.
 */
final class ConfinedThread implements Runnable {

	private static final long PAUSE_NANOS = 20_000;

	private final CompletableFuture<Boolean> started = new CompletableFuture<>();

	private final NativeLinux linux;

	private final LandlockRuleset rules;

	private final ThreadFilter filter;

	private final Thread thread;

	private volatile long id;

	private volatile @Nullable Spawn spawn;

	private volatile boolean cancelled;

	private ConfinedThread(NativeLinux linux, LandlockRuleset rules, ThreadFilter filter) {
		this.linux = linux;
		this.rules = rules;
		this.filter = filter;
		this.thread = DaemonThreads.create("kairo-confined", this);
	}

	/**
	 * Starts the thread from the calling one, within the domain of that one.
	 */
	static ConfinedThread create(NativeLinux linux, LandlockRuleset rules, ThreadFilter filter) {
		ConfinedThread confined = new ConfinedThread(linux, rules, filter);
		confined.thread.start();
		return confined;
	}

	/**
	 * Starts a process, and waits until the thread is gone: a process in a domain can
	 * signal every member, and a signal to a thread is a signal to its process, the JVM.
	 * @throws IOException if the domain could not be entered, or the process could not be
	 * started
	 */
	void start(Spawn spawn) throws IOException {
		this.spawn = spawn;
		LockSupport.unpark(this.thread);
		TaskLoop.await(this.started);
		Path entry = Path.of("/proc/self/task/" + this.id);
		while (this.thread.isAlive() || Files.exists(entry)) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	/**
	 * Ends the thread if it has started no process.
	 */
	void cancel() {
		this.cancelled = true;
		LockSupport.unpark(this.thread);
	}

	@Override
	public void run() {
		try {
			this.id = this.linux.threadId();
			this.rules.restrictThread();
			this.filter.install();
			while (this.spawn == null && !this.cancelled) {
				LockSupport.park();
			}
			Spawn process = this.spawn;
			if (process != null) {
				process.start();
			}
			this.started.complete(true);
		}
		catch (Throwable ex) {
			this.started.completeExceptionally(ex);
		}
	}

}
