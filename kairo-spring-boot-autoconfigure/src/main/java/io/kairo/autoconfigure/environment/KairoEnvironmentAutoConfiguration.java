package io.kairo.autoconfigure.environment;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Auto-configuration of the check that every property below {@code kairo} exists and has
 * an effect, whatever its source.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
public final class KairoEnvironmentAutoConfiguration {

	KairoEnvironmentAutoConfiguration() {
	}

	@Bean
	static PropertyNameCheck kairoPropertyNameCheck(ConfigurableEnvironment environment) {
		return new PropertyNameCheck(environment);
	}

}
