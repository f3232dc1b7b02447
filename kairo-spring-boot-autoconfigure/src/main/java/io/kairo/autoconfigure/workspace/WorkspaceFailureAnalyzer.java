package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for a provider of workspaces that cannot be created,
 * with the paths of the host that its message leaves out.
 */
final class WorkspaceFailureAnalyzer extends AbstractFailureAnalyzer<WorkspaceException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, WorkspaceException cause) {
		if (findCause(rootFailure, BeanCreationException.class) == null) {
			return null; // of a workspace that the application has opened itself
		}
		Throwable reason = cause.getCause();
		return new FailureAnalysis(
				"Workspaces cannot be provided (" + cause.code().code() + "): " + cause.getMessage()
						+ ((reason != null) ? " (" + reason + ")." : "."),
				"Correct the cause, or choose another directory: kairo.state-dir for all workspaces that are created, or "
						+ "the property directory below kairo.workspace.git, kairo.workspace.s3 or "
						+ "kairo.workspace.ephemeral.",
				cause);
	}

}
