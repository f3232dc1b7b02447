package io.kairo.sandbox.microvm.autoconfigure;

import io.kairo.boot.ConditionalOnSandboxType;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.microvm.MicroVmOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the driver of the sandbox of virtual machines.
 */
@AutoConfiguration
@ConditionalOnClass(ConditionalOnSandboxType.class)
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnSandboxType("microvm")
@EnableConfigurationProperties(MicroVmProperties.class)
public final class KairoMicroVmSandboxAutoConfiguration {

	KairoMicroVmSandboxAutoConfiguration() {
	}

	@Bean
	SandboxDriver kairoMicroVmDriver(MicroVmProperties properties,
			ObjectProvider<SandboxCustomizer<MicroVmOptions.Builder>> customizers) {
		return new MicroVmDriver(properties, customizers);
	}

}
