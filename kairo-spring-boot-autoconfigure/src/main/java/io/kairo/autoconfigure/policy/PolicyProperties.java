package io.kairo.autoconfigure.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaInitialization;
import io.kairo.boot.PropertyBounds;
import io.kairo.governance.policy.ApprovalOptions;
import io.kairo.governance.policy.PolicyAction;
import io.kairo.governance.policy.PolicyRule;
import io.kairo.governance.policy.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the policy of tool calls and their approval.
 *
 * @param rules Rules in their order, of which the first that matches a call decides.
 * Without any, without otherwise, and without a bean of type ToolPolicy, every call is
 * allowed.
 * @param otherwise Action for calls that no rule matches: allow, ask or deny.
 * @param pathArguments Names of the arguments that are paths, by the name of a tool of
 * the application.
 * @param approvals Approval of calls that a rule asks about.
 */
@ConfigurationProperties("kairo.policy")
public record PolicyProperties(@DefaultValue List<Rule> rules, @DefaultValue("deny") PolicyAction otherwise,
		@DefaultValue Map<String, Set<String>> pathArguments,
		@NestedConfigurationProperty @DefaultValue Approvals approvals) {

	/**
	 * Creates the properties.
	 */
	public PolicyProperties {
		rules = List.copyOf(rules);
		pathArguments = Map.copyOf(pathArguments);
	}

	/**
	 * Creates the policy.
	 * @throws InvalidConfigurationPropertyValueException if a rule is invalid
	 */
	ToolPolicy policy() {
		List<PolicyRule> created = new ArrayList<>();
		for (int i = 0; i < this.rules.size(); i++) {
			created.add(this.rules.get(i).rule("kairo.policy.rules[" + i + "]"));
		}
		try {
			return new ToolPolicy(created, this.otherwise, this.pathArguments);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("kairo.policy.rules",
					created.stream().map(PolicyRule::name).toList(), String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Returns the property of a rule.
	 * @return the property, empty if the rule is one of a bean
	 */
	Optional<String> propertyOf(String rule) {
		return IntStream.range(0, this.rules.size())
			.filter((i) -> rule.equals(this.rules.get(i).name()))
			.mapToObj((i) -> "kairo.policy.rules[" + i + "]")
			.findFirst();
	}

	/**
	 * Configuration properties for a rule, which matches a call if all of its conditions
	 * are met. A condition without values is met by every call.
	 *
	 * @param name Unique name of the rule, for the log, the audit and approvals.
	 * @param action Action: allow, ask, review or deny.
	 * @param tools Names of tools; * stands for any characters, ? for one.
	 * @param tenants Ids of tenants, with the same wildcards.
	 * @param paths Globs of paths below a root of the workspace.
	 * @param commands Regular expressions of commands, in the syntax of RE2. A comma
	 * separates two of them, unless each has an index of its own.
	 * @param reason Reason, which is shown to the model and to people who approve a call.
	 * @param network Whether commands have the network of the sandbox while a call is
	 * tried for review.
	 */
	public record Rule(@Nullable String name, @Nullable PolicyAction action, @DefaultValue List<String> tools,
			@DefaultValue List<String> tenants, @DefaultValue List<String> paths, @DefaultValue List<String> commands,
			@Nullable String reason, @DefaultValue("true") boolean network) {

		private PolicyRule rule(String property) {
			if (this.name == null) {
				throw new InvalidConfigurationPropertyValueException(property + ".name", null,
						"a rule needs a name, which the audit records");
			}
			if (this.action == null) {
				throw new InvalidConfigurationPropertyValueException(property + ".action", null,
						"a rule needs an action: allow, ask, review or deny");
			}
			try {
				return new PolicyRule(this.name, this.action, this.tools, this.tenants, this.paths, this.commands,
						this.reason, this.network);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidConfigurationPropertyValueException(property, this.name,
						String.valueOf(ex.getMessage()));
			}
		}

	}

	/**
	 * Configuration properties for approvals.
	 *
	 * @param store Store of the requests: memory or jdbc.
	 * @param timeout Time after which a request expires, for which a call waits.
	 * @param pollInterval Time between two looks at the store, for answers given to
	 * another instance.
	 * @param maxPending Maximum number of open requests of a tenant.
	 * @param maxSessionGrant Maximum time for which further calls of a session are
	 * allowed.
	 * @param approverRoles Roles of users who see and answer the requests of their own
	 * tenant at the endpoint kairoapprovals.
	 * @param operatorRoles Roles of users who see and answer the requests of all tenants
	 * at the endpoint kairoapprovals.
	 * @param jdbc Store of type jdbc.
	 */
	public record Approvals(@DefaultValue("memory") ApprovalStoreType store, @DefaultValue("10m") Duration timeout,
			@DefaultValue("1s") Duration pollInterval, @DefaultValue("100") int maxPending,
			@DefaultValue("8h") Duration maxSessionGrant, @DefaultValue Set<String> approverRoles,
			@DefaultValue Set<String> operatorRoles, @NestedConfigurationProperty @DefaultValue Jdbc jdbc) {

		/**
		 * Creates the properties.
		 * @param maxPending the maximum number of pending requests of a tenant, at least
		 * 1
		 */
		public Approvals {
			new PropertyBounds("kairo.policy.approvals.").positive("timeout", timeout)
				.positive("poll-interval", pollInterval)
				.positive("max-session-grant", maxSessionGrant)
				.atLeast("max-pending", maxPending, 1);
			JdbcProperties.requireModule("kairo.policy.approvals.store", store == ApprovalStoreType.JDBC);
			approverRoles = Set.copyOf(approverRoles);
			operatorRoles = Set.copyOf(operatorRoles);
		}

		/**
		 * Returns the bounds.
		 */
		ApprovalOptions options() {
			return new ApprovalOptions(this.timeout, this.pollInterval, this.maxPending, this.maxSessionGrant);
		}

	}

	/**
	 * Configuration properties for the store of type jdbc.
	 *
	 * @param timeout Timeout of statements, in full seconds.
	 * @param initializeSchema When to create the tables: in embedded databases, always,
	 * or never. By default, as kairo.jdbc.initialize-schema.
	 */
	public record Jdbc(@DefaultValue("5s") Duration timeout, @Nullable SchemaInitialization initializeSchema) {

		/**
		 * Creates the properties.
		 * @param timeout the timeout of statements, at least one second
		 */
		public Jdbc {
			new PropertyBounds("kairo.policy.approvals.jdbc.").between("timeout", timeout, Duration.ofSeconds(1),
					Duration.ofDays(365));
		}

	}

	/**
	 * The stores of approvals.
	 */
	public enum ApprovalStoreType {

		/** The memory of this instance, whose end ends all requests. */
		MEMORY,

		/** Two tables of a database. */
		JDBC

	}

}
