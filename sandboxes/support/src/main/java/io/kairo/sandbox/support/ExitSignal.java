package io.kairo.sandbox.support;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Emits the exit of a command, once it is known, to any number of subscribers. A slow
 * subscriber does not delay the others.
 */
final class ExitSignal {

	private static final Logger logger = System.getLogger(ExitSignal.class.getName());

	private final List<MonoSink<SandboxExit>> waiting = new ArrayList<>();

	private final CountDownLatch emitted = new CountDownLatch(1);

	private final Set<Thread> telling = ConcurrentHashMap.newKeySet();

	private @Nullable SandboxExit exit;

	Mono<SandboxExit> mono() {
		return Mono.create(this::add);
	}

	private void add(MonoSink<SandboxExit> subscriber) {
		SandboxExit known;
		synchronized (this.waiting) {
			known = this.exit;
			if (known == null) {
				this.waiting.add(subscriber);
			}
		}
		if (known != null) {
			subscriber.success(known);
		}
		else {
			subscriber.onDispose(() -> remove(subscriber));
		}
	}

	private void remove(MonoSink<SandboxExit> subscriber) {
		synchronized (this.waiting) {
			this.waiting.remove(subscriber);
		}
	}

	/**
	 * Waits until all subscribers at the time of the exit were notified, unless a
	 * subscriber waits for itself.
	 * @return false after the given time
	 */
	boolean awaitEmission(long nanos) throws InterruptedException {
		return this.telling.contains(Thread.currentThread()) || this.emitted.await(nanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Notifies all subscribers, the last one on the calling thread. The thread should do
	 * nothing else afterwards.
	 */
	void emit(SandboxExit value) {
		List<MonoSink<SandboxExit>> subscribers;
		synchronized (this.waiting) {
			this.exit = value;
			subscribers = List.copyOf(this.waiting);
			this.waiting.clear();
		}
		AtomicInteger left = new AtomicInteger(subscribers.size());
		for (int i = 0; i < subscribers.size() - 1; i++) {
			MonoSink<SandboxExit> subscriber = subscribers.get(i);
			DaemonThreads.startOrRun("kairo-exit", () -> tell(subscriber, value, left));
		}
		if (subscribers.isEmpty()) {
			this.emitted.countDown();
		}
		else {
			tell(subscribers.get(subscribers.size() - 1), value, left);
		}
	}

	private void tell(MonoSink<SandboxExit> subscriber, SandboxExit value, AtomicInteger left) {
		this.telling.add(Thread.currentThread());
		try {
			subscriber.success(value);
		}
		catch (Throwable ex) {
			logger.log(Level.WARNING, "A subscriber of a command's exit failed", ex);
		}
		finally {
			this.telling.remove(Thread.currentThread());
			if (left.decrementAndGet() == 0) {
				this.emitted.countDown();
			}
		}
	}

}
