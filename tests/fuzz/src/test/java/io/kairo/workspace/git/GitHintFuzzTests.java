package io.kairo.workspace.git;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kairo.api.workspace.WorkspacePathException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the hints that name remote repositories.
 */
class GitHintFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void hintIsParsedOrRefused(byte[] hint) {
		try {
			GitHint parsed = GitHint.parse("git:" + new String(hint, StandardCharsets.UTF_8));
			assertThat(parsed.url().text()).doesNotStartWith("-").doesNotContainPattern("\\p{Cntrl}|/\\.\\.?(/|$)");
			assertThat(parsed.url().text()).doesNotContainPattern("^[A-Za-z0-9+.-]*::");
			assertThat(RemoteUrl.parse(parsed.url().text())).isEqualTo(parsed.url());
		}
		catch (WorkspacePathException ex) {
			// Explained to the caller.
		}
	}

}
