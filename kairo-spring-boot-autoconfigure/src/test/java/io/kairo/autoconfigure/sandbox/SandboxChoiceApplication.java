package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that prints its sandbox, the reason for its selection and its health,
 * for tests that start it as different users.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ KairoSandboxAutoConfiguration.class, KairoHealthAutoConfiguration.class })
class SandboxChoiceApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(SandboxChoiceApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run(args)) {
			System.out.println("chosen: " + context.getBean(ExecutionSandbox.class).capabilities().backend() + ": "
					+ context.getBean(SandboxChoice.class).reason());
			Health health = context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health(true);
			System.out.println("health: " + health.getStatus() + " " + health.getDetails().get("problem"));
		}
	}

}
