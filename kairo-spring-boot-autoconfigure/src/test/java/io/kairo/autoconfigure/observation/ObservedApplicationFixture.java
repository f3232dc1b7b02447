package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with one directory per tenant and the auto-configurations of the class
 * path, in the order of Spring Boot.
 */
abstract class ObservedApplicationFixture {

	static final TenantContext ACME = new TenantContext("acme", "ann");

	@TempDir
	Path directory;

	ApplicationContextRunner contextRunner;

	@BeforeEach
	void createRunner() {
		this.contextRunner = new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("spring.ai.mcp.server.enabled=false", "kairo.sandbox.type=process",
					"kairo.workspace.roots=" + this.directory + "/{tenant}");
	}

	static void call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		call(context, ACME, tool, arguments);
	}

	static void call(ApplicationContext context, TenantContext tenant, String tool, Map<String, Object> arguments) {
		context.getBean(AgentSessions.class)
			.inSession(tenant, null, (builder) -> context.getBean(ToolCatalog.class)
				.call(new ToolCall("", tool, arguments), builder.build()));
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

}
