package io.kairo.api.sandbox.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for subscribers of the output: each receives all of it, and none affects the
 * command or another subscriber.
 */
abstract class SubscriberScenarios {

	private static final SandboxExit SUCCESS = new SandboxExit(0, null, false, false);

	private static final String MUCH = "yes | head -c 3000000";

	abstract Trial trial();

	private SandboxHandle startMuch() {
		return trial().start(MUCH, (request) -> request.maxOutputBytes(10_000_000));
	}

	@Test
	void lateAndRepeatedSubscribersReceiveTheSameOutput() {
		try (SandboxHandle handle = trial().start("for i in $(seq 200); do echo out $i; echo err $i >&2; done")) {
			CompletableFuture<List<SandboxOutputChunk>> early = handle.output().collectList().toFuture();
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			byte[] late = Trial.output(handle, SandboxOutputChunk.Stdout.class);
			assertThat(Trial.output(handle, SandboxOutputChunk.Stdout.class)).isEqualTo(late);
			assertThat(Trial.text(late)).startsWith("out 1\nout 2\n").endsWith("out 200\n");
			assertThat(early.orTimeout(60, TimeUnit.SECONDS)
				.join()
				.stream()
				.filter(SandboxOutputChunk.Stdout.class::isInstance)
				.mapToInt((chunk) -> chunk.data().length)
				.sum()).isEqualTo(late.length);
		}
	}

	@Test
	void slowSubscriberReceivesAllOutputWithoutDelayingTheCommand() {
		try (SandboxHandle handle = startMuch()) {
			List<byte[]> received = new ArrayList<>();
			CompletableFuture<Void> done = handle.output().doOnNext((chunk) -> {
				Trial.exit(handle);
				received.add(chunk.data());
			}).then().toFuture();
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			done.orTimeout(60, TimeUnit.SECONDS).join();
			assertThat(received.stream().mapToInt((data) -> data.length).sum()).isEqualTo(3_000_000);
		}
	}

	@Test
	void blockedSubscribersDelayNoCommand() {
		CountDownLatch released = new CountDownLatch(1);
		List<Disposable> blocked = new ArrayList<>();
		try (SandboxHandle handle = startMuch()) {
			for (int i = 0; i < 50; i++) {
				blocked.add(handle.output().subscribe((chunk) -> awaitQuietly(released)));
			}
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(Trial.output(handle, SandboxOutputChunk.class)).hasSize(3_000_000);
			Outcome other = trial().run("echo other");
			assertThat(other.out()).isEqualTo("other\n");
			assertThat(other.took()).isLessThan(Duration.ofSeconds(20));
		}
		finally {
			released.countDown();
			blocked.forEach(Disposable::dispose);
		}
	}

	@Test
	void subscriberWithoutDemandDoesNotDelayTheCommand() {
		try (SandboxHandle handle = startMuch()) {
			BaseSubscriber<SandboxOutputChunk> idle = new BaseSubscriber<>() {

				@Override
				protected void hookOnSubscribe(Subscription subscription) {
					// requests nothing
				}

			};
			handle.output().subscribe(idle);
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			idle.cancel();
		}
	}

	@Test
	void cancelledSubscriptionDoesNotEndTheCommand() {
		try (SandboxHandle handle = trial().start("echo first; sleep 0.3; echo last")) {
			handle.output().blockFirst(Trial.PATIENCE);
			handle.output().subscribe().dispose();
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class))).isEqualTo("first\nlast\n");
		}
	}

	@Test
	void subscriberThatThrowsDoesNotAffectOthers() {
		try (SandboxHandle handle = startMuch()) {
			CompletableFuture<Throwable> failure = new CompletableFuture<>();
			handle.output().subscribe((chunk) -> {
				throw new IllegalStateException("a subscriber that fails");
			}, failure::complete);
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(Trial.output(handle, SandboxOutputChunk.class)).hasSize(3_000_000);
			assertThat(failure.orTimeout(60, TimeUnit.SECONDS).join()).hasMessage("a subscriber that fails");
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
