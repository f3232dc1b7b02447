package io.kairo.tools;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CallDeadline}.
 */
class CallDeadlineTests {

	private final Cancellation cancellation = new Cancellation();

	@Test
	void workIsOverAfterTimeout() {
		assertThat(new CallDeadline(Duration.ofDays(400_000), this.cancellation).isOver()).isFalse();
		CallDeadline passed = new CallDeadline(Duration.ofNanos(-1), this.cancellation);
		assertThat(passed.isOver()).isTrue();
		assertThat(passed.isCancelled()).isFalse();
	}

	@Test
	void workIsOverWhenCallIsCancelled() {
		CallDeadline deadline = new CallDeadline(Duration.ofDays(1), this.cancellation);
		this.cancellation.cancel();
		assertThat(deadline.isOver()).isTrue();
		assertThat(deadline.isCancelled()).isTrue();
	}

	@Test
	void workIsOverWhenThreadIsInterrupted() {
		CallDeadline deadline = new CallDeadline(Duration.ofDays(1), this.cancellation);
		Thread.currentThread().interrupt();
		boolean over = deadline.isOver();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(over).isTrue();
	}

	@Test
	void timeoutOfZeroIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallDeadline.requirePositive(Duration.ZERO))
			.withMessage("deadline is PT0S: it must be above zero");
	}

}
