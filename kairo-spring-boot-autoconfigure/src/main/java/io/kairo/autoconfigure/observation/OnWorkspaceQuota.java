package io.kairo.autoconfigure.observation;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Matches if a quota of workspaces is configured.
 */
final class OnWorkspaceQuota extends AnyNestedCondition {

	OnWorkspaceQuota() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnProperty("kairo.workspace.quota.bytes")
	static final class OfBytes {

	}

	@ConditionalOnProperty("kairo.workspace.quota.files")
	static final class OfFiles {

	}

}
