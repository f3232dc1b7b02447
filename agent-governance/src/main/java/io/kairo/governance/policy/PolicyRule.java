package io.kairo.governance.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A rule of a policy. It matches a call that meets all of its conditions; a condition
 * without values is met by every call. Immutable.
 * <p>
 * A condition on paths or commands is met in a way that errs on the side of refusal. A
 * rule that allows needs all paths or commands of the call to match, and to be known. A
 * rule that asks or denies needs a single match.
 * <p>
 * Patterns of commands are a comfort, not a boundary: a shell has many spellings of the
 * same command. The sandbox is the boundary.
 *
 * @param name the unique name, up to {@value #MAX_NAME} characters
 * @param action the action
 * @param tools names of tools; {@code *} stands for any characters and {@code ?} for one
 * @param tenants ids of tenants, with the same wildcards
 * @param paths globs of paths below a root of the workspace, such as
 * {@code src/**}&#47;{@code *.java}; a glob without a slash is for names at any depth. A
 * rule that asks or denies also covers files below a matching directory, and ignores case
 * @param commands regular expressions in the syntax of RE2; to allow, an expression must
 * match the whole command, to ask or deny, a part of it
 * @param reason the reason for the model, null for a general one
 * @param network whether commands in the trial of a call that is reviewed have the
 * network of the sandbox; true for other actions
 */
public record PolicyRule(String name, PolicyAction action, List<String> tools, List<String> tenants, List<String> paths,
		List<String> commands, @Nullable String reason, boolean network) {

	static final int MAX_NAME = 100;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the name is blank or too long, a pattern is
	 * invalid, there are both paths and commands, or a rule without network does not
	 * review
	 */
	public PolicyRule {
		Objects.requireNonNull(action, "action");
		tools = List.copyOf(tools);
		tenants = List.copyOf(tenants);
		paths = List.copyOf(paths);
		commands = List.copyOf(commands);
		if (name.isBlank() || name.length() > MAX_NAME) {
			throw new IllegalArgumentException(
					"The name '" + name + "' of a rule is invalid: it must have 1 to " + MAX_NAME + " characters");
		}
		if (!paths.isEmpty() && !commands.isEmpty()) {
			throw new IllegalArgumentException(
					"The rule '" + name + "' has paths and commands, so that no call matches: make two rules of it");
		}
		if (!network && action != PolicyAction.REVIEW) {
			throw new IllegalArgumentException("The rule '" + name + "' is without network, but its action is "
					+ lower(action) + ": only calls that are reviewed are tried without network");
		}
		try {
			tools.forEach(NamePattern::new);
			tenants.forEach(NamePattern::new);
			paths.forEach(PathPattern::new);
			commands.forEach(CommandPattern::new);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The rule '" + name + "' is invalid: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Begins a rule that allows calls.
	 * @param name the unique name
	 * @return a builder without conditions
	 */
	public static Builder allow(String name) {
		return new Builder(name, PolicyAction.ALLOW);
	}

	/**
	 * Begins a rule that asks for approval.
	 * @param name the unique name
	 * @return a builder without conditions
	 */
	public static Builder ask(String name) {
		return new Builder(name, PolicyAction.ASK);
	}

	/**
	 * Begins a rule that tries calls, and asks for approval of what they changed.
	 * @param name the unique name
	 * @return a builder without conditions
	 */
	public static Builder review(String name) {
		return new Builder(name, PolicyAction.REVIEW);
	}

	/**
	 * Begins a rule that denies calls.
	 * @param name the unique name
	 * @return a builder without conditions
	 */
	public static Builder deny(String name) {
		return new Builder(name, PolicyAction.DENY);
	}

	/**
	 * Describes the rule for the log.
	 * @return a line such as {@code deny-secrets: deny paths secrets/**}
	 */
	public String describe() {
		StringBuilder line = new StringBuilder(this.name).append(": ").append(lower(this.action));
		append(line, "tools", this.tools);
		append(line, "tenants", this.tenants);
		append(line, "paths", this.paths);
		append(line, "commands", this.commands);
		if (this.tools.isEmpty() && this.tenants.isEmpty() && this.paths.isEmpty() && this.commands.isEmpty()) {
			line.append(" every call");
		}
		if (!this.network) {
			line.append(" without network");
		}
		return ((this.reason != null) ? line.append(" (").append(this.reason).append(')') : line).toString();
	}

	static String lower(PolicyAction action) {
		return switch (action) {
			case ALLOW -> "allow";
			case ASK -> "ask";
			case REVIEW -> "review";
			case DENY -> "deny";
		};
	}

	private static void append(StringBuilder line, String condition, List<String> values) {
		if (!values.isEmpty()) {
			line.append(' ').append(condition).append(' ').append(String.join(", ", values));
		}
	}

	/**
	 * A builder of a rule. For use by one thread.
	 */
	public static final class Builder {

		private final String name;

		private final PolicyAction action;

		private final List<String> tools = new ArrayList<>();

		private final List<String> tenants = new ArrayList<>();

		private final List<String> paths = new ArrayList<>();

		private final List<String> commands = new ArrayList<>();

		private @Nullable String reason;

		private boolean network = true;

		private Builder(String name, PolicyAction action) {
			this.name = name;
			this.action = action;
		}

		/**
		 * Adds names of tools.
		 * @param tools the names, with wildcards
		 * @return this builder
		 */
		public Builder tools(String... tools) {
			this.tools.addAll(List.of(tools));
			return this;
		}

		/**
		 * Adds ids of tenants.
		 * @param tenants the ids, with wildcards
		 * @return this builder
		 */
		public Builder tenants(String... tenants) {
			this.tenants.addAll(List.of(tenants));
			return this;
		}

		/**
		 * Adds globs of paths.
		 * @param paths the globs
		 * @return this builder
		 */
		public Builder paths(String... paths) {
			this.paths.addAll(List.of(paths));
			return this;
		}

		/**
		 * Adds patterns of commands.
		 * @param commands regular expressions
		 * @return this builder
		 */
		public Builder commands(String... commands) {
			this.commands.addAll(List.of(commands));
			return this;
		}

		/**
		 * Sets the reason for the model.
		 * @param reason the reason, a sentence
		 * @return this builder
		 */
		public Builder reason(String reason) {
			this.reason = reason;
			return this;
		}

		/**
		 * Lets the commands of a call that is reviewed have no network while it is tried.
		 * Where the sandbox cannot enforce this, they are refused.
		 * @return this builder
		 */
		public Builder withoutNetwork() {
			this.network = false;
			return this;
		}

		/**
		 * Creates the rule.
		 * @return the rule
		 * @throws IllegalArgumentException if it is invalid
		 */
		public PolicyRule build() {
			return new PolicyRule(this.name, this.action, this.tools, this.tenants, this.paths, this.commands,
					this.reason, this.network);
		}

	}

}
