package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadDomain;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.process.DirectLauncher;
import io.kairo.sandbox.support.process.ProcessLauncher;
import io.kairo.sandbox.support.thread.TaskLoop;
import org.jspecify.annotations.Nullable;

/**
 * A domain that a thread of this JVM stays in. It confines signals only. Each command has
 * another domain within. Its processes can signal each other but not that thread, and
 * that thread can kill all of them. A thread that waits for the next command enters its
 * domain ahead.
 */
final class NativeDomain implements CommandDomain {

	private static final long PATIENCE_SECONDS = 1;

	private final TaskLoop tasks = new TaskLoop();

	private final NativeLinux linux;

	private final LandlockRuleset rules;

	private final ThreadFilter filter;

	/** Used by the thread alone. */
	private @Nullable ThreadDomain outer;

	private CompletableFuture<ConfinedThread> next = new CompletableFuture<>();

	private volatile @Nullable ConfinedThread current;

	private NativeDomain(NativeLinux linux, LandlockRuleset rules, ThreadFilter filter) {
		this.linux = linux;
		this.rules = rules;
		this.filter = filter;
	}

	/**
	 * Creates a domain.
	 * @param keeper starts the thread
	 * @param rules the rules of commands, closed with this domain
	 * @param filter their filter for system calls
	 * @throws IOException if the domain cannot be entered, or no more threads can be
	 * created; the rules are not closed then
	 */
	static NativeDomain open(NativeLinux linux, DomainKeeper keeper, LandlockRuleset rules, ThreadFilter filter)
			throws IOException {
		NativeDomain domain = new NativeDomain(linux, rules, filter);
		CompletableFuture<Boolean> entered = new CompletableFuture<>();
		keeper.start("kairo-domain", () -> domain.work(keeper, entered));
		TaskLoop.await(entered);
		domain.prepare();
		return domain;
	}

	@Override
	public ProcessLauncher launcher(boolean gated) {
		return (DirectLauncher) (builder) -> {
			try (Spawn spawn = ConfinedProcess.prepare(builder, this.linux, gated)) {
				return ConfinedProcess.open(builder, spawn, this, start(spawn));
			}
		};
	}

	private ConfinedThread start(Spawn spawn) throws IOException {
		if (this.next.isCompletedExceptionally()) {
			prepare();
		}
		ConfinedThread confined = TaskLoop.await(this.next);
		this.current = confined;
		confined.start(spawn);
		return confined;
	}

	/**
	 * Kills a command, and waits for that at most a second. Does nothing if this domain
	 * has been reset since.
	 * @param command the thread that has started it
	 */
	void kill(ConfinedThread command) {
		CountDownLatch done = new CountDownLatch(1);
		this.tasks.add(() -> {
			if (this.current == command) {
				killAll();
			}
			done.countDown();
		});
		try {
			done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void reset(Runnable then) {
		prepare();
		this.tasks.add(then);
	}

	private void prepare() {
		CompletableFuture<ConfinedThread> prepared = new CompletableFuture<>();
		this.next = prepared;
		this.current = null;
		this.tasks.add(() -> {
			killAll();
			try {
				prepared.complete(ConfinedThread.create(this.linux, this.rules, this.filter));
			}
			catch (RuntimeException | Error ex) {
				prepared.completeExceptionally((ex instanceof OutOfMemoryError)
						? new IOException("No more threads can be created to start processes", ex) : ex);
			}
		});
	}

	@Override
	public void close() {
		CompletableFuture<ConfinedThread> prepared = this.next;
		this.current = null;
		this.tasks.addLast(() -> {
			killAll();
			if (!prepared.isCompletedExceptionally()) {
				prepared.join().cancel();
			}
		});
		this.rules.close();
	}

	private void work(DomainKeeper keeper, CompletableFuture<Boolean> entered) {
		try {
			this.outer = keeper.enterOwnDomain();
			entered.complete(true);
		}
		catch (IOException | RuntimeException | Error ex) {
			entered.completeExceptionally(ex);
			return;
		}
		this.tasks.run();
	}

	private void killAll() {
		if (this.outer != null) {
			this.outer.killAll();
		}
	}

}
