package io.kairo.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.kairo.autoconfigure.ledger.TenantBudgetProperties;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.sandbox.SecretRuleProperties;
import io.kairo.autoconfigure.sandbox.TenantSandboxProperties;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tenancy.TenantLimitProperties;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.TenantToolProperties;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.SandboxServerProperties;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.workspace.git.autoconfigure.GitProperties;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.kairo.workspace.s3.autoconfigure.KairoS3WorkspaceAutoConfiguration;
import io.kairo.workspace.s3.autoconfigure.S3Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the configuration metadata that editors use.
 */
class ConfigurationMetadataTests {

	/** Properties whose default depends on the machine or on other properties. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("kairo.tenancy.required", "kairo.mcp.expose",
			"kairo.audit.file.directory", "kairo.audit.key", "kairo.audit.secret-names", "kairo.audit.secret-patterns",
			"kairo.audit.sinks", "kairo.budgets.enabled", "kairo.budgets.tenants",
			"kairo.budgets.tenants.default.cpu-time-per-day", "kairo.budgets.tenants.default.executions-per-day",
			"kairo.budgets.tenants.default.output-per-day", "kairo.policy.approvals.approver-roles",
			"kairo.policy.approvals.operator-roles", "kairo.policy.path-arguments", "kairo.policy.rules",
			"kairo.policy.rules[].action", "kairo.policy.rules[].commands", "kairo.policy.rules[].name",
			"kairo.policy.rules[].paths", "kairo.policy.rules[].reason", "kairo.policy.rules[].tenants",
			"kairo.policy.rules[].tools", "kairo.state-dir", "kairo.sandbox.env", "kairo.sandbox.git-identity",
			"kairo.sandbox.bubblewrap.executable", "kairo.sandbox.bubblewrap.run-as",
			"kairo.sandbox.bubblewrap.read-only-paths", "kairo.sandbox.docker.host", "kairo.sandbox.docker.image",
			"kairo.sandbox.docker.path-mappings", "kairo.sandbox.docker.run-as", "kairo.sandbox.docker.runtime",
			"kairo.sandbox.microvm.initrd", "kairo.sandbox.microvm.kernel", "kairo.sandbox.microvm.max-memory",
			"kairo.sandbox.microvm.qemu", "kairo.sandbox.microvm.run-as", "kairo.sandbox.microvm.virtiofsd",
			"kairo.sandbox.limits.cpus", "kairo.sandbox.limits.file-size", "kairo.sandbox.limits.memory",
			"kairo.sandbox.limits.pids", "kairo.sandbox.limits.tmpfs-size", "kairo.workspace.git.author-email",
			"kairo.workspace.git.author-name", "kairo.workspace.git.credentials",
			"kairo.workspace.git.credentials[].password", "kairo.workspace.git.credentials[].tenant",
			"kairo.workspace.git.credentials[].url", "kairo.workspace.git.directory", "kairo.workspace.hint",
			"kairo.workspace.task.data-dir", "kairo.mcp.allowed-origins", "kairo.sandbox.network",
			"kairo.sandbox.network-allow", "kairo.sandbox.process-limits.address-space",
			"kairo.sandbox.process-limits.cpu-time", "kairo.sandbox.process-limits.open-files", "kairo.sandbox.tenants",
			"kairo.sandbox.tenants.*.limits.cpus", "kairo.sandbox.tenants.*.limits.file-size",
			"kairo.sandbox.tenants.*.limits.memory", "kairo.sandbox.tenants.*.limits.pids",
			"kairo.sandbox.tenants.*.limits.tmpfs-size", "kairo.sandbox.tenants.*.max-timeout",
			"kairo.sandbox.tenants.*.network", "kairo.sandbox.tenants.*.network-allow",
			"kairo.sandbox.tenants.*.network-allow-internal", "kairo.sandbox.network-allow-internal",
			"kairo.sandbox.upstream-proxy.no-proxy", "kairo.sandbox.upstream-proxy.password",
			"kairo.sandbox.upstream-proxy.url", "kairo.sandbox.upstream-proxy.username",
			"kairo.sandbox.tenants.*.timeout", "kairo.sandbox.tenants.*.type", "kairo.tenancy.limits",
			"kairo.tenancy.limits.default.executions-per-minute", "kairo.tools.exclude", "kairo.tools.read.max-size",
			"kairo.tools.tenants", "kairo.tools.tenants.*.enabled", "kairo.workspace.add-dirs",
			"kairo.workspace.allowed-prefixes", "kairo.workspace.case-insensitive",
			"kairo.workspace.ephemeral.directory", "kairo.workspace.ephemeral.seeds", "kairo.workspace.quota.bytes",
			"kairo.workspace.quota.files", "kairo.workspace.s3.credentials",
			"kairo.workspace.s3.credentials[].access-key", "kairo.workspace.s3.credentials[].secret-key",
			"kairo.mcp.instructions", "kairo.mcp.name", "kairo.mcp.path", "kairo.mcp.protocol", "kairo.mcp.version",
			"kairo.workspace.s3.credentials[].session-token", "kairo.workspace.s3.credentials[].tenant",
			"kairo.sandbox.remote.max-copy-size", "kairo.sandbox.remote.path-mappings",
			"kairo.sandbox.remote.ssl-bundle", "kairo.sandbox.remote.token", "kairo.sandbox.remote.workers",
			"kairo.sandbox.server.address", "kairo.sandbox.server.clients", "kairo.sandbox.server.clients.*.roots",
			"kairo.sandbox.server.clients.*.tenants", "kairo.sandbox.server.clients.*.token",
			"kairo.sandbox.server.max-copies-size", "kairo.sandbox.server.ssl-bundle", "kairo.workspace.s3.directory",
			"kairo.workspace.s3.endpoint", "kairo.workspace.s3.kms-key", "kairo.workspace.s3.locations",
			"kairo.workspace.s3.region", "kairo.secrets.rules", "kairo.secrets.rules[].git",
			"kairo.secrets.rules[].host", "kairo.secrets.rules[].methods", "kairo.secrets.rules[].secret",
			"kairo.secrets.rules[].tenant", "kairo.secrets.rules[].username", "kairo.secrets.shared",
			"kairo.secrets.ssl-bundle", "kairo.secrets.tenants", "kairo.trials.directory");

	@Test
	void everyPropertyHasDescriptionTypeAndDefault() throws IOException {
		List<String> names = new ArrayList<>();
		for (JsonNode property : KairoMetadata.read().get("properties")) {
			String name = property.get("name").asString();
			names.add(name);
			assertThat(property.path("type").asString("")).as(name).isNotEmpty();
			assertThat(property.path("description").asString("")).as(name)
				.hasSizeGreaterThan(20)
				.matches("(?s)\\p{Lu}.*\\.");
			assertThat(property.has("defaultValue") || WITHOUT_DEFAULT.contains(name)).as(name).isTrue();
		}
		assertThat(names).contains("kairo.workspace.roots", "kairo.workspace.add-dirs", "kairo.workspace.path-policy",
				"kairo.sandbox.type", "kairo.sandbox.timeout", "kairo.sandbox.max-timeout",
				"kairo.sandbox.max-output-bytes", "kairo.sandbox.tail-bytes", "kairo.sandbox.inherit-env",
				"kairo.state-dir", "kairo.tools.include", "kairo.tools.exclude", "kairo.mcp.expose",
				"kairo.workspace.provider", "kairo.tenancy.default", "kairo.tenancy.required",
				"kairo.tenancy.limits.default.concurrent-executions", "kairo.tools.session-timeout",
				"kairo.tools.max-sessions", "kairo.tools.read.max-lines", "kairo.tools.output.max-age",
				"kairo.spring-ai.enabled");
	}

	@Test
	void everyGroupHasDescription() throws IOException {
		assertThat(KairoMetadata.read().get("groups")).isNotEmpty()
			.allSatisfy((group) -> assertThat(group.path("description").asString("")).as(group.get("name").asString())
				.matches("\\p{Lu}.*\\."));
	}

	/**
	 * Entries of maps and lists, whose properties the processor does not find.
	 */
	@ParameterizedTest
	@MethodSource
	void propertyOfEntryIsDescribed(String name) throws IOException {
		assertThat(KairoMetadata.read().get("properties")).extracting((property) -> property.get("name").asString())
			.contains(name);
	}

