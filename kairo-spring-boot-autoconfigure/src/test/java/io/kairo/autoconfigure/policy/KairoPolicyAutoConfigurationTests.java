package io.kairo.autoconfigure.policy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.autoconfigure.audit.KairoAuditAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.governance.jdbc.JdbcApprovalStore;
import io.kairo.governance.policy.AnswerResult;
import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.governance.policy.ApprovalState;
import io.kairo.governance.policy.Approvals;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.governance.policy.InMemoryApprovalStore;
import io.kairo.governance.policy.PendingApproval;
import io.kairo.governance.policy.PolicyInterceptor;
import io.kairo.governance.policy.PolicyRule;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link KairoPolicyAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KairoPolicyAutoConfigurationTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final String[] ASK = { "kairo.policy.rules[0].name=no-secrets", "kairo.policy.rules[0].action=deny",
			"kairo.policy.rules[0].paths=secrets/**", "kairo.policy.rules[0].reason=Secrets stay.",
			"kairo.policy.rules[1].name=reading", "kairo.policy.rules[1].action=allow",
			"kairo.policy.rules[1].tools=Read,Glob", "kairo.policy.rules[2].name=changes",
			"kairo.policy.rules[2].action=ask", "kairo.policy.rules[2].tools=Write,Edit",
			"kairo.policy.approvals.approver-roles=APPROVER", "kairo.policy.approvals.operator-roles=OPERATOR",
			"kairo.policy.approvals.poll-interval=20ms", "management.endpoint.kairoapprovals.access=UNRESTRICTED" };

	private static final String[] DATABASE = { "kairo.policy.approvals.store=jdbc",
			"kairo.policy.approvals.jdbc.timeout=1s" };

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path sharedDirectory;

	@TempDir
	Path directory;

	private ApplicationContextRunner contextRunner;

	private WebApplicationContextRunner webRunner;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	@BeforeEach
	void createRunner() throws Exception {
		Database.DOWN.set(false);
		String[] properties = properties(this.directory);
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoPolicyAutoConfiguration.class,
					KairoAuditAutoConfiguration.class, KairoGitWorkspaceAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
					KairoLimitsAutoConfiguration.class, KairoExecutionsAutoConfiguration.class,
					KairoMetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
					MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withPropertyValues(properties);
		this.webRunner = new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
			.withInitializer(new ServerPortInfoApplicationContextInitializer())
			.withUserConfiguration(Application.class)
			.withPropertyValues(properties);
	}

	private static String[] properties(Path directory) throws IOException {
		SharedApplications.empty(directory.resolve("work"));
		return new String[] { "spring.ai.mcp.server.enabled=false", "server.port=0", "server.address=127.0.0.1",
				"management.endpoints.web.exposure.include=*", "kairo.state-dir=" + directory.resolve("state"),
				"kairo.workspace.roots=" + directory.resolve("work") + "/{tenant}" };
	}

	/**
	 * Runs a test in the web application with the rules of {@link #ASK}, and ends what it
	 * leaves open.
	 */
	private void runShared(ContextConsumer<ApplicationContext> test) throws Throwable {
		ApplicationContext context = applications.get(new SpringApplication(Application.class)::run,
				Stream.concat(Stream.of(properties(sharedDirectory)), Stream.of(ASK))
					.map((property) -> "--" + property)
					.toArray(String[]::new));
		try {
			test.accept(context);
		}
		finally {
			Approvals approvals = context.getBean(Approvals.class);
			approvals.pending("acme")
				.forEach((each) -> approvals.answer(each.id(), each.digest(), ApprovalAnswer.deny("test", null)));
			approvals.revoke("acme", "s1");
			context.getBean(AgentSessions.class).end(ACME, "s1");
		}
	}

	@AfterEach
	void stop() throws Exception {
		this.executor.shutdownNow();
		// a call that is still refused opens the database again
		assertThat(this.executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	private static ToolResult call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		return context.getBean(AgentSessions.class)
			.callInSession(ACME, "s1", (call) -> context.getBean(ToolCatalog.class).call(tool, arguments, call));
	}

	private static ToolResult write(ApplicationContext context, String file) {
		return call(context, "Write", Map.of("file_path", file, "content", "x"));
	}

	private Future<ToolResult> begin(ApplicationContext context, String file) {
		Future<ToolResult> result = this.executor.submit(() -> write(context, file));
		await().until(() -> !context.getBean(Approvals.class).pending("acme").isEmpty() || result.isDone());
		return result;
	}

	private static String code(ToolResult result) {
		return (result.error() != null) ? result.error().code() : "success";
	}

	@Test
	void everyCallIsAllowedWithoutPolicy() {
		this.webRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(ToolPolicy.class)
				.doesNotHaveBean(PolicyInterceptor.class)
				.doesNotHaveBean(Approvals.class)
				.doesNotHaveBean(PolicyEndpoint.class);
			assertThat(code(write(context, "a.txt"))).isEqualTo("success");
		});
	}

	@Test
	void firstRuleThatMatchesDecides() {
		this.contextRunner.withPropertyValues(ASK).run((context) -> {
			ToolResult refused = write(context, "secrets/a.txt");
			assertThat(code(refused)).isEqualTo(PolicyInterceptor.DENIED);
			assertThat(refused.error().message()).contains("Secrets stay.");
			assertThat(code(call(context, "Glob", Map.of("pattern", "*")))).isEqualTo("success");
			assertThat(code(call(context, "List", Map.of()))).isEqualTo(PolicyInterceptor.DENIED);
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.policy.denials")
				.tags("tenant", "acme", "reason", "policy_denied")
				.counter()
				.count()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@CsvSource({ "CLAUDE, ''", "CLAUDE, kairo_", "SNAKE_CASE, ''", "SNAKE_CASE, kairo_" })
	void ruleOnPathsAppliesToEveryToolUnderEveryName(ToolNaming naming, String prefix) {
		String patch = "*** Begin Patch\n*** Add File: secrets/b\n+x\n*** End Patch\n";
		this.contextRunner
			.withPropertyValues("kairo.tools.naming=" + naming, "kairo.tools.name-prefix=" + prefix,
					"kairo.policy.otherwise=allow", "kairo.policy.rules[0].name=no-secrets",
					"kairo.policy.rules[0].action=deny", "kairo.policy.rules[0].paths=secrets/**")
			.run((context) -> Map
				.of("Grep", Map.<String, Object>of("pattern", "x"), "ApplyPatch",
						Map.<String, Object>of("patch", patch), "Undelete", Map.<String, Object>of("path", "secrets/a"),
						"Glob", Map.<String, Object>of("pattern", "secrets/*"))
				.forEach((tool, arguments) -> assertThat(code(call(context, prefix + naming.tool(tool), arguments)))
					.as(tool)
					.isEqualTo(PolicyInterceptor.DENIED)));
	}

	@Test
	void everythingButConfiguredSecretsIsShownForApproval() {
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.secrets.shared.forge=tok-0123456789", "kairo.audit.secret-patterns=touch.*")
			.run((context) -> {
				Future<ToolResult> result = this.executor.submit(() -> call(context, "Write",
						Map.of("file_path", "a", "content", "token=$(touch x) tok-0123456789")));
				Approvals approvals = context.getBean(Approvals.class);
				PendingApproval pending = await().until(() -> approvals.pending("acme"), (some) -> some.size() == 1)
					.get(0);
				assertThat(pending.shown()).contains("token=$(touch x) [secret forge]");
				approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.deny("bob", null));
				assertThat(code(result.get())).isEqualTo(PolicyInterceptor.REJECTED);
			});
	}

	@Test
	void otherwiseIsAPolicyOfItsOwn() {
		this.contextRunner.withPropertyValues("kairo.policy.otherwise=deny")
			.run((context) -> assertThat(code(call(context, "List", Map.of()))).isEqualTo(PolicyInterceptor.DENIED));
	}

	@Test
	void ruleThatReviewsMayBeWithoutNetwork(CapturedOutput output) {
		String[] rule = { "kairo.policy.rules[0].name=builds", "kairo.policy.rules[0].tools=Bash",
				"kairo.policy.rules[0].network=false" };
		this.contextRunner.withPropertyValues(rule)
			.withPropertyValues("kairo.policy.rules[0].action=review")
			.run((context) -> {
				assertThat(context.getBean(ToolPolicy.class).rules()).singleElement()
					.extracting(PolicyRule::network)
					.isEqualTo(false);
				assertThat(output).contains("builds: review tools Bash without network");
			});
		this.contextRunner.withPropertyValues(rule)
			.withPropertyValues("kairo.policy.rules[0].action=ask")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'builds' is without network, but its action is ask"));
	}

	@Test
	void policyOfTheApplicationWins() {
		this.contextRunner
			.withBean(ToolPolicy.class, () -> new ToolPolicy(List.of(PolicyRule.allow("all").tools("List").build())))
			.withBean(ApprovalStore.class, InMemoryApprovalStore::new)
			.withPropertyValues(ASK)
			.withPropertyValues(DATABASE)
			.run((context) -> {
				assertThat(code(call(context, "List", Map.of()))).isEqualTo("success");
				assertThat(code(write(context, "a.txt"))).isEqualTo(PolicyInterceptor.DENIED);
				assertThat(context).hasSingleBean(ApprovalStore.class).doesNotHaveBean(JdbcApprovalStore.class);
			});
	}

	@Test
	void policyIsPrintedAtStart(CapturedOutput output) {
		this.contextRunner.withPropertyValues(ASK).run((context) -> {
			assertThat(output).contains("policy rule 1 of 4: no-secrets: deny paths secrets/** (Secrets stay.)")
				.contains("policy rule 4 of 4: default: deny every other call")
				.doesNotContain("define an ApprovalHandler");
		});
	}

	@ParameterizedTest
	@CsvSource({ "deny, Bahs, Bash", "ask, edit, Edit", "allow, Raed, Read", "deny, Psuh, Push", "deny, Bahs*, Bash",
			"deny, run_command, ''" })
	void ruleAboutAToolThatDoesNotExistFailsTheStart(String action, String tool, String nearest) {
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.policy.rules[2].action=" + action, "kairo.policy.rules[2].tools=Write," + tool,
					"spring.main.lazy-initialization=true")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContainingAll("kairo.policy.rules[2].tools", "'" + tool + "'", "no tool has this name",
						nearest.isEmpty() ? "use one of" : "did you mean " + nearest + "?"));
	}

	@Test
	void ruleMayNameToolsThatAreNotOffered() {
		this.contextRunner.withPropertyValues(ASK)
			.withBean("deploy", AgentTool.class, KairoPolicyAutoConfigurationTests::deploy)
			.withPropertyValues("kairo.sandbox.type=none", "kairo.tools.exclude=Grep,deploy",
					"kairo.policy.rules[2].tools=Bash,BashInput,Diff,Commit,Push,WriteBack,Grep,deploy,Multi*,*")
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.tools.naming=snake_case", "kairo.tools.name-prefix=kairo_",
					"kairo.policy.rules[1].tools=kairo_read_file",
					"kairo.policy.rules[2].tools=kairo_run_command,kairo_write_back,kairo_undelete_file")
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.tools.name-prefix=kairo_")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("kairo_Read"));
	}

	@Test
	void toolThatDoesNotDeclareItsPathsIsReported(CapturedOutput output) {
		String report = "the tools [deploy], which do not declare their paths";
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.policy.path-arguments.deploy=target")
			.withBean("deploy", AgentTool.class, KairoPolicyAutoConfigurationTests::deploy)
			.run((context) -> assertThat(output).doesNotContain(report));
		this.contextRunner.withPropertyValues(ASK)
			.withBean("deploy", AgentTool.class, KairoPolicyAutoConfigurationTests::deploy)
			.run((context) -> assertThat(output).contains(report));
	}

	@Test
	void ruleOfABeanAboutAToolThatDoesNotExistFailsTheStart() {
		this.contextRunner
			.withBean(ToolPolicy.class,
					() -> new ToolPolicy(List.of(PolicyRule.deny("commands").tools("Bahs").build())))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("'commands'", "'Bahs'", "did you mean Bash?"));
	}

	@Test
	void pathArgumentsOfAToolThatDoesNotExistFailTheStart() {
		this.contextRunner.withPropertyValues(ASK)
			.withBean("deploy", AgentTool.class, KairoPolicyAutoConfigurationTests::deploy)
			.withPropertyValues("kairo.policy.path-arguments.deploy=file")
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues(ASK)
			.withBean("deploy", AgentTool.class, KairoPolicyAutoConfigurationTests::deploy)
			.withPropertyValues("kairo.policy.path-arguments.deplyo=file")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("kairo.policy.path-arguments", "'deplyo'", "did you mean deploy?",
						"brackets"));
	}

	private static AgentTool deploy() {
		ToolDefinition definition = new ToolDefinition("deploy", "Deploys a file.", Map.of("type", "object"),
				ToolAnnotations.WRITES);
		return new AgentTool() {

			@Override
			public ToolDefinition definition() {
				return definition;
			}

			@Override
			public ToolResult call(Map<String, Object> arguments, ToolContext context) {
				return ToolResult.ok("deployed", Map.of());
			}

		};
	}

	@Test
	void ruleThatNobodyCanAnswerIsReported(CapturedOutput output) {
		this.contextRunner.withPropertyValues("kairo.policy.otherwise=ask")
			.run((context) -> assertThat(output).contains("define an ApprovalHandler"));
	}

	@Test
	void invalidRuleIsExplained() {
		for (Map.Entry<String, String> each : Map
			.of("kairo.policy.rules[1].action=", "kairo.policy.rules[1].action", "kairo.policy.rules[1].name=changes",
					"another rule 'changes'", "kairo.policy.rules[1].commands=a(", "kairo.policy.rules[1]",
					"kairo.policy.approvals.timeout=0s", "kairo.policy.approvals.timeout",
					"kairo.policy.approvals.jdbc.timeout=10ms", "kairo.policy.approvals.jdbc.timeout",
					"kairo.policy.approvals.max-pending=0", "kairo.policy.approvals.max-pending",
					"kairo.policy.approvals.store=jdbc", "spring.datasource.url")
			.entrySet()) {
			this.contextRunner.withPropertyValues(ASK)
				.withPropertyValues(each.getKey())
				.run((context) -> assertThat(context).as(each.getKey())
					.getFailure()
					.rootCause()
					.hasMessageContaining(each.getValue()));
		}
	}

	@Test
	void handlerAnswers() {
		this.contextRunner.withPropertyValues(ASK)
			.withBean(ApprovalHandler.class,
					() -> (approval, call) -> CompletableFuture
						.completedFuture(ApprovalAnswer.deny("robot", "Not now.")))
			.run((context) -> {
				ToolResult refused = write(context, "a.txt");
				assertThat(code(refused)).isEqualTo(PolicyInterceptor.REJECTED);
				assertThat(refused.error().message()).contains("Not now.");
			});
	}

	@Test
	void approvedCallIsMadeAndAudited() {
		this.webRunner.withPropertyValues(ASK).withPropertyValues("kairo.audit.sinks=file").run((context) -> {
			Future<ToolResult> result = begin(context, "a.txt");
			assertThat(context.getBean(MeterRegistry.class).get("kairo.approvals.waiting").gauge().value())
				.isEqualTo(1);
			JsonNode request = json(send(context, "GET", "", "acme:APPROVER", null)).at("/approvals/0");
			assertThat(request.get("tool").asString()).isEqualTo("Write");
			assertThat(request.has("shown")).isFalse();
			String id = request.get("id").asString();
			JsonNode shown = json(send(context, "GET", "/" + id, "acme:APPROVER", null));
			assertThat(shown.get("shown").asString()).contains("a.txt");
			HttpResponse<String> answer = send(context, "POST", "/" + id, "ops:OPERATOR",
					Map.of("digest", shown.get("digest").asString(), "answer", "allow_once"));
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
			assertThat(json(answer).get("result").asString()).isEqualTo("ACCEPTED");
			assertThat(code(result.get(10, TimeUnit.SECONDS))).isEqualTo("success");
			assertThat(this.directory.resolve("work/acme/a.txt")).exists();
			String records = Files
				.readString(this.directory.resolve("state/audit").resolve("audit-000000000000000001.jsonl"));
			assertThat(records).contains("\"rule\":\"changes\"").contains("\"decidedBy\":\"ops\"");
			assertThat(send(context, "POST", "/" + id, "ops:OPERATOR",
					Map.of("digest", shown.get("digest").asString(), "answer", "deny"))
				.statusCode()).isEqualTo(409);
		});
	}

	@Test
	void requestsAreSeenAndAnsweredByApproversOfTheTenantOnly() throws Throwable {
		runShared((context) -> {
			Future<ToolResult> result = begin(context, "a.txt");
			String id = context.getBean(Approvals.class).pending("acme").get(0).id();
			Map<String, String> allow = Map.of("digest",
					context.getBean(Approvals.class).pending("acme").get(0).digest(), "answer", "allow_once");
			for (String user : List.of("", "acme:", "acme:USER", "eve:APPROVER", "eve:USER")) {
				JsonNode seen = json(send(context, "GET", "", user, null));
				assertThat(seen.get("approvals")).as(user).isEmpty();
				assertThat(seen.get("others").asInt()).as(user).isEqualTo(1);
				assertThat(send(context, "GET", "/" + id, user, null).statusCode()).as(user).isEqualTo(404);
				assertThat(send(context, "POST", "/" + id, user, allow).statusCode()).as(user).isEqualTo(404);
				assertThat(send(context, "DELETE", "?tenant=acme&session=s1", user, null).statusCode()).as(user)
					.isEqualTo(404);
			}
			assertThat(result.isDone()).isFalse();
			assertThat(send(context, "POST", "/" + id, "acme:APPROVER", allow).statusCode()).isEqualTo(200);
			assertThat(code(result.get(10, TimeUnit.SECONDS))).isEqualTo("success");
		});
	}

	@Test
	void requestsAreNotAnsweredWithoutAccess() {
		this.webRunner.withPropertyValues(ASK)
			.withPropertyValues("management.endpoint.kairoapprovals.access=READ_ONLY")
			.run((context) -> {
				Future<ToolResult> result = begin(context, "a.txt");
				String id = context.getBean(Approvals.class).pending("acme").get(0).id();
				assertThat(send(context, "POST", "/" + id, "ops:OPERATOR", Map.of("digest", "x", "answer", "deny"))
					.statusCode()).isEqualTo(405);
				assertThat(result.isDone()).isFalse();
			});
	}

	@Test
	void invalidAnswersAreRefused() throws Throwable {
		runShared((context) -> {
			begin(context, "a.txt");
			String id = context.getBean(Approvals.class).pending("acme").get(0).id();
			String digest = context.getBean(Approvals.class).pending("acme").get(0).digest();
			assertThat(send(context, "POST", "/none", "ops:OPERATOR", Map.of("digest", digest, "answer", "deny"))
				.statusCode()).isEqualTo(404);
			assertThat(send(context, "POST", "/" + id, "ops:OPERATOR", Map.of("digest", "x", "answer", "deny"))
				.statusCode()).isEqualTo(409);
			for (Map<String, String> answer : List.of(Map.of("digest", digest, "answer", "maybe"),
					Map.of("answer", "deny"), Map.of("digest", digest, "answer", "allow_for_session"),
					Map.of("digest", digest, "answer", "allow_once", "duration", "5m"),
					Map.of("digest", digest, "answer", "allow_for_session", "duration", "-5m"))) {
				assertThat(send(context, "POST", "/" + id, "ops:OPERATOR", answer).statusCode()).as(answer.toString())
					.isEqualTo(400);
			}
			assertThat(context.getBean(Approvals.class).pending("acme")).hasSize(1);
		});
	}

	@Test
	void invalidAnswerIsExplained() throws Throwable {
		runShared((context) -> {
			begin(context, "a.txt");
			String id = context.getBean(Approvals.class).pending("acme").get(0).id();
			String digest = context.getBean(Approvals.class).pending("acme").get(0).digest();
			for (Map.Entry<Map<String, String>, String> each : Map.of(Map.of("digest", digest, "answer", "maybe"),
					"The answer is 'maybe': give allow_once, allow_for_session, deny", Map.of("digest", digest),
					"There is no answer: give allow_once, allow_for_session, deny", Map.of("answer", "deny"),
					"There is no digest", Map.of("digest", digest, "answer", "allow_for_session", "duration", "soon"),
					"The duration is 'soon': give one such as 30m")
				.entrySet()) {
				HttpResponse<String> response = send(context, "POST", "/" + id, "ops:OPERATOR", each.getKey());
				assertThat(response.statusCode()).isEqualTo(400);
				assertThat(new JsonMapper().readTree(response.body()).get("problem").asString())
					.startsWith(each.getValue());
			}
			assertThat(send(context, "POST", "/" + id, "acme:USER", Map.of("answer", "maybe")).statusCode())
				.isEqualTo(404);
			HttpResponse<String> revoked = send(context, "DELETE", "?tenant=acme", "ops:OPERATOR", null);
			assertThat(revoked.statusCode()).isEqualTo(400);
			assertThat(revoked.body()).contains("There is no session");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "allow_once", "ALLOW_ONCE", "allow-once", "allowOnce" })
	void answerIsReadInEverySpellingOfAnEnum(String answer) throws Throwable {
		runShared((context) -> {
			Future<ToolResult> result = begin(context, "a.txt");
			PendingApproval pending = context.getBean(Approvals.class).pending("acme").get(0);
			assertThat(send(context, "POST", "/" + pending.id(), "ops:OPERATOR",
					Map.of("digest", pending.digest(), "answer", answer))
				.statusCode()).isEqualTo(200);
			assertThat(code(result.get(10, TimeUnit.SECONDS))).isEqualTo("success");
		});
	}

	@Test
	void onlyWhoDecidedIsNamed() throws Throwable {
		runShared((context) -> {
			Future<ToolResult> result = begin(context, "a.txt");
			PendingApproval pending = context.getBean(Approvals.class).pending("acme").get(0);
			JsonNode differs = answer(context, pending, "ops:OPERATOR", "sha256:0", 409);
			assertThat(differs.get("result").asString()).isEqualTo("DIGEST_DIFFERS");
			assertThat(differs.get("decidedBy").isNull()).isTrue();
			assertThat(answer(context, pending, "acme:APPROVER", pending.digest(), 200).get("decidedBy").asString())
				.isEqualTo("acme");
			JsonNode second = answer(context, pending, "ops:OPERATOR", pending.digest(), 409);
			assertThat(second.get("result").asString()).isEqualTo("ALREADY_ANSWERED");
			assertThat(second.get("decidedBy").asString()).isEqualTo("acme");
			assertThat(code(result.get(10, TimeUnit.SECONDS))).isEqualTo("success");
		});
		this.webRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.policy.approvals.timeout=300ms")
			.run((context) -> {
				Future<ToolResult> result = begin(context, "b.txt");
				PendingApproval pending = context.getBean(Approvals.class).pending("acme").get(0);
				assertThat(code(result.get(10, TimeUnit.SECONDS))).isEqualTo(PolicyInterceptor.EXPIRED);
				JsonNode expired = answer(context, pending, "ops:OPERATOR", pending.digest(), 410);
				assertThat(expired.get("result").asString()).isEqualTo("EXPIRED");
				assertThat(expired.get("decidedBy").isNull()).isTrue();
				assertThat(
						json(send(context, "GET", "/" + pending.id(), "ops:OPERATOR", null)).get("decidedBy").isNull())
					.isTrue();
			});
	}

	private static JsonNode answer(ApplicationContext context, PendingApproval approval, String user, String digest,
			int status) throws Exception {
		HttpResponse<String> response = send(context, "POST", "/" + approval.id(), user,
				Map.of("digest", digest, "answer", "allow_once"));
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return new JsonMapper().readTree(response.body());
	}

	@Test
	void everyFieldOfTheJsonIsDocumented() throws Throwable {
		Map<String, Set<String>> real = new TreeMap<>();
		runShared((context) -> {
			Map<String, String> answer = new LinkedHashMap<>(
					Map.of("answer", "allow_for_session", "duration", "30m", "reason", "Fine."));
			Future<ToolResult> first = begin(context, "a.txt");
			JsonNode pending = json(send(context, "GET", "", "ops:OPERATOR", null));
			JsonNode request = pending.at("/approvals/0");
			String id = request.get("id").asString();
			answer.put("digest", json(send(context, "GET", "/" + id, "ops:OPERATOR", null)).get("digest").asString());
			add(real, "result", json(send(context, "POST", "/" + id, "ops:OPERATOR", answer)));
			assertThat(code(first.get(10, TimeUnit.SECONDS))).isEqualTo("success");
			JsonNode shown = json(send(context, "GET", "/" + id, "ops:OPERATOR", null));
			JsonNode grant = json(send(context, "GET", "", "ops:OPERATOR", null)).at("/grants/0");
			add(real, "pending", pending);
			add(real, "request", request);
			add(real, "request", shown.get("request"));
			add(real, "shown", shown);
			add(real, "grant", grant);
			real.put("answer", answer.keySet());
			add(real, "revoked", json(send(context, "DELETE", "?tenant=acme&session=s1", "ops:OPERATOR", null)));
			add(real, "problem", new JsonMapper().readTree(send(context, "GET", "/none", "ops:OPERATOR", null).body()));
			for (JsonNode time : List.of(request.get("created"), request.get("expires"), grant.get("ends"))) {
				assertThat(Instant.parse(time.asString())).isAfter(Instant.EPOCH);
			}
		});
		Map<String, Set<String>> documented = new TreeMap<>();
		String page = Files.readString(Path.of("../docs/policy.md"));
		Matcher row = Pattern.compile("\\| (\\w+) \\| ((?:`\\w+`(?:, )?)+) \\| (.*) \\|").matcher(page);
		while (row.find()) {
			Set<String> fields = documented.computeIfAbsent(row.group(1), (key) -> new TreeSet<>());
			fields.addAll(List.of(row.group(2).replace("`", "").split(", ")));
			if (row.group(2).equals("`state`")) {
				assertThat(row.group(3)).contains(Stream.of(ApprovalState.values()).map(Enum::name).toList());
			}
			if (row.group(2).equals("`result`")) {
				assertThat(row.group(3)).contains(Stream.of(AnswerResult.values()).map(Enum::name).toList());
			}
		}
		assertThat(documented).isEqualTo(real);
	}

	private static void add(Map<String, Set<String>> fields, String name, JsonNode json) {
		fields.computeIfAbsent(name, (key) -> new TreeSet<>()).addAll(json.propertyNames());
	}

	@Test
	void permissionOfASessionIsRevoked() throws Throwable {
		runShared((context) -> {
			Future<ToolResult> first = begin(context, "a.txt");
			String id = context.getBean(Approvals.class).pending("acme").get(0).id();
			String digest = context.getBean(Approvals.class).pending("acme").get(0).digest();
			assertThat(send(context, "POST", "/" + id, "ops:OPERATOR",
					Map.of("digest", digest, "answer", "allow_for_session", "duration", "30m"))
				.statusCode()).isEqualTo(200);
			assertThat(code(first.get(10, TimeUnit.SECONDS))).isEqualTo("success");
			assertThat(code(write(context, "b.txt"))).isEqualTo("success");
			assertThat(json(send(context, "GET", "", "ops:OPERATOR", null)).at("/grants/0/session").asString())
				.isEqualTo("s1");
			assertThat(json(send(context, "DELETE", "?tenant=acme&session=s2", "ops:OPERATOR", null)).get("grants")
				.asInt()).isZero();
			assertThat(json(send(context, "DELETE", "?tenant=acme&session=s1", "ops:OPERATOR", null)).get("grants")
				.asInt()).isEqualTo(1);
			begin(context, "c.txt");
			assertThat(context.getBean(Approvals.class).pending("acme")).hasSize(1);
		});
	}

	@Test
	void callWaitsForApprovalWithoutTakingAPlaceOfThoseThatRun() {
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues("kairo.tenancy.limits.default.concurrent-calls=1")
			.run((context) -> {
				begin(context, "a.txt");
				assertThat(code(call(context, "Glob", Map.of("pattern", "*")))).isEqualTo("success");
			});
	}

	@Test
	void callThatWaitsEndsWithTheApplication() throws Exception {
		AtomicBoolean waited = new AtomicBoolean();
		@SuppressWarnings("unchecked")
		Future<ToolResult>[] result = new Future[1];
		this.contextRunner.withPropertyValues(ASK).run((context) -> {
			result[0] = begin(context, "a.txt");
			waited.set(!result[0].isDone());
		});
		assertThat(waited).isTrue();
		assertThat(code(result[0].get(20, TimeUnit.SECONDS))).isEqualTo("cancelled");
		assertThat(this.directory.resolve("work/acme/a.txt")).doesNotExist();
	}

	@Test
	void requestSurvivesARestartInADatabase() {
		Supplier<DataSource> database = () -> database("file:" + this.directory.resolve("db"));
		String[] id = new String[1];
		this.contextRunner.withPropertyValues(ASK)
			.withPropertyValues(DATABASE)
			.withBean(DataSource.class, database)
			.withPropertyValues("kairo.policy.approvals.jdbc.initialize-schema=always")
			.run((context) -> {
				begin(context, "a.txt");
				id[0] = context.getBean(Approvals.class).pending("acme").get(0).id();
			});
		this.webRunner.withPropertyValues(ASK)
			.withPropertyValues(DATABASE)
			.withBean(DataSource.class, database)
			.run((context) -> {
				String digest = context.getBean(Approvals.class).pending("acme").get(0).digest();
				assertThat(send(context, "POST", "/" + id[0], "acme:APPROVER",
						Map.of("digest", digest, "answer", "allow_once"))
					.statusCode()).isEqualTo(200);
				assertThat(code(write(context, "a.txt"))).isEqualTo("success");
				begin(context, "a.txt");
				assertThat(context.getBean(Approvals.class).pending("acme")).hasSize(1);
			});
	}

	@Test
	void databaseThatIsDownRefusesCallsUntilItIsUp() {
		this.webRunner.withUserConfiguration(Database.class)
			.withPropertyValues(ASK)
			.withPropertyValues(DATABASE)
			.withInitializer((context) -> Database.DOWN.set(true))
			.run((context) -> {
				assertThat(code(write(context, "a.txt"))).isEqualTo(PolicyInterceptor.UNAVAILABLE);
				assertThat(this.directory.resolve("work/acme/a.txt")).doesNotExist();
				assertThat(code(call(context, "Glob", Map.of("pattern", "*")))).isEqualTo("success");
				assertThat(send(context, "GET", "", "ops:OPERATOR", null).statusCode()).isEqualTo(503);
				Database.DOWN.set(false);
				Future<ToolResult> result = begin(context, "a.txt");
				assertThat(result.isDone()).isFalse();
				Database.DOWN.set(true);
				assertThat(code(result.get(20, TimeUnit.SECONDS))).isEqualTo(PolicyInterceptor.UNAVAILABLE);
				assertThat(this.directory.resolve("work/acme/a.txt")).doesNotExist();
			});
	}

	@Test
	void rulesAreReadOverHttp() throws Throwable {
		runShared((context) -> {
			JsonNode policy = json(request(context, "GET", "kairopolicy", "", null));
			assertThat(policy.at("/rules/0/name").asString()).isEqualTo("no-secrets");
			assertThat(policy.at("/rules/0/action").asString()).isEqualTo("DENY");
			assertThat(policy.at("/rules/2/tools/1").asString()).isEqualTo("Edit");
			assertThat(policy.at("/otherwise").asString()).isEqualTo("DENY");
		});
		this.webRunner.withPropertyValues(ASK)
			.withPropertyValues("management.endpoint.kairopolicy.access=NONE")
			.run((context) -> assertThat(request(context, "GET", "kairopolicy", "", null).statusCode()).isEqualTo(404));
	}

	@Test
	void applicationStartsWithoutTheModule() {
		this.webRunner.withClassLoader(new FilteredClassLoader("io.kairo.governance"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoToolPolicy"));
	}

	@Test
	void policyAppliesWithoutDatabases() {
		this.webRunner
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc", "org.springframework.jdbc",
					"org.springframework.boot.sql"))
			.withPropertyValues(ASK)
			.run((context) -> assertThat(code(write(context, "secrets/x"))).isEqualTo(PolicyInterceptor.DENIED));
	}

	private static DataSource database(String name) {
		JdbcDataSource source = new JdbcDataSource();
		source.setUrl("jdbc:h2:" + name);
		return source;
	}

	private static JsonNode json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return new JsonMapper().readTree(response.body());
	}

	private static HttpResponse<String> send(ApplicationContext context, String method, String path, String user,
			Map<String, String> body) throws Exception {
		return request(context, method, "kairoapprovals" + path, user, body);
	}

	private static HttpResponse<String> request(ApplicationContext context, String method, String path, String user,
			Map<String, String> body) throws Exception {
		URI uri = URI.create(
				"http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
		HttpRequest.Builder request = HttpRequest.newBuilder(uri)
			.header("Test-User", user)
			.header("Content-Type", "application/json")
			.method(method,
					(body != null) ? HttpRequest.BodyPublishers.ofString(new JsonMapper().writeValueAsString(body))
							: HttpRequest.BodyPublishers.noBody());
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		/**
		 * Authenticates the user of the header, who has the role after the colon.
		 */
		@Bean
		Filter authentication() {
			return (request, response, chain) -> {
				HttpServletRequest http = (HttpServletRequest) request;
				String[] user = http.getHeader("Test-User").split(":", 2);
				if (user[0].isEmpty()) {
					chain.doFilter(request, response);
					return;
				}
				UsernamePasswordAuthenticationToken principal = UsernamePasswordAuthenticationToken
					.authenticated(user[0], null, List.of());
				SecurityContextHolder.getContext().setAuthentication(principal);
				try {
					chain.doFilter(new HttpServletRequestWrapper(http) {

						@Override
						public Principal getUserPrincipal() {
							return principal;
						}

						@Override
						public boolean isUserInRole(String role) {
							return role.equals(user[1]);
						}

					}, response);
				}
				finally {
					SecurityContextHolder.clearContext();
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		static final AtomicBoolean DOWN = new AtomicBoolean();

		@Bean
		DataSource dataSource() {
			return new DelegatingDataSource(database("mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")) {

				@Override
				public Connection getConnection() throws SQLException {
					if (DOWN.get()) {
						throw new SQLException("The database is down");
					}
					return super.getConnection();
				}

			};
		}

	}

}
