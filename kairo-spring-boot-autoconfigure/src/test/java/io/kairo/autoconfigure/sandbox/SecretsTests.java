package io.kairo.autoconfigure.sandbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the secrets of commands and their rules.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

	private static final String VALUE = "s3cret-of-acme-0123456789";

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	@TempDir
	Path directory;

	/** Without a sandbox that this machine may lack. */
	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
		.withBean(ExecutionSandbox.class, () -> new CommandsOfApplication())
		.withPropertyValues("kairo.sandbox.network=allow-list", "kairo.sandbox.network-allow=git.example.org",
				"kairo.secrets.shared.token=" + VALUE);

	private static final String[] RULE = { "kairo.secrets.rules[0].host=git.example.org",
			"kairo.secrets.rules[0].secret=token" };

	@Test
	void rulesAreCreatedInTheirOrder() {
		this.contextRunner.withPropertyValues(RULE)
			.withPropertyValues("kairo.secrets.rules[0].git=fetch", "kairo.secrets.rules[0].path=/team/",
					"kairo.secrets.rules[0].username=robot", "kairo.secrets.rules[1].host=git.example.org",
					"kairo.secrets.rules[1].action=deny", "kairo.secrets.rules[1].methods=POST,DELETE")
			.run((context) -> assertThat(context.getBean(RequestRules.class))
				.hasToString("[inject git fetch git.example.org:443/team/ (Authorization with token), "
						+ "deny DELETE,POST git.example.org:443/]"));
	}

	@Test
	void nothingIsCreatedWithoutSecrets() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=none")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RequestRules.class)
				.doesNotHaveBean(SecretSource.class)
				.doesNotHaveBean(SecretProperties.class));
	}

	@Test
	void startsWithoutActuator() {
		this.contextRunner.withPropertyValues(RULE)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RequestRules.class));
	}

	@Test
	void secretOfTenantPrecedesSharedOne() {
		this.contextRunner
			.withPropertyValues("kairo.secrets.tenants.acme.token=own-secret",
					"kairo.secrets.tenants.globex.other=other-secret")
			.run((context) -> {
				SecretSource source = context.getBean(SecretSource.class);
				assertThat(Objects.requireNonNull(source.find("token", ACME)).reveal()).isEqualTo("own-secret");
				assertThat(source.find("token", TenantContext.SINGLE)).isEqualTo(Secret.of(VALUE));
				assertThat(source.find("other", ACME)).isNull();
				assertThat(context.getBean(SecretProperties.class).toString()).doesNotContain(VALUE, "own-secret");
			});
	}

	@Test
	void sourceOfApplicationIsUsed() {
		this.contextRunner.withBean(SecretSource.class, () -> (name, tenant) -> null)
			.withPropertyValues("kairo.secrets.rules[0].host=git.example.org", "kairo.secrets.rules[0].secret=any")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(SecretSource.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "secret=unknown|rules[0].secret|there is no such secret",
					"host=other.example.org|rules[0].host|do not reach other.example.org:443",
					"host=git.example.org:8443|rules[0].host|do not reach git.example.org:8443",
					"host=*.example.org|rules[0].host|is no host", "host=|rules[0].host|is missing",
					"secret=|rules[0].secret|is missing", "path=/a/../b|rules[0].path|is no prefix",
					"path=/a%2Fb|rules[0].path|is no prefix", "methods=get|rules[0].methods|upper case",
					"methods=TRACE|rules[0].methods|none of", "header=Host|rules[0].header|cannot have a secret",
					"header=X Y|rules[0].header|cannot have a secret", "value=Bearer|rules[0].header|{secret}",
					"username=a:b|rules[0].username|colon", "action=deny|rules[0].secret|adds no secret" })
	void invalidRuleStopsStart(String property, String name, String reason) {
		this.contextRunner.withPropertyValues(RULE)
			.withPropertyValues("kairo.secrets.rules[0]." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.secrets." + name, reason)
				.hasMessageNotContaining(VALUE));
	}

	@Test
	void ruleOfTenantNeedsSecretAndHostOfTenant() {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(RULE)
			.withPropertyValues("kairo.secrets.rules[0].tenant=globex", "kairo.secrets.tenants.acme.own=own-secret");
		runner.withPropertyValues("kairo.secrets.rules[0].secret=own")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.secrets.tenants.globex.own"));
		runner.withPropertyValues("kairo.sandbox.tenants.globex.network-allow=x.example.org")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("commands of the tenant 'globex' do not reach"));
	}

	@Test
	void secretInEnvironmentOfCommandsStopsStart() {
		this.contextRunner.withPropertyValues(RULE)
			.withPropertyValues("kairo.sandbox.env.TOKEN=x" + VALUE)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("TOKEN", "commands would find a secret")
				.hasMessageNotContaining(VALUE));
	}

	@ParameterizedTest
	@ValueSource(strings = { "--kairo.secrets.shared.token=" + VALUE + "\n", "--kairo.secrets.shared=" + VALUE,
			"--kairo.secrets.tenants.acme=" + VALUE,
			"--kairo.secrets.tenants.acme.token=" + VALUE + "${MISSING_TOKEN}" })
	void failureOfSecretDoesNotShowIt(String argument, CapturedOutput output) {
		SpringApplication application = new SpringApplication(Minimal.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(argument, "--kairo.sandbox.type=none"));
		assertThat(output).contains("APPLICATION FAILED TO START", "kairo.secrets.")
			.containsAnyOf("the secret 'token' is invalid", "is not a name with a value",
					"refers to the variable MISSING_TOKEN")
			.doesNotContain(VALUE);
	}

	@Test
	void endpointsDoNotShowSecrets(CapturedOutput output) {
		new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
			.withInitializer(new ServerPortInfoApplicationContextInitializer())
			.withUserConfiguration(Application.class)
			.withBean(ExecutionSandbox.class, () -> new CommandsOfApplication())
			.withPropertyValues("spring.ai.mcp.server.enabled=false", "server.port=0", "server.address=127.0.0.1",
					"management.endpoints.web.exposure.include=*", "management.endpoint.env.show-values=always",
					"management.endpoint.configprops.show-values=always",
					"management.endpoint.health.show-details=always", "kairo.workspace.roots=" + this.directory,
					"kairo.sandbox.network=allow-list", "kairo.sandbox.network-allow=git.example.org",
					"forge.url=https://robot:" + VALUE + "@example.org", "forge.token=" + VALUE,
					"kairo.secrets.shared.token=${forge.token}", "kairo.secrets.tenants.acme.token=short")
			.withPropertyValues(RULE)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				for (String endpoint : List.of("env", "env/kairo.secrets.shared.token", "env/forge.token",
						"env/kairo.secrets.tenants.acme.token", "configprops", "configprops/kairo.secrets", "beans",
						"conditions", "health", "info", "kairotools", "kairoexecutions", "kairotenants")) {
					HttpResponse<String> response = HttpClient.newHttpClient()
						.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
								+ context.getEnvironment().getProperty("local.server.port") + "/actuator/" + endpoint))
							.build(), HttpResponse.BodyHandlers.ofString());
					assertThat(response.body()).as(endpoint).doesNotContain(VALUE, "\"short\"");
					if (endpoint.startsWith("env/") || endpoint.startsWith("configprops")) {
						assertThat(response.statusCode()).as(endpoint).isEqualTo(200);
						assertThat(response.body()).as(endpoint).contains("******");
					}
				}
			});
		assertThat(output).doesNotContain(VALUE);
	}

	@Test
	void documentedRulesApply() {
		assumeThat(Files.isExecutable(Path.of("/usr/bin/bwrap"))
				|| System.getenv().getOrDefault("KAIRO_REQUIRE", "").contains("bubblewrap"))
			.as("bubblewrap is installed")
			.isTrue();
		boolean root = System.getProperty("user.name").equals("root");
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues(DocumentedConfiguration.of("secrets.md", "Configuration")
				.with("${ACME_FORGE_TOKEN}", VALUE)
				.with("${STATUS_TOKEN}", "other-" + VALUE)
				.properties())
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"),
					"kairo.sandbox.bubblewrap.run-as=" + (root ? "65534" : ""))
			.run((context) -> {
				Path workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
				if (root) {
					Files.setAttribute(workspace, "unix:uid", 65534);
					Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
				}
				String output = run(context.getBean(ExecutionSandbox.class), workspace,
						"exec 3<>/dev/tcp/127.0.0.1/3128; printf 'POST http://git.example.org/team/x.git/git-receive-pack "
								+ "HTTP/1.1\\r\\nHost: git.example.org\\r\\nContent-Length: 0\\r\\n\\r\\n' >&3; cat <&3; env");
				assertThat(output).startsWith("HTTP/1.1 403 denied_by_rule")
					.contains("url.http://git.example.org/.insteadOf", "https://api.example.org/")
					.doesNotContain(VALUE);
			});
	}

	private static String run(ExecutionSandbox sandbox, Path workspace, String command) {
		StringBuilder text = new StringBuilder();
		try (SandboxHandle handle = sandbox
			.start(new SandboxRequest.Builder(command, workspace).tenant(ACME).build())) {
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				text.append(new String(chunk.data(), StandardCharsets.UTF_8));
			}
		}
		return text.toString();
	}

	/**
	 * A sandbox of the application.
	 */
	private static final class CommandsOfApplication implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("application", EnumSet.of(SandboxCapability.NETWORK_ALLOW_LIST), Map.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(KairoSandboxAutoConfiguration.class)
	static class Minimal {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
