package io.kairo.autoconfigure.endpoint;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.ExecutionLog;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.WorkspaceRoots;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoEndpointAutoConfiguration}, over HTTP.
 */
class KairoEndpointAutoConfigurationTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final String[] UNRESTRICTED = { "management.endpoint.kairoworkspaces.access=UNRESTRICTED",
			"management.endpoint.kairoexecutions.access=UNRESTRICTED", "kairo.sandbox.type=process" };

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path sharedDirectory;

	@TempDir
	Path directory;

	private WebApplicationContextRunner contextRunner;

	@BeforeEach
	void createRunner() {
		this.contextRunner = new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
			.withInitializer(new ServerPortInfoApplicationContextInitializer())
			.withUserConfiguration(Application.class)
			.withPropertyValues(properties(this.directory));
	}

	private static String[] properties(Path directory) {
		return new String[] { "spring.ai.mcp.server.enabled=false", "server.port=0", "server.address=127.0.0.1",
				"management.endpoints.web.exposure.include=*", "kairo.workspace.roots=" + directory + "/{tenant}" };
	}

	/**
	 * Runs a test in the application with further properties, which it leaves without
	 * sessions.
	 */
	private void runShared(ContextConsumer<ApplicationContext> test, String... more) throws Throwable {
		test.accept(applications.get(new SpringApplication(Application.class)::run,
				Stream.concat(Stream.of(properties(sharedDirectory)), Stream.of(more))
					.map((property) -> "--" + property)
					.toArray(String[]::new)));
	}

	@Test
	void toolsAreListedWithSchemas() throws Throwable {
		runShared((context) -> {
			assertThat(get(context, "kairotools").at("/tools/0/name").asString()).isEqualTo("Read");
			assertThat(get(context, "kairotools/Bash").at("/inputSchema/properties/command/type").asString())
				.isEqualTo("string");
			assertThat(send(context, "GET", "kairotools/None").statusCode()).isEqualTo(404);
		});
	}

	@Test
	void workspacesAreListedAndSessionsEndedWithUnrestrictedAccess() throws Throwable {
		runShared((context) -> {
			read(context, "s1");
			JsonNode workspace = get(context, "kairoworkspaces").at("/workspaces/0");
			assertThat(workspace.get("tenant").asString()).isEqualTo("acme");
			assertThat(workspace.get("holders").asInt()).isEqualTo(1);
			String one = "kairoworkspaces/" + workspace.get("number").asInt();
			assertThat(get(context, one)).isEqualTo(workspace);
			JsonNode released = json(send(context, "DELETE", one));
			assertThat(released.get("endedSessions").asInt()).isEqualTo(1);
			assertThat(released.get("remainingHolders").asInt()).isZero();
			assertThat(context.getBean(AgentSessions.class).list()).isEmpty();
			assertThat(send(context, "GET", one).statusCode()).isEqualTo(404);
			assertThat(send(context, "DELETE", one).statusCode()).isEqualTo(404);
		}, UNRESTRICTED);
	}

	@Test
	void directoryIsAddedToWorkspacesInUseWithUnrestrictedAccess() throws Exception {
		Path added = Files.createDirectory(this.directory.toRealPath().resolve("added"));
		this.contextRunner
			.withPropertyValues("management.endpoint.kairoworkspaces.access=UNRESTRICTED",
					"kairo.workspace.roots=" + this.directory + "/agents/{tenant}")
			.withInitializer((context) -> this.directory.resolve("agents").toFile().mkdir())
			.run((context) -> {
				AgentSessions sessions = context.getBean(AgentSessions.class);
				Workspace acme = sessions.inSession(ACME, "s1", (builder) -> builder.build().currentWorkspace());
				JsonNode answer = json(add(context, added.toString(), "acme"));
				assertThat(answer.get("directory").asString()).isEqualTo(added.toString());
				assertThat(answer.get("tenant").asString()).isEqualTo("acme");
				assertThat(acme.roots()).containsExactly(acme.root(), added);
				HttpResponse<String> again = add(context, added.toString(), "globex");
				assertThat(again.statusCode()).isEqualTo(400);
				assertThat(again.body()).contains("permission_denied", "overlaps");
				assertThat(add(context, this.directory + "/none", null).body()).contains("file_not_found");
				HttpResponse<String> blank = add(context, "", null);
				assertThat(blank.statusCode()).isEqualTo(400);
				assertThat(blank.body()).contains("invalid_path", "blank");
				assertThat(add(context, null, null).statusCode()).isEqualTo(400);
				Path shared = Files.createDirectory(this.directory.toRealPath().resolve("shared"));
				json(add(context, shared.toString(), null));
				assertThat(acme.roots()).endsWith(shared);
				assertThat(remove(context, shared.toString() + "&tenant=acme").statusCode()).isEqualTo(404);
				assertThat(remove(context, shared.toString()).statusCode()).isEqualTo(204);
				assertThat(acme.roots()).containsExactly(acme.root(), added);
				assertThat(remove(context, added + "&tenant=acme").statusCode()).isEqualTo(204);
				assertThat(acme.roots()).containsExactly(acme.root());
			});
	}

	@Test
	void directoryIsNotAddedWithReadOnlyAccess() throws Throwable {
		runShared((context) -> {
			assertThat(add(context, this.directory.toString(), null).statusCode()).isIn(404, 405);
			assertThat(context.getBean(WorkspaceRoots.class).of("acme")).isEmpty();
		});
	}

	private static HttpResponse<String> remove(ApplicationContext context, String directory) {
		return send(context, "DELETE", "kairoworkspaces?directory=" + directory);
	}

	private static HttpResponse<String> add(ApplicationContext context, String directory, String tenant) {
		Map<String, String> body = new HashMap<>();
		body.put("directory", directory);
		body.put("tenant", tenant);
		return send(context, "POST", "kairoworkspaces",
				HttpRequest.BodyPublishers.ofString(JsonMapper.builder().build().writeValueAsString(body)));
	}

	@Test
	void workspacesEndpointBacksOffForProviderOfTheApplication() {
		this.contextRunner
			.withBean("kairoWorkspaceProvider", WorkspaceProvider.class,
					() -> new LocalDirectoryWorkspaceProvider(this.directory))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WorkspacesEndpoint.class));
	}

	@Test
	void workspaceIsReleasedAfterRunningCallReturns() throws Throwable {
		runShared((context) -> {
			context.getBean(AgentSessions.class).inSession(ACME, "s1", (builder) -> {
				JsonNode released = json(send(context, "DELETE",
						"kairoworkspaces/" + get(context, "kairoworkspaces").at("/workspaces/0/number").asInt()));
				assertThat(released.get("remainingHolders").asInt()).isEqualTo(1);
				return builder;
			});
			assertThat(get(context, "kairoworkspaces").get("workspaces")).isEmpty();
		}, UNRESTRICTED);
	}

	@Test
	void executionsAreListedWithoutCommandAndCancelledWithUnrestrictedAccess() throws Throwable {
		runShared((context) -> {
			SandboxRequest request = new SandboxRequest.Builder("sleep 60; echo token-4711", this.directory)
				.tenant(ACME)
				.attributes(SandboxAttributes.builder().background(true).build())
				.build();
			try (SandboxHandle handle = context.getBean(ExecutionSandbox.class).start(request)) {
				JsonNode active = get(context, "kairoexecutions").at("/active/0");
				assertThat(active.get("tenant").asString()).isEqualTo("acme");
				assertThat(active.get("backend").asString()).isEqualTo("process");
				assertThat(active.get("background").asBoolean()).isTrue();
				int id = active.get("id").asInt();
				assertThat(json(send(context, "DELETE", "kairoexecutions/" + id)).get("cancelled").asInt())
					.isEqualTo(id);
				assertThat(handle.exit().block().signal()).isNotNull();
			}
			Awaitility.await().untilAsserted(() -> assertThat(get(context, "kairoexecutions").get("active")).isEmpty());
			HttpResponse<String> all = send(context, "GET", "kairoexecutions");
			assertThat(json(all).at("/recent/0/outcome").asString()).isEqualTo("cancelled");
			assertThat(all.body()).doesNotContain("token-4711", "sleep");
			assertThat(send(context, "DELETE", "kairoexecutions/1").statusCode()).isEqualTo(404);
		}, UNRESTRICTED);
	}

	@Test
	void readOnlyAccessChangesNothing() throws Throwable {
		runShared((context) -> {
			read(context, "s1");
			assertThat(send(context, "DELETE", "kairoworkspaces/1").statusCode()).isIn(404, 405);
			assertThat(send(context, "DELETE", "kairoexecutions/1").statusCode()).isIn(404, 405);
			assertThat(get(context, "kairoworkspaces").get("workspaces")).hasSize(1);
			context.getBean(AgentSessions.class).end(ACME, "s1");
		});
	}

	@Test
	void tenantsAreListedWithUsage() {
		this.contextRunner.run((context) -> {
			read(context, null);
			JsonNode tenant = get(context, "kairotenants").at("/tenants/0");
			assertThat(tenant.get("tenant").asString()).isEqualTo("acme");
			assertThat(tenant.get("callsLastMinute").asInt()).isBetween(0, 1);
			assertThat(tenant.at("/limits/concurrentExecutions").asInt()).isEqualTo(4);
			assertThat(tenant.at("/limits/executionsPerMinute").isNull()).isTrue();
			assertThat(tenant.at("/limits/executionWaitTimeout").asString()).isEqualTo("PT5M");
			assertThat(tenant.at("/limits/workspaces").asInt()).isEqualTo(1000);
			assertThat(tenant.get("waitingExecutions").asInt()).isZero();
			assertThat(tenant.get("openWorkspaces").asInt()).isZero();
			context.getBean(WorkspaceProvider.class)
				.acquire(new WorkspaceRequest("memory:a", new TenantContext("globex", "x"), true));
			JsonNode second = get(context, "kairotenants").at("/tenants/1");
			assertThat(second.get("tenant").asString()).isEqualTo("globex");
			assertThat(second.get("openWorkspaces").asInt()).isEqualTo(1);
		});
	}

	@Test
	void whatASessionDidIsUndone() {
		this.contextRunner
			.withPropertyValues("management.endpoint.kairocheckpoints.access=UNRESTRICTED",
					"kairo.state-dir=" + this.directory + "-state")
			.run((context) -> {
				write(context, "one");
				JsonNode session = get(context, "kairocheckpoints").at("/sessions/0");
				assertThat(session.get("tenant").asString()).isEqualTo("acme");
				assertThat(session.get("session").asString()).isEqualTo("s");
				assertThat(session.at("/checkpoints/0/name").asString()).isEqualTo("start");
				assertThat(session.get("trialProblem").isNull()).isTrue();
				Path file = this.directory.resolve("acme/a.txt");
				JsonNode preview = json(rewind(context, "start", null));
				assertThat(preview.get("done").asBoolean()).isFalse();
				assertThat(preview.at("/changes/0/change").asString()).isEqualTo("deleted");
				assertThat(file).exists();
				assertThat(json(rewind(context, "start", false)).get("done").asBoolean()).isTrue();
				assertThat(file).doesNotExist();
				assertThat(rewind(context, "missing", false).statusCode()).isEqualTo(404);
			});
	}

	@Test
	void reasonWhyASessionHasNoTrialsIsShown() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.provider=memory", "kairo.state-dir=" + this.directory + "-state")
			.run((context) -> {
				write(context, "one");
				assertThat(get(context, "kairocheckpoints").at("/sessions/0/trialProblem").asString())
					.isEqualTo("its files are not in a directory of this machine");
			});
	}

	@Test
	void whatASessionDidIsUndoneAfterADirectoryWasTakenBack(@TempDir Path further) {
		this.contextRunner
			.withPropertyValues("management.endpoint.kairocheckpoints.access=UNRESTRICTED",
					"kairo.state-dir=" + this.directory + "-state")
			.run((context) -> {
				WorkspaceRoots added = context.getBean(LocalDirectoryWorkspaceProvider.class).added();
				added.addFor("acme", further);
				call(context, new ToolCall("1", "Checkpoint", Map.of("name", "start")));
				write(context, "one", further + "/b.txt");
				write(context, "one", "a.txt");
				added.removeFor("acme", further);
				JsonNode changes = json(rewind(context, "start", false)).get("changes");
				assertThat(changes.findValuesAsString("path")).hasSize(2).contains("b.txt");
				assertThat(changes.findValuesAsString("obstacle")).contains("REFUSED");
				assertThat(this.directory.resolve("acme/a.txt")).doesNotExist();
			});
	}

	private static void write(ApplicationContext context, String text) {
		call(context, new ToolCall("1", "Checkpoint", Map.of("name", "start")));
		write(context, text, "a.txt");
	}

	private static void write(ApplicationContext context, String text, String path) {
		call(context, new ToolCall("2", "Write", Map.of("file_path", path, "content", text)));
	}

	private static void call(ApplicationContext context, ToolCall call) {
		context.getBean(AgentSessions.class)
			.callInSession(ACME, "s", (session) -> context.getBean(ToolCatalog.class).call(call, session));
	}

	private static HttpResponse<String> rewind(ApplicationContext context, String since, @Nullable Boolean dryRun) {
		return send(context, "POST", "kairocheckpoints",
				HttpRequest.BodyPublishers.ofString("{\"tenant\":\"acme\",\"session\":\"s\",\"since\":\"" + since + "\""
						+ ((dryRun != null) ? ",\"dryRun\":" + dryRun : "") + "}"));
	}

	@Test
	void infoReportsBackendAndTools() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process").run((context) -> {
			Info.Builder builder = new Info.Builder();
			context.getBean("kairoInfoContributor", InfoContributor.class).contribute(builder);
			assertThat(builder.build().getDetails().get("kairo")).asString().contains("process", "Read", "Bash");
		});
	}

	@Test
	void endpointsAreAbsentUnlessExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(ToolsEndpoint.class)
				.doesNotHaveBean(WorkspacesEndpoint.class)
				.doesNotHaveBean(ExecutionsEndpoint.class)
				.doesNotHaveBean(TenantsEndpoint.class));
	}

	@Test
	void endpointsBackOffWithoutActuator() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoEndpointAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ExecutionLog.class)
				.doesNotHaveBean(KairoEndpointAutoConfiguration.class));
	}

	private static void read(ApplicationContext context, String session) {
		context.getBean(AgentSessions.class)
			.inSession(ACME, session, (builder) -> context.getBean(ToolCatalog.class)
				.call(new ToolCall("", "Read", Map.of("file_path", "x")), builder.build()));
	}

	private static JsonNode get(ApplicationContext context, String path) {
		return json(send(context, "GET", path));
	}

	private static JsonNode json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.builder().build().readTree(response.body());
	}

	private static HttpResponse<String> send(ApplicationContext context, String method, String path) {
		return send(context, method, path, HttpRequest.BodyPublishers.noBody());
	}

	private static HttpResponse<String> send(ApplicationContext context, String method, String path,
			HttpRequest.BodyPublisher body) {
		String port = context.getEnvironment().getProperty("local.server.port");
		try {
			return HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
					.header("Content-Type", "application/json")
					.method(method, body)
					.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

}
