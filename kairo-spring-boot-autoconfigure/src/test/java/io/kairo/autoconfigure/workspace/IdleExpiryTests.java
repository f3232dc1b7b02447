package io.kairo.autoconfigure.workspace;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdleExpiry}.
 */
class IdleExpiryTests {

	@Test
	void expiryContinuesAfterFailure() {
		AtomicInteger times = new AtomicInteger();
		IdleExpiry expiry = new IdleExpiry("things", Duration.ofMillis(2), () -> {
			switch (times.incrementAndGet()) {
				case 1 -> throw new IllegalStateException("once");
				case 2 -> throw new NoClassDefFoundError("twice");
				default -> assertThat(Thread.currentThread().getName()).isEqualTo("kairo-idle-things");
			}
		});
		expiry.afterPropertiesSet();
		try {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(times).hasValueGreaterThan(3));
		}
		finally {
			expiry.destroy();
		}
	}

	@Test
	void expiryStartsWithTimeoutOfAnyLength() {
		for (Duration timeout : new Duration[] { Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE) }) {
			IdleExpiry expiry = new IdleExpiry("things", timeout, () -> {
			});
			expiry.afterPropertiesSet();
			expiry.destroy();
		}
	}

}
