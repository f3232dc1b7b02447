package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.git.GitUnavailableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Advises what to do where the program git is asked for and missing.
 */
final class GitUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<GitUnavailableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, GitUnavailableException cause) {
		return new FailureAnalysis(
				"The property kairo.workspace.git.client is 'git', and that program cannot be run on this machine.",
				"Install git where this application finds it in its PATH, or set kairo.workspace.git.client to 'auto' "
						+ "or 'jgit', which needs nothing installed.",
				cause);
	}

}
