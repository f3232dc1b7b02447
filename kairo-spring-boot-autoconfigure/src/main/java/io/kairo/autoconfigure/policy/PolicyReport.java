package io.kairo.autoconfigure.policy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.autoconfigure.policy.PolicyProperties.Approvals;
import io.kairo.governance.policy.PolicyAction;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Logs the policy, one line for each rule, and what is probably a mistake in it.
 *
 * @param policy the policy
 * @param catalog the tools
 * @param approvals the properties of approvals
 * @param handled whether there is a handler of approvals
 */
record PolicyReport(ToolPolicy policy, ObjectProvider<ToolCatalog> catalog, Approvals approvals,
		boolean handled) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog("io.kairo");

	@Override
	public void afterSingletonsInstantiated() {
		List<String> lines = this.policy.describe();
		for (int i = 0; i < lines.size(); i++) {
			logger.info("Kairo: policy rule %d of %d: %s".formatted(i + 1, lines.size(), lines.get(i)));
		}
		this.catalog.ifAvailable(this::warnOfUnknownTools);
		if (asks() && !this.handled && this.approvals.approverRoles().isEmpty()
				&& this.approvals.operatorRoles().isEmpty()) {
			logger.warn("Kairo: calls that the policy asks about fail after " + this.approvals.timeout()
					+ ", unless the application answers with Approvals: define an ApprovalHandler, or set "
					+ "kairo.policy.approvals.approver-roles or operator-roles for the endpoint kairoapprovals");
		}
	}

	private void warnOfUnknownTools(ToolCatalog tools) {
		Set<String> names = tools.definitions()
			.stream()
			.map(ToolDefinition::name)
			.collect(Collectors.toUnmodifiableSet());
		this.policy.unmatchedTools(names)
			.forEach((rule, patterns) -> logger.warn("Kairo: the policy rule '" + rule + "' names tools that this "
					+ "application does not have: " + String.join(", ", patterns)));
	}

	private boolean asks() {
		return this.policy.otherwise() == PolicyAction.ASK
				|| this.policy.rules().stream().anyMatch((rule) -> rule.action() == PolicyAction.ASK);
	}

}
