package io.kairo.autoconfigure.sandbox;

import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that runs a command for each of two tenants, and prints the results and
 * the health of the sandbox, for tests that start it as an ordinary user.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ KairoSandboxAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
		KairoWorkspaceAutoConfiguration.class, KairoToolsAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
		KairoHealthAutoConfiguration.class })
public class LimitedTenants {

	/** Starts 40 processes, unless one is refused, and prints how many there are. */
	public static final String MANY_PROCESSES = "perl -e 'for (1..40) { my $p = fork; last unless defined $p;"
			+ " if (!$p) { sleep 30; exit } $n++ } print qq($n processes\n)'";

	/** Needs more than 256 MB of memory. */
	public static final String MUCH_MEMORY = "head -c 600M /dev/zero | tail -c 500M | wc -c";

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(LimitedTenants.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run(args)) {
			for (String tenant : new String[] { "acme", "globex" }) {
				for (String command : new String[] { "echo ran in $PWD", MANY_PROCESSES, MUCH_MEMORY }) {
					SessionRequest request = SessionRequest.of(new TenantContext(tenant, tenant), null);
					ToolCall call = new ToolCall("", "Bash", Map.of("command", command));
					System.out.println(tenant + ": "
							+ context.getBean(AgentSessions.class)
								.call(request, context.getBean(ToolCatalog.class), call, UnaryOperator.identity())
								.text()
								.replace('\n', ' '));
				}
			}
			System.out.println("health: "
					+ context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health(true).getDetails());
		}
	}

}
