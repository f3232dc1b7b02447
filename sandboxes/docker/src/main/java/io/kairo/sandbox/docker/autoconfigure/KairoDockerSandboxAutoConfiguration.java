package io.kairo.sandbox.docker.autoconfigure;

import io.kairo.boot.ConditionalOnSandboxType;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.docker.DockerOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the driver of the Docker sandbox.
 */
@AutoConfiguration
@ConditionalOnClass(ConditionalOnSandboxType.class)
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnSandboxType("docker")
@EnableConfigurationProperties(DockerProperties.class)
public final class KairoDockerSandboxAutoConfiguration {

	KairoDockerSandboxAutoConfiguration() {
	}

	@Bean
	SandboxDriver kairoDockerDriver(DockerProperties properties,
			ObjectProvider<SandboxCustomizer<DockerOptions.Builder>> customizers) {
		return new DockerDriver(properties, customizers);
	}

}
