package io.kairo.sandbox.support;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JavaOptions}.
 */
class JavaOptionsTests {

	private static Map<String, String> added(Map<String, String> variables, String home) {
		Map<String, String> changed = new HashMap<>(variables);
		JavaOptions.addTo(changed, home);
		return changed;
	}

	@Test
	void usualDirectoriesNeedNoOptions() {
		Map<String, String> usual = Map.of("HOME", "/home/sandbox", "TMPDIR", "/tmp");
		assertThat(added(usual, "/home/sandbox")).isEqualTo(usual);
		assertThat(added(Map.of(), null)).isEmpty();
		assertThat(JavaOptions.notice(usual)).isNull();
	}

	@Test
	void directoriesOfEnvironmentAreThoseOfJava() {
		Map<String, String> variables = added(Map.of("HOME", "/h", "TMPDIR", "/state dir/t"), null);
		assertThat(variables).containsEntry("JAVA_TOOL_OPTIONS", "-Duser.home=/h \"-Djava.io.tmpdir=/state dir/t\"");
		assertThat(JavaOptions.notice(variables))
			.isEqualTo("Picked up JAVA_TOOL_OPTIONS: -Duser.home=/h \"-Djava.io.tmpdir=/state dir/t\"");
	}

	@Test
	void optionsOfRequestTakePrecedence() {
		assertThat(added(Map.of("HOME", "/h", "JAVA_TOOL_OPTIONS", "-Duser.home=/own"), "/root"))
			.containsEntry("JAVA_TOOL_OPTIONS", "-Duser.home=/h -Duser.home=/own");
	}

	@Test
	void valueThatCannotBeQuotedIsLeftOut() {
		assertThat(added(Map.of("HOME", "/a\"b", "TMPDIR", "/a\nb"), null)).doesNotContainKey("JAVA_TOOL_OPTIONS");
	}

	@Test
	void proxyOfEnvironmentIsThatOfJava() {
		Map<String, String> variables = added(Map.of("http_proxy", "http://127.0.0.1:3128", "https_proxy",
				"http://127.0.0.1:3129/", "no_proxy", "localhost,::1"), null);
		assertThat(variables.get("JAVA_TOOL_OPTIONS").split(" ")).contains("-Dhttp.proxyHost=127.0.0.1",
				"-Dhttp.proxyPort=3128", "-Dhttps.proxyHost=127.0.0.1", "-Dhttps.proxyPort=3129",
				"-Dhttp.nonProxyHosts=localhost|[::1]");
		for (String other : new String[] { "proxy", "http://proxy", "::", "http://a b:1" }) {
			assertThat(added(Map.of("http_proxy", other), null)).as(other).doesNotContainKey("JAVA_TOOL_OPTIONS");
		}
	}

}
