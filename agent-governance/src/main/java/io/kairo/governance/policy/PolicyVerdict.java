package io.kairo.governance.policy;

import java.util.Objects;

/**
 * The verdict of a policy on a call. Immutable.
 *
 * @param action the action
 * @param rule the name of the rule that decided, {@link ToolPolicy#DEFAULT_RULE} if none
 * matches
 * @param reason the reason, for the model
 */
public record PolicyVerdict(PolicyAction action, String rule, String reason) {

	/**
	 * Creates the value.
	 */
	public PolicyVerdict {
		Objects.requireNonNull(action, "action");
		Objects.requireNonNull(rule, "rule");
		Objects.requireNonNull(reason, "reason");
	}

}
