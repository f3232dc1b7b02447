package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link SandboxRequest}.
 */
class SandboxRequestTests {

	private static final Path ROOT = Path.of("/project");

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final TenantContext TENANT = new TenantContext("acme", "ann");

	private static SandboxRequest request(String command, Duration timeout, long maxOutputBytes) {
		return new SandboxRequest(command, ROOT, Map.of(), timeout, maxOutputBytes, TENANT, false);
	}

	@Nested
	class Construction {

		@Test
		void requestKeepsGivenValues() {
			SandboxAttributes attributes = SandboxAttributes.builder().tailBytes(7).build();
			SandboxRequest request = new SandboxRequest("ls", ROOT, Map.of("A", "b"), SECOND, 10, TENANT, true,
					attributes);
			assertThat(request.command()).isEqualTo("ls");
			assertThat(request.workspaceRoot()).isEqualTo(ROOT);
			assertThat(request.env()).containsOnly(Map.entry("A", "b"));
			assertThat(request.timeout()).isEqualTo(SECOND);
			assertThat(request.maxOutputBytes()).isEqualTo(10);
			assertThat(request.tenant()).isSameAs(TENANT);
			assertThat(request.readOnly()).isTrue();
			assertThat(request.attributes()).isSameAs(attributes);
		}

		@Test
		void constructorWithoutAttributesUsesNone() {
			SandboxRequest request = new SandboxRequest("ls", ROOT, Map.of("A", "b"), SECOND, 10, TENANT, true);
			assertThat(request.attributes()).isSameAs(SandboxAttributes.NONE);
			assertThat(request).isEqualTo(
					new SandboxRequest("ls", ROOT, Map.of("A", "b"), SECOND, 10, TENANT, true, SandboxAttributes.NONE));
		}

		@Test
		void constructorReplacesNullByDefault() {
			SandboxRequest request = new SandboxRequest("ls", ROOT, null, SECOND, 10, null, false, null);
			assertThat(request.env()).isEmpty();
			assertThat(request.tenant()).isSameAs(TenantContext.SINGLE);
			assertThat(request.attributes()).isSameAs(SandboxAttributes.NONE);
			assertThat(new SandboxRequest("ls", ROOT, null, SECOND, 10, null, false)).isEqualTo(request);
		}

		@Test
		void environmentIsCopied() {
			Map<String, String> env = new HashMap<>(Map.of("A", "b"));
			SandboxRequest request = new SandboxRequest("ls", ROOT, env, SECOND, 10, TENANT, false);
			env.put("A", "c");
			assertThat(request.env()).containsOnly(Map.entry("A", "b"));
			assertThatThrownBy(() -> request.env().put("A", "c")).isInstanceOf(UnsupportedOperationException.class);
		}

	}

	@Nested
	class Validation {

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "\n\t" })
		void blankCommandIsRefused(String blank) {
			assertThatIllegalArgumentException().isThrownBy(() -> request(blank, SECOND, 10));
		}

		@ParameterizedTest
		@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
		void timeoutMustBePositive(long millis) {
			assertThatIllegalArgumentException().isThrownBy(() -> request("ls", Duration.ofMillis(millis), 10))
				.withMessageContaining("timeout");
		}

		@ParameterizedTest
		@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
		void maxOutputBytesMustBePositive(long bytes) {
			assertThatIllegalArgumentException().isThrownBy(() -> request("ls", SECOND, bytes))
				.withMessageContaining("maxOutputBytes is " + bytes);
		}

		@Test
		void smallestPositiveValuesAreAccepted() {
			assertThat(request("x", Duration.ofNanos(1), 1)).isNotNull();
		}

		@Test
		void commandRootAndTimeoutAreRequired() {
			assertThatNullPointerException().isThrownBy(() -> request(null, SECOND, 10));
			assertThatNullPointerException().isThrownBy(() -> request("ls", null, 10));
			assertThatNullPointerException()
				.isThrownBy(() -> new SandboxRequest("ls", null, Map.of(), SECOND, 10, TENANT, false));
		}

	}

	@Nested
	class Building {

		@Test
		void builderDefaultsAreThirtySecondsOneMebibyteSingleTenantAndWritable() {
			SandboxRequest request = new SandboxRequest.Builder("ls", ROOT).build();
			assertThat(request).isEqualTo(new SandboxRequest("ls", ROOT, Map.of(), Duration.ofSeconds(30), 1024 * 1024,
					TenantContext.SINGLE, false, SandboxAttributes.NONE));
		}

		@Test
		void builderSetsAllValues() {
			SandboxAttributes attributes = SandboxAttributes.builder().stdin(true).build();
			SandboxRequest request = new SandboxRequest.Builder("ls", ROOT).env(Map.of("A", "b"))
				.timeout(SECOND)
				.maxOutputBytes(10)
				.tenant(TENANT)
				.readOnly(true)
				.attributes(attributes)
				.build();
			assertThat(request)
				.isEqualTo(new SandboxRequest("ls", ROOT, Map.of("A", "b"), SECOND, 10, TENANT, true, attributes));
		}

		@Test
		void builderReplacesNullByDefault() {
			assertThat(new SandboxRequest.Builder("ls", ROOT).env(null).tenant(null).attributes(null).build())
				.isEqualTo(new SandboxRequest.Builder("ls", ROOT).build());
		}

		@Test
		void builderValidatesLikeRecord() {
			assertThatIllegalArgumentException().isThrownBy(new SandboxRequest.Builder(" ", ROOT)::build);
			assertThatIllegalArgumentException()
				.isThrownBy(new SandboxRequest.Builder("ls", ROOT).timeout(Duration.ZERO)::build);
		}

	}

}
