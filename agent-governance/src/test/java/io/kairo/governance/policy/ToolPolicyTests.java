package io.kairo.governance.policy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ToolPolicy}.
 */
@ParameterizedClass
@CsvSource({ "CLAUDE, ''", "CLAUDE, kairo_", "SNAKE_CASE, ''", "SNAKE_CASE, kairo_" })
class ToolPolicyTests {

	@Parameter(0)
	private ToolNaming naming;

	@Parameter(1)
	private String prefix;

	@TempDir
	private Path directory;

	private ToolContext context;

	@BeforeEach
	void open() {
		this.context = PolicyFixture.context(this.directory, "acme", "s1");
	}

	private PolicyAction decide(PolicyRule rule, String tool, Map<String, Object> arguments) {
		PolicyAction otherwise = (rule.action() == PolicyAction.ALLOW) ? PolicyAction.DENY : PolicyAction.ALLOW;
		return decide(new ToolPolicy(List.of(rule), otherwise, Map.of()), tool, arguments, this.context).action();
	}

	/**
	 * Decides on a call.
	 * @param tool the identity of a tool of Kairo, or another name
	 */
	private PolicyVerdict decide(ToolPolicy policy, String tool, Map<String, Object> arguments, ToolContext context) {
		return PolicyFixture.tools(this.naming, this.prefix)
			.stream()
			.map(AgentTool::definition)
			.filter((definition) -> tool.equals(definition.identity()))
			.findFirst()
			.map((definition) -> policy.decide(PolicyFixture.call(definition.name(), arguments), definition, context))
			.orElseGet(() -> policy.decide(PolicyFixture.call(tool, arguments), null, context));
	}

	private static PolicyAction decide(PolicyRule rule, ToolDefinition tool, Map<String, Object> arguments,
			ToolContext context) {
		PolicyAction otherwise = (rule.action() == PolicyAction.ALLOW) ? PolicyAction.DENY : PolicyAction.ALLOW;
		return new ToolPolicy(List.of(rule), otherwise, Map.of())
			.decide(PolicyFixture.call(tool.name(), arguments), tool, context)
			.action();
	}

	private String name(String identity) {
		return this.prefix + this.naming.tool(identity);
	}

	private static ToolDefinition own(ToolAnnotations annotations) {
		return new ToolDefinition("own", "A tool of the application.",
				Map.of("properties", Map.of("where", Map.of(), "script", Map.of(), "note", Map.of())), annotations);
	}

	private PolicyAction allowing(String glob, String tool, Map<String, Object> arguments) {
		return decide(PolicyRule.allow("a").paths(glob).build(), tool, arguments);
	}

	private PolicyAction denying(String glob, String tool, Map<String, Object> arguments) {
		return decide(PolicyRule.deny("d").paths(glob).build(), tool, arguments);
	}