	static Stream<String> propertyOfEntryIsDescribed() {
		return Stream
			.of(names("kairo.sandbox.tenants.*", TenantSandboxProperties.class),
					names("kairo.tools.tenants.*", TenantToolProperties.class),
					names("kairo.tenancy.limits.default", TenantLimitProperties.class),
					names("kairo.budgets.tenants.default", TenantBudgetProperties.class),
					names("kairo.sandbox.server.clients.*", SandboxServerProperties.ClientProperties.class),
					names("kairo.workspace.git.credentials[]", GitProperties.Credential.class),
					names("kairo.workspace.s3.credentials[]", S3Properties.Credential.class),
					names("kairo.secrets.rules[]", SecretRuleProperties.class),
					Stream.of("git", "s3", "sandbox", "workspace")
						.map((name) -> "management.health.kairo-" + name + ".enabled"))
			.flatMap((names) -> names);
	}

	private static Stream<String> names(String prefix, Class<?> properties) {
		return Arrays.stream(properties.getRecordComponents()).flatMap((component) -> {
			String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
			Class<?> type = component.getType();
			return type.isRecord() && type.getName().startsWith("io.kairo.") ? names(name, type) : Stream.of(name);
		});
	}

	@Test
	void everyAutoConfigurationHasConditionMetadata() throws IOException {
		Properties conditions = PropertiesLoaderUtils
			.loadAllProperties("META-INF/spring-autoconfigure-metadata.properties");
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.filteredOn((name) -> name.startsWith("io.kairo."))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(conditions).containsKey(name));
		assertThat(conditions).containsEntry(
				"io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration.ConditionalOnClass",
				"io.kairo.tools.ToolCatalog");
	}

	@Test
	void hintsReferToExistingProperties() throws IOException {
		List<String> names = new ArrayList<>();
		KairoMetadata.read().get("properties").forEach((property) -> names.add(property.get("name").asString()));
		assertThat(KairoMetadata.read().get("hints")).isNotEmpty()
			.allSatisfy((hint) -> assertThat(names)
				.contains(hint.get("name").asString().replaceAll("\\.(keys|values)$", "")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.mcp.expose", "kairo.policy.rules[].tools", "kairo.tools.enabled",
			"kairo.tools.exclude", "kairo.tools.include", "kairo.tools.tenants.*.enabled" })
	void everyToolIsHint(String property, @TempDir Path directory) throws IOException {
		Set<String> tools = new TreeSet<>();
		for (ToolNaming naming : ToolNaming.values()) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(KairoTenancyAutoConfiguration.class,
						KairoWorkspaceAutoConfiguration.class, KairoGitWorkspaceAutoConfiguration.class,
						KairoS3WorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
						KairoToolsAutoConfiguration.class))
				.withPropertyValues("kairo.workspace.roots=" + directory, "kairo.sandbox.type=process",
						"kairo.tools.naming=" + naming, "kairo.workspace.s3.locations=s3://bucket",
						"kairo.workspace.s3.region=eu-central-1")
				.run((context) -> context.getBean(ToolCatalog.class)
					.definitions()
					.forEach((tool) -> tools.add(tool.name())));
		}
		assertThat(tools).contains("Read", "read_file", "Push", "WriteBack", "Bash", "run_command");
		assertThat(KairoMetadata.read().get("hints")).filteredOn((hint) -> hint.get("name").asString().equals(property))
			.singleElement()
			.satisfies((hint) -> assertThat(hint.get("values")).extracting((value) -> value.get("value").asString())
				.filteredOn((value) -> !value.equals("*"))
				.containsExactlyInAnyOrderElementsOf(tools));
	}

}
