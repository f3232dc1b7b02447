package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadDomain;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one command. It stays in a domain around that of the command, which only
 * confines signals, and kills the domain on demand.
 */
final class CommandThread implements Runnable {

	private static final long PAUSE_NANOS = 20_000;

	private static final long PATIENCE_SECONDS = 1;

	private final CompletableFuture<Boolean> started = new CompletableFuture<>();

	/** Latches to open after the domain was killed; the last order is {@link #end}. */
	private final LinkedBlockingQueue<CountDownLatch> orders = new LinkedBlockingQueue<>();

	private final CountDownLatch end = new CountDownLatch(0);

	private final NativeLinux linux;

	private final DomainKeeper keeper;

	private final LandlockRuleset rules;

	private final ThreadFilter filter;

	private final Spawn spawn;

	CommandThread(NativeLinux linux, DomainKeeper keeper, LandlockRuleset rules, ThreadFilter filter, Spawn spawn) {
		this.linux = linux;
		this.keeper = keeper;
		this.rules = rules;
		this.filter = filter;
		this.spawn = spawn;
	}

	/**
	 * Waits until the process has been started.
	 * @throws IOException if it could not be started
	 */
	void awaitStart() throws IOException {
		Results.of(this.started);
	}

	/**
	 * Kills the domain, and waits for that at most a second.
	 */
	void killDomain() {
		CountDownLatch done = new CountDownLatch(1);
		this.orders.add(done);
		try {
			done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Ends the thread, which kills nothing.
	 */
	void end() {
		this.orders.add(this.end);
	}

	@Override
	public void run() {
		ThreadDomain domain;
		try {
			domain = this.keeper.enterOwnDomain();
			startConfined();
		}
		catch (IOException | RuntimeException | Error ex) {
			this.started.completeExceptionally((ex instanceof OutOfMemoryError)
					? new IOException("No more threads can be created to start processes", ex) : ex);
			return;
		}
		this.started.complete(true);
		try {
			obey(domain);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void obey(@Nullable ThreadDomain domain) throws InterruptedException {
		CountDownLatch order = this.orders.take();
		while (order != this.end) {
			if (domain != null) {
				domain.killAll();
			}
			order.countDown();
			order = this.orders.take();
		}
	}

	/**
	 * Starts the process from a thread that enters its domain and is gone afterwards:
	 * what runs in a domain can signal every member, and a signal to a thread is one to
	 * its process, the JVM.
	 */
	private void startConfined() throws IOException {
		Confined confined = new Confined();
		Thread thread = DaemonThreads.start("kairo-confined", confined);
		Results.of(confined.started);
		Path entry = Path.of("/proc/self/task/" + confined.id);
		while (thread.isAlive() || Files.exists(entry)) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	/**
	 * The task of the thread in the domain. It may load no class, since the class path
	 * cannot be read there.
	 */
	private final class Confined implements Runnable {

		private final CompletableFuture<Boolean> started = new CompletableFuture<>();

		private volatile long id;

		@Override
		public void run() {
			try {
				this.id = CommandThread.this.linux.threadId();
				CommandThread.this.rules.restrictThread();
				CommandThread.this.filter.install();
				CommandThread.this.spawn.start();
				this.started.complete(true);
			}
			catch (Throwable ex) {
				this.started.completeExceptionally(ex);
			}
		}

	}

}
