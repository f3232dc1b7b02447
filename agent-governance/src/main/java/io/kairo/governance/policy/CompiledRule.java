package io.kairo.governance.policy;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.kairo.governance.policy.CallTargets.Knowledge;
import org.jspecify.annotations.Nullable;

/**
 * A rule that is ready to be matched. Immutable.
 */
final class CompiledRule {

	private final PolicyRule rule;

	private final List<NamePattern> tools;

	private final List<NamePattern> tenants;

	private final List<PathPattern> paths;

	private final List<CommandPattern> commands;

	CompiledRule(PolicyRule rule) {
		this.rule = rule;
		this.tools = rule.tools().stream().map(NamePattern::new).toList();
		this.tenants = rule.tenants().stream().map(NamePattern::new).toList();
		this.paths = rule.paths().stream().map(PathPattern::new).toList();
		this.commands = rule.commands().stream().map(CommandPattern::new).toList();
	}

	PolicyRule rule() {
		return this.rule;
	}

	/**
	 * Returns the patterns of tools that match none of the names.
	 */
	List<String> unmatchedTools(Set<String> names) {
		return IntStream.range(0, this.tools.size())
			.filter((i) -> names.stream().noneMatch(this.tools.get(i)::matches))
			.mapToObj(this.rule.tools()::get)
			.toList();
	}

	/**
	 * Returns whether a call matches.
	 * @param identity the identity of a tool of Kairo; a rule that asks or denies matches
	 * it too
	 * @param targets the targets of the call, determined only if needed
	 */
	boolean matches(String tool, @Nullable String identity, String tenant, Supplier<CallTargets> targets) {
		return isAbout(tool, identity, tenant) && (this.paths.isEmpty() || matchesPaths(targets.get()))
				&& (this.commands.isEmpty() || matchesCommands(targets.get()));
	}

	/**
	 * Returns whether the rule is about calls of a tool, perhaps only about some.
	 */
	boolean isAbout(String tool, @Nullable String identity, String tenant) {
		return (matches(this.tools, tool)
				|| (identity != null && this.rule.action() != PolicyAction.ALLOW && matches(this.tools, identity)))
				&& matches(this.tenants, tenant);
	}

	/**
	 * Returns whether the rule matches each call that it is about.
	 */
	boolean isUnconditional() {
		return this.paths.isEmpty() && this.commands.isEmpty();
	}

	private static boolean matches(List<NamePattern> patterns, String name) {
		return patterns.isEmpty() || patterns.stream().anyMatch((pattern) -> pattern.matches(name));
	}

	private boolean matchesPaths(CallTargets targets) {
		if (this.rule.action() == PolicyAction.ALLOW) {
			return targets.knowledge() == Knowledge.COMPLETE && !targets.paths().isEmpty()
					&& targets.paths()
						.stream()
						.allMatch((path) -> this.paths.stream().anyMatch((pattern) -> pattern.covers(path)));
		}
		return targets.knowledge() == Knowledge.UNREADABLE || targets.paths()
			.stream()
			.anyMatch((path) -> this.paths.stream().anyMatch((pattern) -> pattern.touches(path)));
	}

	private boolean matchesCommands(CallTargets targets) {
		if (this.rule.action() == PolicyAction.ALLOW) {
			return targets.commandKnowledge() == Knowledge.COMPLETE && !targets.commands().isEmpty()
					&& targets.commands()
						.stream()
						.allMatch((command) -> this.commands.stream().anyMatch((pattern) -> pattern.matches(command)));
		}
		return targets.commandKnowledge() == Knowledge.UNREADABLE || targets.commands()
			.stream()
			.anyMatch((command) -> this.commands.stream().anyMatch((pattern) -> pattern.isIn(command)));
	}

}
