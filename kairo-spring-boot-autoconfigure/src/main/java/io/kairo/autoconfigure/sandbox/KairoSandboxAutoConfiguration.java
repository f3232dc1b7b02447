package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.util.Locale;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.workspace.KairoProperties;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.process.LocalProcessSandboxOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
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
	SandboxRequirements kairoSandboxRequirements(SandboxProperties properties,
			ObjectProvider<ExecutionSandbox> sandbox) {
		SandboxRequirements requirements = new SandboxRequirements(properties);
		sandbox.orderedStream().forEach(requirements::check);
		return requirements;
	}

	/**
	 * Runs commands as processes.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LocalProcessSandbox.class)
	@EnableConfigurationProperties(KairoProperties.class)
	static class LocalConfiguration {

		@Bean
		@ConditionalOnMissingBean
		@Conditional(OnCommandsWanted.class)
		ExecutionSandbox kairoExecutionSandbox(SandboxProperties properties, KairoProperties kairo,
				Environment environment) {
			return switch (properties.type()) {
				case AUTO,
						PROCESS ->
					new LocalProcessSandbox(LocalProcessSandboxOptions.defaults()
						.withInheritEnv(properties.inheritEnv())
						.withDirectory(kairo.stateDirectory().resolve("sandbox"))
						.withShutdownGrace(shutdownGrace(environment)));
				default -> throw new InvalidConfigurationPropertyValueException("kairo.sandbox.type",
						properties.type().name().toLowerCase(Locale.ROOT),
						"this sandbox is not on the class path; use auto, process or none");
			};
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
