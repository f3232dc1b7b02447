package io.kairo.tools;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Cancellation}.
 */
class CancellationTests {

	private final Cancellation cancellation = new Cancellation();

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void cancelRunsListenersOnce() {
		this.cancellation.onCancel(this.runs::incrementAndGet);
		this.cancellation.cancel();
		this.cancellation.cancel();
		assertThat(this.runs).hasValue(1);
		assertThat(this.cancellation.isCancelled()).isTrue();
	}

	@Test
	void listenerAddedAfterCancelRunsImmediately() {
		this.cancellation.cancel();
		this.cancellation.onCancel(this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void cancelDoesNotRunRemovedListener() {
		this.cancellation.onCancel(this.runs::incrementAndGet).close();
		this.cancellation.cancel();
		assertThat(this.runs).hasValue(0);
	}

}
