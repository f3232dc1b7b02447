package io.kairo.governance.policy;

import java.util.Objects;

/**
 * The verdict of a policy on a call. Immutable.
 *
 * @param action the action
 * @param rule the name of the rule that decided, {@link ToolPolicy#DEFAULT_RULE} if none
 * matches
 * @param reason the reason, for the model
 * @param network whether commands of a call that is reviewed have the network of the
 * sandbox
 */
public record PolicyVerdict(PolicyAction action, String rule, String reason, boolean network) {

	/**
	 * Creates the value.
	 */
	public PolicyVerdict {
		Objects.requireNonNull(action, "action");
		Objects.requireNonNull(rule, "rule");
		Objects.requireNonNull(reason, "reason");
	}

}
