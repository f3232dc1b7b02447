package io.kairo.workspace.git.autoconfigure;

import io.kairo.workspace.git.GitUnavailableException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GitUnavailableFailureAnalyzer}.
 */
class GitUnavailableFailureAnalyzerTests {

	@Test
	void missingGitProgramIsAnalyzed() {
		FailureAnalysis analysis = new GitUnavailableFailureAnalyzer().analyze(new GitUnavailableException());
		assertThat(analysis.getDescription()).contains("kairo.workspace.git.client");
		assertThat(analysis.getAction()).contains("jgit");
	}

}
