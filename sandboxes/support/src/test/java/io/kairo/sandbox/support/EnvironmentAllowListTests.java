package io.kairo.sandbox.support;

import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link EnvironmentAllowList}.
 */
class EnvironmentAllowListTests {

	private static final Map<String, String> INHERITED = Map.of("PATH", "/bin", "HOME", "/root", "LC_ALL", "C",
			"LC_TIME", "C", "SECRET", "s3cr3t");

	private static Map<String, String> environment(List<String> names, Map<String, String> requested) {
		return new EnvironmentAllowList(names).environment(INHERITED, requested);
	}

	@Test
	void onlyListedVariablesAreInherited() {
		assertThat(environment(EnvironmentAllowList.DEFAULT_NAMES, Map.of())).containsOnlyKeys("PATH", "HOME");
		assertThat(environment(List.of(), Map.of())).isEmpty();
	}

	@Test
	void starMatchesNamesWithPrefix() {
		assertThat(environment(List.of("LC_*"), Map.of())).containsOnlyKeys("LC_ALL", "LC_TIME");
		assertThat(environment(List.of("*"), Map.of())).isEqualTo(INHERITED);
	}

	@Test
	void requestedEntriesTakePrecedence() {
		assertThat(environment(List.of("PATH"), Map.of("PATH", "/opt", "X", "1")))
			.isEqualTo(Map.of("PATH", "/opt", "X", "1"));
	}

	@Test
	void inheritedPathKeepsOnlyVisibleDirectories() {
		EnvironmentAllowList all = new EnvironmentAllowList(List.of("*"));
		List<String> visible = List.of("/usr", "/bin");
		Map<String, String> inherited = Map.of("HOME", "/root", "PATH", "/usr/bin::/usrlocal:/opt/bin:/bin");
		assertThat(all.environment(inherited, Map.of(), "/home/sandbox", visible))
			.isEqualTo(Map.of("HOME", "/home/sandbox", "PATH", "/usr/bin:/bin"));
		assertThat(all.environment(Map.of("PATH", "/opt"), Map.of(), "/home/sandbox", visible)).containsOnlyKeys("PATH")
			.containsEntry("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin");
		Map<String, String> requested = Map.of("HOME", "/x", "PATH", "/opt");
		assertThat(all.environment(inherited, requested, "/home/sandbox", visible)).isEqualTo(requested);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "A=B" })
	void invalidNameCannotBeListed(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> new EnvironmentAllowList(List.of(name)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "A=B", "A\0" })
	void requestedEntryWithInvalidNameIsRefused(String name) {
		assertRefused(name, "v");
	}

	@Test
	void invalidValueIsRefusedAndOmittedFromMessage() {
		assertThat(assertRefused("TOKEN", "s3cr3t\0")).hasMessageContaining("TOKEN").hasMessageNotContaining("s3cr3t");
		assertThat(assertRefused("TOKEN", "s3cr3t".repeat(22_000))).hasMessageNotContaining("s3cr3t");
	}

	private static SandboxException assertRefused(String name, String value) {
		SandboxException[] refusal = new SandboxException[1];
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> environment(List.of(), Map.of(name, value)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_ENVIRONMENT))
			.satisfies((ex) -> refusal[0] = ex);
		return refusal[0];
	}

}
