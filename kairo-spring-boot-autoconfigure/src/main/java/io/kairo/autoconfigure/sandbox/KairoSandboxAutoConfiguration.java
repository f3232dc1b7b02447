package io.kairo.autoconfigure.sandbox;

import java.time.Duration;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.workspace.KairoProperties;
import io.kairo.sandbox.process.LocalProcessSandbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the {@link ExecutionSandbox} that runs commands. With
 * {@code kairo.sandbox.type=none} there is none.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(SandboxProperties.class)
public final class KairoSandboxAutoConfiguration {

	KairoSandboxAutoConfiguration() {
	}

	/**
	 * Checks every sandbox, whoever made it, before any is used.
	 */
	@Bean
	@Lazy(false)
	SandboxRequirements kairoSandboxRequirements(SandboxProperties properties, ObjectProvider<ExecutionSandbox> sandbox,
			ObjectProvider<SandboxChoice> choice) {
		SandboxRequirements requirements = new SandboxRequirements(properties, choice.getIfAvailable());
		sandbox.orderedStream().forEach(requirements::check);
		return requirements;
	}

	/**
	 * Runs commands on this machine, as confined as it can be.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LocalProcessSandbox.class)
	@EnableConfigurationProperties(KairoProperties.class)
	static class LocalConfiguration {

		@Bean
		@ConditionalOnMissingBean(ExecutionSandbox.class)
		@Conditional(OnCommandsWanted.class)
		LocalSandboxes kairoLocalSandboxes(SandboxProperties properties, KairoProperties kairo,
				Environment environment) {
			return new LocalSandboxes(properties, kairo.stateDirectory(), shutdownGrace(environment));
		}

		@Bean
		@ConditionalOnBean(LocalSandboxes.class)
		SandboxChoice kairoSandboxChoice(LocalSandboxes sandboxes) {
			return sandboxes.choose();
		}

		@Bean
		@ConditionalOnBean(LocalSandboxes.class)
		ExecutionSandbox kairoExecutionSandbox(LocalSandboxes sandboxes, SandboxChoice choice) {
			return sandboxes.create(choice);
		}

		/**
		 * Returns how long the sandbox leaves it to the application context to close it
		 * when the JVM shuts down: commands that the last web requests wait for are to
		 * end by themselves. Twice the time of a phase, since there is more than one.
		 */
		private static Duration shutdownGrace(Environment environment) {
			if (!environment.getProperty("spring.main.register-shutdown-hook", Boolean.class, true)) {
				return Duration.ZERO;
			}
			return environment
				.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class, Duration.ofSeconds(30))
				.multipliedBy(2);
		}

	}

}
