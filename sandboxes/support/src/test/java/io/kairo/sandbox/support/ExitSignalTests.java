package io.kairo.sandbox.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxExit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ExitSignal}.
 */
@Timeout(60)
class ExitSignalTests {

	private final ExitSignal signal = new ExitSignal();

	private final SandboxExit exit = new SandboxExit(0, null, false, false);

	@Test
	void emissionEndsWithTheLastSubscriber() throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch asked = new CountDownLatch(1);
		CompletableFuture<Boolean> itself = new CompletableFuture<>();
		this.signal.mono().subscribe((value) -> {
			try {
				itself.complete(this.signal.awaitEmission(0));
				asked.countDown();
				go.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.signal.mono().subscribe();
		assertThat(this.signal.awaitEmission(0)).isFalse();
		this.signal.emit(this.exit);
		asked.await();
		assertThat(itself).as("a subscriber does not wait for itself").isCompletedWithValue(true);
		assertThat(this.signal.awaitEmission(0)).isFalse();
		go.countDown();
		assertThat(this.signal.awaitEmission(Duration.ofSeconds(50).toNanos())).isTrue();
	}

	@Test
	void emissionWithoutSubscribersEndsAtOnce() throws Exception {
		this.signal.emit(this.exit);
		assertThat(this.signal.awaitEmission(0)).isTrue();
	}

	@Test
	void emissionEndsThoughASubscriberFails() throws Exception {
		this.signal.mono().subscribe((value) -> {
			throw new IllegalStateException("on purpose");
		}, (ex) -> {
		});
		this.signal.emit(this.exit);
		assertThat(this.signal.awaitEmission(0)).isTrue();
	}

}
