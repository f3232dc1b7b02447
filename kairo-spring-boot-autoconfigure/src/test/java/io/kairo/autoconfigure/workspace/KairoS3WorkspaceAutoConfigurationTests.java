package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.s3.S3Credentials;
import io.kairo.workspace.s3.autoconfigure.KairoS3WorkspaceAutoConfiguration;
import io.kairo.workspace.s3.autoconfigure.S3Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoS3WorkspaceAutoConfiguration}, with a small object store.
 */
class KairoS3WorkspaceAutoConfigurationTests {

	@TempDir
	Path directory;

	private final Map<String, String> objects = new ConcurrentSkipListMap<>();

	private HttpServer server;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void start() throws IOException {
		this.objects.put("default/work/readme.md", "hello");
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/agents", this::handle);
		this.server.start();
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoS3WorkspaceAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
					KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"),
					"kairo.workspace.s3.locations=agents/{tenant}", "kairo.workspace.s3.endpoint=" + endpoint(),
					"kairo.workspace.s3.path-style=true", "kairo.workspace.s3.credentials[0].access-key=key",
					"kairo.workspace.s3.credentials[0].secret-key=s3cret", "kairo.sandbox.type=process");
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private String endpoint() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			String path = exchange.getRequestURI().getPath().substring("/agents".length());
			String key = path.isEmpty() ? "" : path.substring(1);
			byte[] body = exchange.getRequestBody().readAllBytes();
			String content = this.objects.get(key);
			String match = exchange.getRequestHeaders().getFirst("If-Match");
			boolean absent = exchange.getRequestHeaders().containsKey("If-None-Match");
			boolean write = exchange.getRequestMethod().equals("PUT") || exchange.getRequestMethod().equals("DELETE");
			if (key.isEmpty()) {
				StringBuilder answer = new StringBuilder("<ListBucketResult>");
				this.objects.forEach((name, text) -> answer.append("<Contents><Key>" + name + "</Key><ETag>"
						+ text.hashCode() + "</ETag><Size>" + text.length() + "</Size></Contents>"));
				answer(exchange, 200, answer + "</ListBucketResult>");
			}
			else if (write && ((absent && content != null)
					|| (match != null && (content == null || !match.equals("\"" + content.hashCode() + "\""))))) {
				answer(exchange, 412, "<Error><Code>PreconditionFailed</Code></Error>");
			}
			else if (exchange.getRequestMethod().equals("PUT")) {
				String text = new String(body, StandardCharsets.UTF_8)
					.replaceAll("(?:\r\n)?[0-9a-f]+;chunk-signature=[0-9a-f]+\r\n", "")
					.strip();
				this.objects.put(key, text);
				exchange.getResponseHeaders().add("ETag", "\"" + text.hashCode() + "\"");
				answer(exchange, 200, "");
			}
			else if (exchange.getRequestMethod().equals("DELETE")) {
				this.objects.remove(key);
				answer(exchange, 204, "");
			}
			else if (content == null) {
				answer(exchange, 404, "");
			}
			else {
				exchange.getResponseHeaders().add("ETag", "\"" + content.hashCode() + "\"");
				answer(exchange, 200, content);
			}
		}
	}

	private static void answer(HttpExchange exchange, int status, String body) throws IOException {
		boolean empty = body.isEmpty() || exchange.getRequestMethod().equals("HEAD");
		exchange.sendResponseHeaders(status, empty ? -1 : body.length());
		if (!empty) {
			exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
		}
	}

	private static Workspace acquire(WorkspaceProvider provider) {
		return provider.acquire(WorkspaceRequest.writable("s3://agents/default/work"));
	}

	@Test
	void s3HintAcquiresObjectsThatAreWrittenBackOnRelease() {
		this.contextRunner.run((context) -> {
			WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
			Workspace workspace = acquire(provider);
			assertThat(workspace.root()).startsWith(this.directory.resolve("state/s3").toRealPath());
			WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
			assertThat(files.tryReadFile("readme.md").value().content()).isEqualTo("hello");
			files.tryWriteFile("new.txt", "new").value();
			assertThat(this.objects).doesNotContainKey("default/work/new.txt");
			provider.release(workspace.id());
			assertThat(this.objects).containsEntry("default/work/new.txt", "new").hasSize(2);
			assertThat(workspace.root()).doesNotExist();
		});
	}

	@Test
	void commandsSeeAllFilesAndTheirChangesAreWrittenByTheTool() {
		this.contextRunner.withPropertyValues("kairo.workspace.hint=s3://agents/default/work")
			.run((context) -> context.getBean(AgentSessions.class)
				.runInSession(TenantContext.SINGLE, "demo", (call) -> {
					ToolCatalog tools = context.getBean(ToolCatalog.class);
					ToolResult result = tools.call("Bash", Map.of("command", "cat readme.md; echo made > made.txt"),
							call);
					assertThat(result.text()).isEqualTo("hello");
					assertThat(this.objects).doesNotContainKey("default/work/made.txt");
					assertThat(tools.call("WriteBack", Map.of(), call).text()).isEqualTo("1 written, 0 deleted.");
					assertThat(this.objects).containsEntry("default/work/made.txt", "made");
					assertThat(tools.call("WriteBack", Map.of(), call).text()).isEqualTo("Nothing has changed.");
					this.objects.put("default/work/readme.md", "theirs");
					tools.call("Bash", Map.of("command", "echo mine > readme.md"), call);
					ToolResult conflict = tools.call("WriteBack", Map.of(), call);
					assertThat(conflict.text()).contains("1 change is not in the remote storage", "readme.md.remote-");
					assertThat(conflict.data()).containsEntry("open", 1);
					tools.call("Bash", Map.of("command", "rm readme.md.remote-*"), call);
					assertThat(tools.call("WriteBack", Map.of(), call).text()).isEqualTo("1 written, 0 deleted.");
				}));
	}

	@Test
	void commandIsNotRunIfFilesCannotBeFetched() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.hint=s3://agents/default/work",
					"kairo.workspace.s3.max-object-size=2B")
			.run((context) -> context.getBean(AgentSessions.class)
				.runInSession(TenantContext.SINGLE, "demo", (call) -> {
					ToolResult result = context.getBean(ToolCatalog.class)
						.call("Bash", Map.of("command", "cat readme.md"), call);
					assertThat(result.error()).isNotNull();
					assertThat(result.text()).contains("The command was not run");
				}));
	}

	@Test
	void documentedConfigurationWorks() {
		String[] documented = DocumentedConfiguration.of("workspaces-s3.md", "Configuration")
			.with("https://s3.example.org", endpoint())
			.with("${AGENTS_SECRET_KEY}", "s3cret")
			.properties();
		this.contextRunner.withPropertyValues(documented).run((context) -> {
			Workspace workspace = context.getBean(WorkspaceProvider.class)
				.acquire(WorkspaceRequest.writable("s3://agents/default/work"));
			assertThat(workspace.metadata()).containsEntry("s3.bucket", "agents")
				.containsEntry("s3.write-back", "on_release");
			assertThat(context.getBean(S3Properties.class).toString()).doesNotContain("s3cret");
		});
	}

	@Test
	void credentialCanBeRestrictedToTenant() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.s3.credentials[0].tenant=acme",
					"kairo.workspace.s3.credentials[1].access-key=other",
					"kairo.workspace.s3.credentials[1].secret-key=other")
			.run((context) -> {
				S3Credentials credentials = context.getBean(S3Credentials.class);
				assertThat(credentials.find(new TenantContext("acme", "ann")).resolveCredentials().accessKeyId())
					.isEqualTo("key");
				assertThat(credentials.find(TenantContext.SINGLE).resolveCredentials().accessKeyId())
					.isEqualTo("other");
			});
	}

	@Test
	void workspaceIsReadOnlyIfConfigured() {
		this.contextRunner.withPropertyValues("kairo.workspace.read-only=true")
			.run((context) -> assertThat(acquire(context.getBean(WorkspaceProvider.class)).writable()).isFalse());
	}

	@Test
	void healthReportsUnwrittenWorkspaces() {
		this.contextRunner.run((context) -> {
			WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
			Workspace workspace = acquire(provider);
			Files.writeString(workspace.root().resolve("new.txt"), "mine");
			this.objects.put("default/work/new.txt", "theirs");
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> provider.release(workspace.id()));
			assertThat(context.getBean("kairoS3HealthIndicator", HealthIndicator.class).health().getDetails())
				.containsEntry("unwritten", 1);
		});
	}

	@Test
	void s3BacksOffWithoutLocationsOrIfItIsDisabled() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoS3WorkspaceAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> {
				assertUnknown(context.getBean(WorkspaceProvider.class));
				assertThat(context.getBean(ToolCatalog.class).definitions()).extracting(ToolDefinition::name)
					.doesNotContain("WriteBack");
			});
		this.contextRunner.withPropertyValues("kairo.workspace.s3.enabled=false")
			.run((context) -> assertUnknown(context.getBean(WorkspaceProvider.class)));
	}

	private static void assertUnknown(WorkspaceProvider provider) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(provider))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.UNKNOWN_PROVIDER));
	}

	@Test
	void invalidValuesFailStartup() {
		for (String property : new String[] { "locations=agents/../x", "endpoint=ftp://x", "endpoint=http://a:b@x",
				"max-objects=0", "max-size=0", "max-object-size=6GB", "concurrency=0", "timeout=0", "kms-key=x" }) {
			this.contextRunner.withPropertyValues("kairo.workspace.s3." + property)
				.run((context) -> assertThat(context).as(property)
					.hasFailed()
					.getFailure()
					.rootCause()
					.message()
					.contains("kairo.workspace.s3." + property.substring(0, property.indexOf('='))));
		}
	}

	@Test
	void incompleteCredentialFailsStartup() {
		String credential = "kairo.workspace.s3.credentials[1].";
		this.contextRunner.withPropertyValues(credential + "secret-key=s3cret")
			.run((context) -> assertInvalid(context, credential + "access-key"));
		this.contextRunner.withPropertyValues(credential + "access-key=other", credential + "secret-key=${ABSENT_KEY}")
			.run((context) -> assertInvalid(context, credential + "secret-key"));
		this.contextRunner
			.withPropertyValues(credential + "access-key=other", credential + "secret-key=s3cret",
					credential + "session-token= ")
			.run((context) -> assertInvalid(context, credential + "session-token"));
	}

	private static void assertInvalid(AssertableApplicationContext context, String property) {
		assertThat(context).hasFailed();
		assertThat(context.getStartupFailure()).rootCause()
			.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
					(ex) -> assertThat(ex.getName()).isEqualTo(property))
			.hasMessageNotContaining("s3cret");
	}

	@Test
	void unusableDirectoryIsAnalyzed() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		this.contextRunner.withPropertyValues("kairo.workspace.s3.directory=" + file.resolve("s3")).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new WorkspaceFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("S3 workspaces", "write_failed", file.toString());
			assertThat(analysis.getAction()).contains("kairo.workspace.s3", "kairo.state-dir");
		});
	}

	@Test
	void failureOfAWorkspaceOfTheApplicationIsNotAnalyzed() {
		assertThat(new WorkspaceFailureAnalyzer()
			.analyze(new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, "no access", null))).isNull();
	}

}
