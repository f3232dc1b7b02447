package io.kairo.workspace.git.autoconfigure;

import io.kairo.workspace.git.GitUnavailableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for a missing git program that is configured as client.
 */
final class GitUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<GitUnavailableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, GitUnavailableException cause) {
		return new FailureAnalysis(
				"The property kairo.workspace.git.client is 'git', but that program cannot be run on this machine.",
				"Install git in the PATH of this application, or set kairo.workspace.git.client to 'auto' "
						+ "or 'jgit', which needs no installation.",
				cause);
	}

}
