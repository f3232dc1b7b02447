package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.ExecutionSandbox;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that prints its sandbox and the reason for its selection, for tests that
 * start it as different users.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration(KairoSandboxAutoConfiguration.class)
class SandboxChoiceApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(SandboxChoiceApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run(args)) {
			System.out.println("chosen: " + context.getBean(ExecutionSandbox.class).capabilities().backend() + ": "
					+ context.getBean(SandboxChoice.class).reason());
		}
	}

}
