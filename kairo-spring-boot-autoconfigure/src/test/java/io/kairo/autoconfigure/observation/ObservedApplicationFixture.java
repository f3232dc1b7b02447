package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * An application with one directory per tenant and the auto-configurations that count and
 * observe its calls, in the order of Spring Boot.
 */
abstract class ObservedApplicationFixture {

	static final TenantContext ACME = new TenantContext("acme", "ann");

	@TempDir
	Path directory;

	ApplicationContextRunner contextRunner;

	@BeforeEach
	void createRunner() {
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoObservationAutoConfiguration.class,
					KairoHealthAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoMetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, MetricsAutoConfiguration.class,
					SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.workspace.roots=" + this.directory + "/{tenant}");
	}

	static void call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		call(context, ACME, tool, arguments);
	}

	static void call(ApplicationContext context, TenantContext tenant, String tool, Map<String, Object> arguments) {
		context.getBean(AgentSessions.class)
			.inSession(tenant, null, (builder) -> context.getBean(ToolCatalog.class)
				.call(new ToolCall("", tool, arguments), builder.build()));
	}

}
