package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.ExecutionSandbox;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that says which sandbox it has, and why, for tests to start in
 * surroundings of its own.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration(KairoSandboxAutoConfiguration.class)
class ChosenSandbox {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(ChosenSandbox.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run(args)) {
			System.out.println("chosen: " + context.getBean(ExecutionSandbox.class).capabilities().backend() + ": "
					+ context.getBean(SandboxChoice.class).reason());
		}
	}

}
