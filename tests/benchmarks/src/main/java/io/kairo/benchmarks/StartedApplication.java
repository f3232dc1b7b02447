package io.kairo.benchmarks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A minimal Spring Boot application, which prints a line when it has started.
 */
@EnableAutoConfiguration
@Configuration(proxyBeanMethods = false)
class StartedApplication {

	/** Printed, followed by whether it has the tools of Kairo. */
	static final String STARTED = "Started, with Kairo: ";

	public static void main(String[] arguments) {
		ConfigurableApplicationContext context = SpringApplication.run(StartedApplication.class, arguments);
		System.out.println(STARTED + context.containsBean("kairoReadTool"));
	}

}
