package io.kairo.sandbox.support.output;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.host.PrivateDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the subscribers of an {@link OutputLog}.
 */
@Timeout(60)
class OutputSubscriptionTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 50 : 10;

	private OutputLog log;

	private byte[] data;

	private PrivateDirectory directory;

	@BeforeEach
	void createLog(@TempDir Path temp) {
		this.directory = new PrivateDirectory(temp);
		this.log = new OutputLog(2_000_000, 0, this.directory);
		this.data = new byte[1_000_000];
		new Random(5).nextBytes(this.data);
	}

	@AfterEach
	void release() {
		this.log.release();
		await().until(() -> workers() == 0);
	}

	private static long workers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("kairo-output"))
			.count();
	}

	private void appendAll() {
		this.log.append(OutputChannel.STDOUT, this.data, 0, this.data.length);
	}

	private byte[] read() {
		return OutputLogTests.concatenated(this.log.chunks().collectList().block());
	}

	@Test
	void lateSubscriberReceivesAllOutputAndCompletion() {
		appendAll();
		this.log.close();
		assertThat(read()).isEqualTo(this.data);
		assertThat(read()).isEqualTo(this.data);
	}

	@Test
	void earlySubscriberReceivesOutputAsItIsAppended() {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.log.chunks().subscribe((chunk) -> seen.add(new String(chunk.data())));
		this.log.append(OutputChannel.STDOUT, "now".getBytes(), 0, 3);
		await().until(() -> seen.equals(List.of("now")));
	}

	@Test
	void blockingSubscriberDoesNotDelayOthers() throws InterruptedException {
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch proceed = new CountDownLatch(1);
		List<SandboxOutputChunk> slow = new CopyOnWriteArrayList<>();
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.log.chunks().doOnComplete(() -> done.complete(null)).subscribe((chunk) -> {
			blocked.countDown();
			awaitQuietly(proceed);
			slow.add(chunk);
		});
		this.log.append(OutputChannel.STDOUT, this.data, 0, 10);
		blocked.await();
		this.log.append(OutputChannel.STDOUT, this.data, 10, this.data.length - 10);
		this.log.close();
		assertThat(read()).isEqualTo(this.data);
		proceed.countDown();
		done.join();
		assertThat(OutputLogTests.concatenated(slow)).isEqualTo(this.data);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void subscriberReceivesNoMoreThanItRequests() {
		appendAll();
		this.log.close();
		StepVerifier.create(this.log.chunks(), 0)
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(50))
			.thenRequest(1)
			.expectNextCount(1)
			.expectNoEvent(Duration.ofMillis(50))
			.thenRequest(2)
			.expectNextCount(2)
			.thenRequest(Long.MAX_VALUE)
			.thenConsumeWhile((chunk) -> true)
			.verifyComplete();
	}

	@Test
	void completionNeedsNoRequest() {
		this.log.close();
		StepVerifier.create(this.log.chunks(), 0).verifyComplete();
	}

	@Test
	void requestForZeroChunksIsError() {
		appendAll();
		AtomicReference<Throwable> error = new AtomicReference<>();
		OutputSubscription.start(this.log, new ThrowingSubscriber(false) {

			@Override
			public void onSubscribe(Subscription subscription) {
				subscription.request(0);
			}

			@Override
			public void onError(Throwable ex) {
				error.set(ex);
			}

		});
		await().until(() -> error.get() instanceof IllegalArgumentException);
	}

	@Test
	void waitingSubscriptionEndsWhenCancelled() {
		Disposable subscription = this.log.chunks().subscribe();
		await().until(() -> workers() == 1);
		subscription.dispose();
		await().until(() -> workers() == 0);
		appendAll();
		this.log.close();
		assertThat(read()).isEqualTo(this.data);
	}

	@Test
	void subscriberCanCancelAfterFirstChunk() {
		appendAll();
		assertThat(this.log.chunks().take(1).collectList().block()).hasSize(1);
	}

	@Test
	void subscriberThatThrowsIsCancelledAndDoesNotAffectOthers() {
		ThrowingSubscriber subscriber = new ThrowingSubscriber(true);
		OutputSubscription.start(this.log, subscriber);
		appendAll();
		await().until(() -> subscriber.received.size() == 1 && workers() == 0);
		this.log.close();
		assertThat(read()).isEqualTo(this.data);
		assertThat(subscriber.received).hasSize(1);
	}

	@Test
	void subscriberThatInterruptsItsThreadDoesNotAffectOthers() {
		appendAll();
		this.log.close();
		List<SandboxOutputChunk> chunks = this.log.chunks()
			.doOnNext((chunk) -> Thread.currentThread().interrupt())
			.collectList()
			.block();
		assertThat(OutputLogTests.concatenated(chunks)).isEqualTo(this.data);
		assertThat(read()).isEqualTo(this.data);
	}

	@Test
	void subscribersDoNotShareArrays() {
		appendAll();
		this.log.close();
		this.log.chunks().doOnNext((chunk) -> Arrays.fill(chunk.data(), (byte) 0)).blockLast();
		assertThat(read()).isEqualTo(this.data);
	}

	@Test
	void releaseCompletesSubscribersEarly() {
		appendAll();
		CompletableFuture<List<SandboxOutputChunk>> waiting = this.log.chunks().collectList().toFuture();
		await().until(() -> workers() == 1);
		this.log.release();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(10));
		assertThat(read()).isEmpty();
	}

	@Test
	void releaseDuringReadCausesNoError() {
		for (int i = 0; i < ROUNDS; i++) {
			OutputLog released = new OutputLog(2_000_000, 0, this.directory);
			released.append(OutputChannel.STDOUT, this.data, 0, this.data.length);
			int trigger = i % 10;
			AtomicInteger count = new AtomicInteger();
			List<SandboxOutputChunk> chunks = released.chunks().doOnNext((chunk) -> {
				if (count.getAndIncrement() == trigger) {
					CompletableFuture.runAsync(released::release);
				}
			}).collectList().block();
			assertThat(this.data).startsWith(OutputLogTests.concatenated(chunks));
		}
	}

	private static class ThrowingSubscriber implements Subscriber<SandboxOutputChunk> {

		final List<SandboxOutputChunk> received = new ArrayList<>();

		private final boolean request;

		ThrowingSubscriber(boolean request) {
			this.request = request;
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			if (this.request) {
				subscription.request(Long.MAX_VALUE);
			}
		}

		@Override
		public void onNext(SandboxOutputChunk chunk) {
			this.received.add(chunk);
			throw new IllegalStateException("on purpose");
		}

		@Override
		public void onError(Throwable ex) {
		}

		@Override
		public void onComplete() {
		}

	}

}
