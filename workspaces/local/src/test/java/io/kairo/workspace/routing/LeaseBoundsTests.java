package io.kairo.workspace.routing;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaseBounds}.
 */
class LeaseBoundsTests {

	@Test
	void durationNotAboveZeroIsRejectedByName() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LeaseBounds(Duration.ZERO, (tenant) -> 1, Duration.ofSeconds(1)))
			.withMessageContainingAll("idleTimeout is PT0S", "above zero", "null");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LeaseBounds(null, (tenant) -> 1, Duration.ofSeconds(-1)))
			.withMessageContainingAll("closeTimeout is PT-1S", "above zero");
	}

}