	@Test
	void firstMatchWins() {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.ask("first").tools("Re*").build(),
				PolicyRule.deny("second").tools("Read").build(), PolicyRule.allow("third").build()));
		assertThat(decide(policy, "Read", Map.of(), this.context).rule()).isEqualTo("first");
		assertThat(decide(policy, "Bash", Map.of(), this.context).rule()).isEqualTo("third");
	}

	@Test
	void callWithoutRuleIsDeniedWithAReason() {
		PolicyVerdict verdict = decide(new ToolPolicy(List.of()), "Read", Map.of(), this.context);
		assertThat(verdict.action()).isEqualTo(PolicyAction.DENY);
		assertThat(verdict.rule()).isEqualTo(ToolPolicy.DEFAULT_RULE);
		assertThat(verdict.reason()).isNotBlank();
	}

	@Test
	void ruleIsForItsTenantsOnly() {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.allow("a").tenants("ac*").build()));
		assertThat(decide(policy, "Read", Map.of(), this.context).action()).isEqualTo(PolicyAction.ALLOW);
		ToolContext other = PolicyFixture.context(this.directory, "other", "s1");
		assertThat(decide(policy, "Read", Map.of(), other).action()).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void sessionIsNotOpenedWithoutARuleWithPaths() {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.allow("a").tools(name("Read")).build()));
		assertThat(decide(policy, "Read", Map.of("file_path", "../../x"), this.context).action())
			.isEqualTo(PolicyAction.ALLOW);
	}

	@ParameterizedTest
	@ValueSource(strings = { "src/a/B.java", "./src//a/B.java", "src/a/../a/B.java" })
	void pathIsMatchedAsTheGateResolvesIt(String path) {
		assertThat(allowing("src/**/*.java", "Read", Map.of("file_path", path))).isEqualTo(PolicyAction.ALLOW);
		assertThat(denying("src/**/*.java", "Read", Map.of("file_path", path))).isEqualTo(PolicyAction.DENY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "file_path", "path", "filePath", "filename" })
	void pathIsFoundUnderEveryAlias(String name) {
		assertThat(denying("secrets/**", "Read", Map.of(name, "secrets/a"))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void absolutePathIsMatchedBelowItsRoot() {
		String path = this.directory.resolve("secrets/a").toString();
		assertThat(denying("secrets/**", "Read", Map.of("file_path", path))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void relativePathStartsAtTheCurrentDirectory() throws Exception {
		Files.createDirectories(this.directory.resolve("secrets"));
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			new BashTool(BashOptions.defaults()).call(Map.of("command", "cd secrets"),
					this.context.toBuilder().sandbox(sandbox).build());
		}
		assertThat(denying("secrets/**", "Read", Map.of("file_path", "a"))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void pathOutsideIsRefused() {
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> allowing("**", "Read", Map.of("file_path", "../../etc/passwd")));
	}

	@Test
	void denialIgnoresCaseAndCoversWhatIsBelow() {
		assertThat(denying("Secrets", "Read", Map.of("file_path", "a/sEcrets/b"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("**", "Read", Map.of("file_path", ".hidden/.b"))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/**", "Read", Map.of("file_path", "SRC/b"))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void argumentThatIsNotKnownIsOnTheSafeSide() {
		Map<String, Object> arguments = Map.of("file_path", "src/a", "file", "secrets/a");
		assertThat(allowing("src/**", "Read", arguments)).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "Read", arguments)).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void callIsAllowedOnlyIfAllOfItsPathsAre() {
		Map<String, Object> move = Map.of("source", "src/a", "destination", "other/a");
		assertThat(allowing("src/**", "Move", move)).isEqualTo(PolicyAction.DENY);
		assertThat(denying("other/**", "Move", move)).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/**", "Move", Map.of("from", "src/a", "to", "src/b"))).isEqualTo(PolicyAction.ALLOW);
	}

	@Test
	void editsMayNameTheirOwnFiles() {
		Map<String, Object> edits = Map.of("file_path", "src/a", "edits",
				List.of(Map.of("old_string", "a", "new_string", "b"),
						Map.of("old_string", "a", "new_string", "b", "filename", "secrets/b")));
		assertThat(allowing("src/**", "MultiEdit", edits)).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "MultiEdit", edits)).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "MultiEdit", Map.of("file_path", "a", "changes", "[]")))
			.isEqualTo(PolicyAction.DENY);
	}

	@Test
	void patchIsReadForItsPaths() {
		String patch = """
				*** Begin Patch
				*** Add File: src/a
				+x
				*** Add File: secrets/b
				+x
				*** End Patch
				""";
		assertThat(denying("secrets/**", "ApplyPatch", Map.of("input", patch))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/**", "ApplyPatch", Map.of("patch", patch))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("s*/**", "ApplyPatch", Map.of("patch", patch))).isEqualTo(PolicyAction.ALLOW);
		assertThat(denying("secrets/**", "ApplyPatch", Map.of("patch", "nothing"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "ApplyPatch",
				Map.of("patch", "--- /dev/null\n+++ b/secrets/x\n@@ -0,0 +1 @@\n+x\n")))
			.isEqualTo(PolicyAction.DENY);
	}

	@Test
	void searchReachesWhatIsBelowItsDirectory() {
		assertThat(denying("a/secrets/**", "Grep", Map.of("pattern", "x"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("a/secrets/**", "Grep", Map.of("pattern", "x", "path", "a"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("a/secrets/**", "Grep", Map.of("pattern", "x", "path", "b"))).isEqualTo(PolicyAction.ALLOW);
		assertThat(denying("*.pem", "Delete", Map.of("path", "b"))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/*", "Grep", Map.of("pattern", "x", "path", "src/a"))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/**", "Grep", Map.of("pattern", "x", "path", "src"))).isEqualTo(PolicyAction.ALLOW);
	}

	@Test
	void globStartsWhereItsPatternDoes() {
		assertThat(denying("secrets/**", "Glob", Map.of("pattern", "secrets/*"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "Glob", Map.of("pattern", "../x/*"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "Glob", Map.of("glob", "*.a", "directory", "src")))
			.isEqualTo(PolicyAction.ALLOW);
		assertThat(allowing("src/**", "Glob", Map.of("pattern", "../*", "path", "src"))).isEqualTo(PolicyAction.DENY);
		for (String globs : List.of("src/*,secrets/*", "src/* secrets/*", "src/*,secrets/*,}", "src/[{],secrets/*")) {
			assertThat(denying("secrets/**", "Glob", Map.of("pattern", globs))).as(globs).isEqualTo(PolicyAction.DENY);
		}
		assertThat(allowing("src/**", "Glob", Map.of("pattern", "src/*.a *.b"))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("src/**", "Glob", Map.of("pattern", "src/*.{a,b}"))).isEqualTo(PolicyAction.ALLOW);
	}

	@Test
	void commandIsNeverAllowedByItsPaths() {
		assertThat(allowing("**", "Bash", Map.of("command", "cat a"))).isEqualTo(PolicyAction.DENY);
		assertThat(allowing("**", "Bash", Map.of("command", "cat a", "path", "a"))).isEqualTo(PolicyAction.DENY);
		assertThat(denying("secrets/**", "Bash", Map.of("command", "cat secrets/a"))).isEqualTo(PolicyAction.ALLOW);
	}

	@Test
	void toolIsKnownByItsIdentityWhateverItIsCalled() {
		String patch = "*** Begin Patch\n*** Add File: secrets/b\n+x\n*** End Patch\n";
		Map.of("Grep", Map.<String, Object>of("pattern", "x"), "ApplyPatch", Map.<String, Object>of("patch", patch),
				"Undelete", Map.<String, Object>of("path", "secrets/a"), "Glob",
				Map.<String, Object>of("pattern", "secrets/*"), "Diff", Map.<String, Object>of(), "Info",
				Map.<String, Object>of("path", "secrets"))
			.forEach((tool, arguments) -> assertThat(denying("secrets/**", tool, arguments)).as(tool)
				.isEqualTo(PolicyAction.DENY));
		for (PolicyAction action : List.of(PolicyAction.DENY, PolicyAction.ASK)) {
			PolicyRule rule = new PolicyRule("r", action, List.of("Bash"), List.of(), List.of(), List.of(), null, true);
			assertThat(decide(rule, "Bash", Map.of("command", "ls"))).isEqualTo(action);
		}
		assertThat(decide(PolicyRule.allow("a").tools("Bash").build(), "Bash", Map.of("command", "ls")))
			.isEqualTo(name("Bash").equals("Bash") ? PolicyAction.ALLOW : PolicyAction.DENY);
	}

	@Test
	void toolOfTheApplicationIsNotTakenForOneOfKairoWithItsName() {
		ToolDefinition tool = own(ToolAnnotations.READ_ONLY).withName("Read");
		Map<String, Object> arguments = Map.of("file_path", "src/a", "where", "secrets/a");
		assertThat(decide(PolicyRule.allow("a").paths("src/**").build(), tool, arguments, this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(PolicyRule.deny("d").paths("secrets/**").build(), tool, arguments, this.context))
			.isEqualTo(PolicyAction.DENY);
	}

	@Test
	void ruleDeniesACallWhoseTargetsItCannotSee() {
		PolicyRule paths = PolicyRule.deny("d").paths("secrets/**").build();
		PolicyRule commands = PolicyRule.deny("d").commands("rm").build();
		for (ToolAnnotations undeclared : List.of(ToolAnnotations.WRITES, ToolAnnotations.COMMAND)) {
			ToolDefinition tool = own(undeclared);
			assertThat(decide(paths, tool, Map.of("note", "a"), this.context)).isEqualTo(PolicyAction.DENY);
			assertThat(decide(paths, tool, Map.of(), this.context)).isEqualTo(PolicyAction.ALLOW);
			assertThat(decide(PolicyRule.allow("a").paths("**").build(), tool, Map.of("path", "a"), this.context))
				.isEqualTo(PolicyAction.DENY);
			assertThat(decide(PolicyRule.allow("a").commands(".*").build(), tool, Map.of("command", "a"), this.context))
				.isEqualTo(PolicyAction.DENY);
		}
		assertThat(decide(commands, own(ToolAnnotations.COMMAND), Map.of("script", "x"), this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(commands, own(ToolAnnotations.WRITES), Map.of("script", "x"), this.context))
			.isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(commands, own(ToolAnnotations.WRITES), Map.of("command", "rm x"), this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(paths, "Unknown", Map.of("note", "a"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(commands, "Unknown", Map.of("note", "a"))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void toolOfTheApplicationDeclaresItsPathsAndCommands() {
		ToolDefinition tool = own(ToolAnnotations.COMMAND.withTargets(Set.of("where"), Set.of("script")));
		PolicyRule paths = PolicyRule.deny("d").paths("secrets/**").build();
		PolicyRule commands = PolicyRule.deny("d").commands("rm").build();
		assertThat(decide(paths, tool, Map.of("where", List.of("a", "secrets/a")), this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(paths, tool, Map.of("where", Map.of("in", "secrets/a")), this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(paths, tool, Map.of("where", "a", "note", "secrets/a"), this.context))
			.isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(commands, tool, Map.of("script", List.of("ls", "rm x")), this.context))
			.isEqualTo(PolicyAction.DENY);
		assertThat(decide(commands, tool, Map.of("script", "ls", "note", "rm"), this.context))
			.isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(PolicyRule.allow("a").commands("ls").build(), tool, Map.of("script", "ls"), this.context))
			.isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(PolicyRule.allow("a").paths("src/**").build(), tool, Map.of("where", "src/a"), this.context))
			.isEqualTo(PolicyAction.ALLOW);
		for (PolicyRule rule : List.of(paths, commands)) {
			assertThat(decide(rule, tool, Map.of("where", "a", "alias_of_where", "secrets/a"), this.context))
				.isEqualTo(PolicyAction.DENY);
		}
	}

	@Test
	void toolOfTheApplicationIsAllowedByItsConfiguredPaths() {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.allow("a").paths("src/**").build()), PolicyAction.DENY,
				Map.of("own", Set.of("where")));
		ToolDefinition tool = own(ToolAnnotations.READ_ONLY);
		Map.of("src/a", PolicyAction.ALLOW, "b", PolicyAction.DENY)
			.forEach((path, action) -> assertThat(
					policy.decide(PolicyFixture.call("own", Map.of("where", path)), tool, this.context).action())
				.isEqualTo(action));
		assertThat(policy.decide(PolicyFixture.call("own", Map.of()), tool, this.context).action())
			.isEqualTo(PolicyAction.DENY);
	}

	@Test
	void allowedCommandMatchesAsAWhole() {
		PolicyRule rule = PolicyRule.allow("a").commands("git (status|diff)").build();
		assertThat(decide(rule, "Bash", Map.of("command", "git status"))).isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(rule, "Bash", Map.of("cmd", "git diff"))).isEqualTo(PolicyAction.ALLOW);
		assertThat(decide(rule, "Bash", Map.of("command", "git status; rm x"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "Bash", Map.of("command", "git status\nrm x"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "Bash", Map.of("command", "git status", "cmd", "rm"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "BashInput", Map.of("text", "git status"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "Read", Map.of("file_path", "a"))).isEqualTo(PolicyAction.DENY);
	}

	@Test
	void deniedCommandMatchesInPart() {
		PolicyRule rule = PolicyRule.deny("d").commands("\\brm\\b").build();
		assertThat(decide(rule, "Bash", Map.of("command", "ls\nrm -r x"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "BashInput", Map.of("text", "rm x"))).isEqualTo(PolicyAction.DENY);
		assertThat(decide(rule, "Bash", Map.of("command", "ls farm"))).isEqualTo(PolicyAction.ALLOW);
	}

	@Test
	void parametersOfFileToolsAreKnown() {
		PolicyFixture.tools(this.naming, this.prefix).stream().map(AgentTool::definition).forEach((tool) -> {
			assertThat(tool.identity()).isNotNull();
			if (PathArguments.kind(tool.identity()) != null
					&& !Set.of("ApplyPatch", "Undelete").contains(tool.identity())) {
				assertThat(tool.inputSchema().get("properties")).asInstanceOf(InstanceOfAssertFactories.MAP)
					.allSatisfy((name,
							schema) -> assertThat(PathArguments.PATHS.contains(name)
									|| PathArguments.OTHERS.contains(name) || name.equals("edits"))
								.as(tool.name() + " " + name)
								.isTrue());
			}
		});
	}

	@Test
	void policyIsDescribedInItsOrder() {
		ToolPolicy policy = new ToolPolicy(
				List.of(PolicyRule.deny("no-secrets").paths("secrets/**").reason("No.").build(),
						PolicyRule.ask("rest").build()));
		assertThat(policy.describe()).containsExactly("no-secrets: deny paths secrets/** (No.)", "rest: ask every call",
				"default: deny every other call");
	}

	@Test
	void patternsOfToolsThatAreNotThereAreFound() {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.deny("shell").tools("Bash", "bash*", "Sh?ll").build(),
				PolicyRule.allow("read").tools("R*").build(), PolicyRule.ask("rest").build()));
		assertThat(policy.unmatchedTools(Set.of("Bash", "Read"))).isEqualTo(Map.of("shell", List.of("bash*", "Sh?ll")));
		assertThat(policy.unmatchedTools(Set.of())).containsOnlyKeys("shell", "read");
	}

	@Test
	void denialCoversOtherSpellingsOfTheSameName() {
		assertThat(new PathPattern("caf\u00e9/**").touches(new PathTarget("cafe\u0301/a", "caf\u00e9/a",
				new WorkspacePath(Path.of("/root"), "cafe\u0301/a"), false)))
			.isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/etc", "a/../b", "{a,b}", "[a]", "a\\b", "a//b" })
	void globThatCannotBeUsedIsRefused(String glob) {
		assertThatIllegalArgumentException().isThrownBy(() -> PolicyRule.allow("rule-1").paths(glob).build())
			.withMessageContaining("rule-1");
	}

	@Test
	void ruleThatCannotMatchIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> PolicyRule.allow("a").paths("b").commands("c").build());
		assertThatIllegalArgumentException().isThrownBy(() -> PolicyRule.allow("a").commands("(").build());
		assertThatIllegalArgumentException().isThrownBy(() -> PolicyRule.allow(" ").build());
		PolicyRule rule = PolicyRule.allow("a").build();
		assertThatIllegalArgumentException().isThrownBy(() -> new ToolPolicy(List.of(rule, rule)));
	}

}
