package io.kairo.governance.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The policy of tool calls: rules in their order, and the action for all other calls. The
 * first rule that matches a call decides. Immutable and safe for use by several threads.
 * <p>
 * Paths come from the arguments, as the path gate resolves them. Links are not followed,
 * and commands may reach every path: the store and the sandbox protect paths that must
 * not be reached.
 */
public final class ToolPolicy {

	/** The name of the rule of calls that match no other one. */
	public static final String DEFAULT_RULE = "default";

	private final List<CompiledRule> rules;

	private final PolicyAction otherwise;

	private final Map<String, Set<String>> pathArguments;

	/**
	 * Creates a policy that denies every call that matches no rule.
	 * @param rules the rules in their order
	 * @throws IllegalArgumentException if two rules have the same name
	 */
	public ToolPolicy(List<PolicyRule> rules) {
		this(rules, PolicyAction.DENY, Map.of());
	}

	/**
	 * Creates a policy.
	 * @param rules the rules in their order
	 * @param otherwise the action for calls that match no rule
	 * @param pathArguments the names of the arguments that are paths, of tools of the
	 * application that do not declare them, by the names of the tools
	 * @throws IllegalArgumentException if two rules have the same name, or one has the
	 * name of the default
	 */
	public ToolPolicy(List<PolicyRule> rules, PolicyAction otherwise, Map<String, Set<String>> pathArguments) {
		Set<String> names = new HashSet<>(Set.of(DEFAULT_RULE));
		for (PolicyRule rule : rules) {
			if (!names.add(rule.name())) {
				throw new IllegalArgumentException("There is another rule '" + rule.name() + "': rename one of them");
			}
		}
		this.rules = rules.stream().map(CompiledRule::new).toList();
		this.otherwise = Objects.requireNonNull(otherwise, "otherwise");
		this.pathArguments = Map.copyOf(pathArguments);
	}

	/**
	 * Decides on a call. The session is opened only if a rule with paths or commands has
	 * to be consulted. A call of a tool that declares neither, and is none of Kairo, is
	 * not allowed by such a rule, but asked about and denied.
	 * @param call the call
	 * @param tool the definition of the tool, null if it is not known
	 * @param context the context of the call
	 * @return the verdict
	 * @throws io.kairo.api.workspace.WorkspacePathException if such a rule has to be
	 * consulted and an argument is not a path into the workspace
	 * @throws io.kairo.api.workspace.WorkspaceException if the session cannot be opened
	 */
	public PolicyVerdict decide(ToolCall call, @Nullable ToolDefinition tool, ToolContext context) {
		Targets targets = new Targets(call, tool, context);
		String identity = (tool != null) ? tool.identity() : null;
		String tenant = context.tenant().tenantId();
		for (CompiledRule rule : this.rules) {
			if (rule.matches(call.name(), identity, tenant, targets)) {
				return verdict(rule.rule());
			}
		}
		return new PolicyVerdict(this.otherwise, DEFAULT_RULE, "No rule of the policy is about this call.", true);
	}

	/**
	 * Returns whether a tenant may call a tool at all.
	 * @param tool the definition of the tool
	 * @param tenant the id of the tenant
	 * @return false only if each call is denied
	 */
	public boolean permits(ToolDefinition tool, String tenant) {
		for (CompiledRule rule : this.rules) {
			if (rule.isAbout(tool.name(), tool.identity(), tenant)) {
				PolicyAction action = rule.rule().action();
				if (action != PolicyAction.DENY || rule.isUnconditional()) {
					return action != PolicyAction.DENY;
				}
			}
		}
		return this.otherwise != PolicyAction.DENY;
	}

	/**
	 * Returns the versions of the files that a call names, and the times of the last
	 * change of directories. Only the entries of a directory itself count.
	 */
	List<String> versions(ToolCall call, @Nullable ToolDefinition tool, ToolContext context) {
		return new Targets(call, tool, context).get()
			.paths()
			.stream()
			.map((target) -> target.path() + "\0" + version(context.files().info(target.entry())))
			.toList();
	}

	private static String version(WorkspaceResult<FileInfo> found) {
		return (found instanceof WorkspaceResult.Ok<FileInfo> ok)
				? ok.value().type() + " " + Objects.requireNonNullElse(ok.value().version(), "" + ok.value().modified())
				: "";
	}

	private static PolicyVerdict verdict(PolicyRule rule) {
		return new PolicyVerdict(rule.action(), rule.name(),
				Objects.requireNonNullElse(rule.reason(), "The rule '" + rule.name() + "' of the policy is about it."),
				rule.network());
	}

	/**
	 * Returns the rules.
	 * @return the rules in their order
	 */
	public List<PolicyRule> rules() {
		return this.rules.stream().map(CompiledRule::rule).toList();
	}

	/**
	 * Returns the action for calls that match no rule.
	 * @return the action
	 */
	public PolicyAction otherwise() {
		return this.otherwise;
	}

	/**
	 * Returns the patterns that match none of the tools of an application, probably
	 * misspelled.
	 * @param tools the names of the tools
	 * @return the patterns by the names of their rules, without rules that have none
	 */
	public Map<String, List<String>> unmatchedTools(Set<String> tools) {
		Map<String, List<String>> unmatched = new LinkedHashMap<>();
		for (CompiledRule rule : this.rules) {
			List<String> patterns = rule.unmatchedTools(tools);
			if (!patterns.isEmpty()) {
				unmatched.put(rule.rule().name(), patterns);
			}
		}
		return unmatched;
	}

	/**
	 * Describes the policy for the log.
	 * @return a line for each rule in their order, and one for all other calls
	 */
	public List<String> describe() {
		List<String> lines = new ArrayList<>();
		this.rules.forEach((rule) -> lines.add(rule.rule().describe()));
		lines.add(DEFAULT_RULE + ": " + PolicyRule.lower(this.otherwise) + " every other call");
		return List.copyOf(lines);
	}

	/**
	 * The targets of a call, found out on first use.
	 */
	private final class Targets implements Supplier<CallTargets> {

		private final ToolCall call;

		private final @Nullable ToolDefinition tool;

		private final ToolContext context;

		private @Nullable CallTargets targets;

		Targets(ToolCall call, @Nullable ToolDefinition tool, ToolContext context) {
			this.call = call;
			this.tool = tool;
			this.context = context;
		}

		@Override
		public CallTargets get() {
			CallTargets known = this.targets;
			if (known == null) {
				known = new TargetReader(this.call, this.tool, ToolPolicy.this.pathArguments.get(this.call.name()),
						this.context)
					.read();
				this.targets = known;
			}
			return known;
		}

	}

}
