package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.support.cache.CacheListener;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for the {@link ExecutionSandbox} that runs commands. With
 * {@code kairo.sandbox.type=none} no sandbox is created.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SandboxProperties.class)
public final class KairoSandboxAutoConfiguration {

	KairoSandboxAutoConfiguration() {
	}

	/**
	 * Checks every sandbox bean, including beans of the application, before it is used.
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
	 * Applies the interceptors to every sandbox bean, including beans of the application.
	 */
	@Bean
	static SandboxInterceptorPostProcessor kairoSandboxInterceptorPostProcessor(
			ObjectProvider<SandboxInterceptor> interceptors) {
		return new SandboxInterceptorPostProcessor(SingletonSupplier.of(() -> interceptors.orderedStream().toList()));
	}

	@Bean
	CommandEnvironment kairoCommandEnvironment(SandboxProperties properties) {
		return new CommandEnvironment(properties.env());
	}

	/**
	 * Configures the choice between the sandboxes of the drivers.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LocalProcessSandbox.class)
	@ConditionalOnMissingBean(ExecutionSandbox.class)
	@Conditional(OnCommandsWanted.class)
	@EnableConfigurationProperties(KairoProperties.class)
	static class ChoiceConfiguration {

		private final SandboxProperties properties;

		private final KairoProperties kairo;

		private final Environment environment;

		ChoiceConfiguration(SandboxProperties properties, KairoProperties kairo, Environment environment) {
			this.properties = properties;
			this.kairo = kairo;
			this.environment = environment;
		}

		@Bean
		ConfiguredSandboxes kairoConfiguredSandboxes(ObjectProvider<SandboxDriver> drivers,
				ObjectProvider<SandboxCustomizer<CommandSettings.Builder>> customizers,
				ObjectProvider<RequestRules> rules, ObjectProvider<CommandUser> user,
				ObjectProvider<CacheListener> listeners) {
			CommandSettingsFactory settings = new CommandSettingsFactory(this.kairo.stateDirectory(), shutdownGrace(),
					this.kairo.nativeCalls(),
					(caches) -> new CacheOptions(
							user.getIfAvailable(() -> new CommandUser(null)).defaultDirectory(this.kairo, "caches"),
							caches.names(), caches.maxSize().toBytes(), caches.idleTimeout(),
							(tenant, bytes, maxBytes) -> listeners
								.forEach((listener) -> listener.measured(tenant, bytes, maxBytes))),
					() -> rules.getIfAvailable(() -> RequestRules.NONE),
					(builder) -> customizers.orderedStream().forEach((customizer) -> customizer.customize(builder)));
			return new ConfiguredSandboxes(this.properties, this.environment, settings, drivers.orderedStream());
		}

		@Bean
		SandboxChoice kairoSandboxChoice(ConfiguredSandboxes sandboxes) {
			return sandboxes.choose();
		}

		@Bean
		ExecutionSandbox kairoExecutionSandbox(ConfiguredSandboxes sandboxes, SandboxChoice choice) {
			return sandboxes.create(choice);
		}

		/**
		 * Returns the time that a shutdown of the JVM leaves the application context to
		 * close the sandbox, so that commands of the last web requests can complete.
		 * Twice the timeout of a phase, since there are several phases.
		 */
		private Duration shutdownGrace() {
			if (!this.environment.getProperty("spring.main.register-shutdown-hook", Boolean.class, true)) {
				return Duration.ZERO;
			}
			return this.environment
				.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class, Duration.ofSeconds(30))
				.multipliedBy(2);
		}

	}

	/**
	 * Configures the drivers of the sandboxes for commands on this machine.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LocalProcessSandbox.class)
	@Conditional(OnCommandsWanted.class)
	@EnableConfigurationProperties({ BubblewrapProperties.class, KairoProperties.class, LandlockProperties.class })
	static class LocalConfiguration {

		@Bean
		SandboxDriver kairoBubblewrapDriver(BubblewrapProperties properties,
				ObjectProvider<SandboxCustomizer<BubblewrapOptions.Builder>> customizers) {
			return new BubblewrapDriver(properties, customizers);
		}

		@Bean
		SandboxDriver kairoLandlockDriver(LandlockProperties properties) {
			return new LandlockDriver(properties);
		}

		@Bean
		SandboxDriver kairoProcessDriver() {
			return new ProcessDriver();
		}

	}

	/**
	 * Configures the rules for requests of commands.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RequestRules.class)
	@Conditional(OnSecretProperties.class)
	@EnableConfigurationProperties(SecretProperties.class)
	static class SecretConfiguration {

		@Bean
		@ConditionalOnMissingBean
		SecretSource kairoSecretSource(SecretProperties properties) {
			return new PropertySecretSource(properties);
		}

		@Bean
		@Lazy(false)
		@ConditionalOnMissingBean
		RequestRules kairoRequestRules(SecretProperties properties, SecretSource source, SandboxProperties sandbox,
				ObjectProvider<SslBundles> bundles) {
			return new RequestRulesFactory(properties, source, sandbox).create(bundles);
		}

	}

	/**
	 * Hides the password of the upstream proxy in endpoints.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SanitizingFunction.class)
	static class UpstreamSanitizingConfiguration {

		@Bean
		SanitizingFunction kairoUpstreamProxySanitizer(SandboxProperties properties) {
			String password = properties.upstreamProxy().password();
			return new SecretSanitizer((password != null) ? Set.of(password) : Set.of());
		}

	}

	/**
	 * Hides secrets in endpoints.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SanitizingFunction.class)
	@Conditional(OnSecretProperties.class)
	@EnableConfigurationProperties(SecretProperties.class)
	static class SanitizingConfiguration {

		@Bean
		SanitizingFunction kairoSecretSanitizer(SecretProperties properties) {
			return new SecretSanitizer(PropertySecretSource.values(properties));
		}

	}

}
