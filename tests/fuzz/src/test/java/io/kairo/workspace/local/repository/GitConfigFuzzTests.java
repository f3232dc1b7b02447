package io.kairo.workspace.local.repository;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the reader of the configuration of Git.
 */
class GitConfigFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void configurationIsTheSameWhenItIsWritten(byte[] content) {
		GitConfig config = GitConfig.parse(content);
		if (config != null && config.plain()) {
			GitConfig written = GitConfig.parse(GitConfig.write(config.settings()));
			assertThat(written).isNotNull();
			assertThat(written.settings()).isEqualTo(config.settings());
		}
	}

}
