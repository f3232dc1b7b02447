package io.kairo.mcp;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpBody}.
 */
class McpBodyTests {

	private static final DataSize MAXIMUM = DataSize.ofMegabytes(1);

	private final McpBody.Chunks chunks = new McpBody.Chunks(MAXIMUM, 0);

	private McpBody body(String tenant) {
		return new McpBody(MAXIMUM, tenant, this.chunks, () -> () -> {
		});
	}

	private static void fill(McpBody body) {
		body.add(new byte[1024 * 1024], 1024 * 1024);
	}

	@Test
	void largeMessagesOfTenantLeaveRoomForOthers() {
		McpBody first = body("a");
		fill(first);
		assertThatExceptionOfType(McpRefusedException.class).isThrownBy(() -> fill(body("a")))
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(503));
		McpBody other = body("b");
		fill(other);
		assertThatExceptionOfType(McpRefusedException.class).isThrownBy(() -> fill(body("c")));
		body("a").add(new byte[1000], 1000);
		other.close();
		fill(body("c"));
		first.close();
		first.close();
		fill(body("a"));
	}

	@Test
	void closedMessageTakesNothing() {
		McpBody closed = body("a");
		closed.close();
		assertThatExceptionOfType(McpRefusedException.class).isThrownBy(() -> fill(closed));
		fill(body("a"));
	}

	@Test
	void messageAboveMaximumIsRefused() {
		assertThatExceptionOfType(McpRefusedException.class).isThrownBy(() -> body("a").requireLength(1024 * 1024 + 1))
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(413));
		McpBody body = body("a");
		fill(body);
		assertThatExceptionOfType(McpRefusedException.class).isThrownBy(() -> body.add(new byte[1], 1))
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(413));
	}

}
