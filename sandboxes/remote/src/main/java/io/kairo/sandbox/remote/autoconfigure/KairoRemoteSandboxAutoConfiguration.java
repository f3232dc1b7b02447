package io.kairo.sandbox.remote.autoconfigure;

import io.kairo.boot.ConditionalOnSandboxType;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.remote.RemoteSandboxOptions;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the driver of the remote sandbox, and for the states and meters
 * of its workers.
 */
@AutoConfiguration(afterName = "io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration")
@ConditionalOnClass(ConditionalOnSandboxType.class)
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnSandboxType("remote")
@EnableConfigurationProperties(RemoteProperties.class)
public final class KairoRemoteSandboxAutoConfiguration {

	KairoRemoteSandboxAutoConfiguration() {
	}

	@Bean
	RemoteWorkers kairoRemoteWorkers() {
		return new RemoteWorkers();
	}

	@Bean
	SandboxDriver kairoRemoteDriver(RemoteProperties remote, Environment environment,
			ObjectProvider<SandboxCustomizer<RemoteSandboxOptions.Builder>> customizers, RemoteWorkers workers,
			BeanFactory beans) {
		boolean isolated = Binder.get(environment)
			.bind("kairo.sandbox.require-isolation", Boolean.class)
			.orElseGet(() -> false);
		return new RemoteDriver(remote, isolated, customizers, workers, beans);
	}

	/**
	 * Configures the meters of the workers beside the other meters of Kairo.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(name = "kairoSandboxMeters")
	static class MetersConfiguration {

		@Bean
		WorkerMeters kairoWorkerMeters(RemoteWorkers workers) {
			return new WorkerMeters(workers);
		}

	}

}
