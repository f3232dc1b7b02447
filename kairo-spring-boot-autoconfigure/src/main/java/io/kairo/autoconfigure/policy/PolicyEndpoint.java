package io.kairo.autoconfigure.policy;

import java.util.List;

import io.kairo.governance.policy.PolicyAction;
import io.kairo.governance.policy.PolicyRule;
import io.kairo.governance.policy.ToolPolicy;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint} for the policy of tool calls.
 */
@Endpoint(id = "kairopolicy", defaultAccess = Access.READ_ONLY)
public class PolicyEndpoint {

	private final ToolPolicy policy;

	PolicyEndpoint(ToolPolicy policy) {
		this.policy = policy;
	}

	/**
	 * Returns the rules.
	 * @return the rules in their order, and the action for calls that none matches
	 */
	@ReadOperation
	public Policy policy() {
		return new Policy(this.policy.rules(), this.policy.otherwise());
	}

	/**
	 * The policy.
	 *
	 * @param rules the rules in their order; the first match decides
	 * @param otherwise the action for calls that no rule matches
	 */
	public record Policy(List<PolicyRule> rules, PolicyAction otherwise) {

	}

}
