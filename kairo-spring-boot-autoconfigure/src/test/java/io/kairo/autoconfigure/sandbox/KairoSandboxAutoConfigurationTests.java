package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.autoconfigure.environment.KairoEnvironmentAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.autoconfigure.DockerProperties;
import io.kairo.sandbox.docker.autoconfigure.KairoDockerSandboxAutoConfiguration;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.support.cache.CacheOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoSandboxAutoConfiguration}.
 */
class KairoSandboxAutoConfigurationTests {

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(KairoSandboxAutoConfiguration.class, KairoDockerSandboxAutoConfiguration.class));

	@Test
	void typeProcessCreatesLocalProcessSandbox() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> assertThat(context).getBean(ExecutionSandbox.class)
				.isInstanceOf(LocalProcessSandbox.class)
				.extracting((sandbox) -> sandbox.capabilities().backend())
				.isEqualTo("process"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "NONE", "no-ne" })
	void typeNoneCreatesNoSandbox(String type) {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=" + type)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ExecutionSandbox.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kubernetes", "virtual" })
	void unknownTypeFailsStartup(String type) {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=" + type)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("kairo.sandbox.type")
				.rootCause()
				.hasMessageContainingAll(type, "no sandbox has this type", "bubblewrap", "process"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.home", "a-b", "1st" })
	void nameOfNoVariableFailsStartup(String name) {
		this.contextRunner.withPropertyValues("kairo.sandbox.env[" + name + "]=s3cret")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.env", name, "not a name of an environment variable")
				.message()
				.doesNotContain("s3cret"));
	}

	@Test
	void sandboxOfTheApplicationReplacesTheDefault() {
		this.contextRunner.withUserConfiguration(OwnSandbox.class)
			.run((context) -> assertThat(context).hasSingleBean(ExecutionSandbox.class)
				.getBean(ExecutionSandbox.class)
				.isNotInstanceOf(LocalProcessSandbox.class));
	}

	@Test
	void sandboxBacksOffWithoutSandboxLocal() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(LocalProcessSandbox.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ExecutionSandbox.class));
	}

	@Test
	void propertiesHaveDocumentedDefaults() {
		this.contextRunner.run((context) -> {
			SandboxProperties properties = context.getBean(SandboxProperties.class);
			assertThat(properties.timeout()).isEqualTo(Duration.ofSeconds(120));
			assertThat(properties.maxTimeout()).isEqualTo(Duration.ofSeconds(600));
			assertThat(properties.maxOutputBytes()).isEqualTo(DataSize.ofMegabytes(32));
			assertThat(properties.tailBytes()).isEqualTo(DataSize.ofMegabytes(1));
			assertThat(properties.inheritEnv()).containsExactly("PATH", "LANG", "HOME");
			assertThat(properties.autoOrder()).containsExactly("bubblewrap", "landlock", "process");
		});
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.auto-order=docker")
			.run((context) -> assertThat(context.getBean(DockerProperties.class)).isEqualTo(new DockerProperties(null,
					DockerOptions.Pull.NEVER, null, DockerOptions.Workspaces.AUTO, DataSize.ofGigabytes(1), List.of(),
					null, DockerOptions.Mode.SESSION, Duration.ofMinutes(5), 16, Duration.ofSeconds(30), null)));
	}

	@Test
	void commandSeesOnlyInheritedVariables() {
		this.contextRunner
			.withPropertyValues("kairo.sandbox.inherit-env=PATH", "kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> assertThat(run(context.getBean(ExecutionSandbox.class), "echo \"${HOME-unset}\""))
				.isEqualTo("unset\n"));
	}

	@Test
	void commandSeesConfiguredVariables() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoExecutionsAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.env.JAVA_HOME=/opt/jdk 17", "kairo.sandbox.env.LANG=tlh",
					"kairo.sandbox.env.of_request=configured", "kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> {
				assertThat(run(context.getBean(ExecutionSandbox.class), "echo $JAVA_HOME $LANG $of_request $own"))
					.isEqualTo("/opt/jdk 17 tlh configured own\n");
				assertThat(context.getBean(SandboxProperties.class).toString()).contains("JAVA_HOME")
					.doesNotContain("/opt/jdk");
			});
	}

	@Test
	void configuredGitIdentityIsOverriddenByConfiguredVariables() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoExecutionsAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.git-identity=Agent <agent@example.org>",
					"kairo.sandbox.env.GIT_AUTHOR_NAME=Ann", "kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> assertThat(run(context.getBean(ExecutionSandbox.class),
					"echo $GIT_AUTHOR_NAME $GIT_AUTHOR_EMAIL $GIT_COMMITTER_NAME $GIT_COMMITTER_EMAIL"))
				.isEqualTo("Ann agent@example.org Agent agent@example.org\n"));
	}

	@Test
	void sandboxIsClosedWithContext() {
		this.contextRunner.run((context) -> {
			ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
			context.close();
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run(sandbox, "true"))
				.withMessageContaining("closed");
		});
	}

	@ParameterizedTest
	@CsvSource({ "timeout, 0s, above zero", "timeout, -5s, above zero", "max-timeout, 60s, not be below",
			"max-output-bytes, 0B, above zero", "tail-bytes, -1B, at least zero",
			"inherit-env, A=B, not a name of an environment variable",
			"git-identity, Agent, not a name with an address",
			"require-isolation, true, does not enforce file confinement", "limits.memory, 1B, at least 1MB",
			"limits.pids, 2, at least 8", "limits.cpus, 0, at least 0.01", "limits.file-size, 1B, at least 512B",
			"limits.tmpfs-size, 1MB, does not enforce", "network, none, does not enforce network off",
			"network-allow, example.org, network=allow-list", "auto-order, '', at least one",
			"auto-order, 'auto,process', nothing else", "auto-order, none, nothing else",
			"docker.host, /run/docker.sock, unix://", "docker.idle-timeout, 0s, above zero",
			"docker.path-mappings, agents:/workspaces, absolute path", "docker.path-mappings, /srv/agents, a colon",
			"docker.max-copy-size, 0B, above zero", "docker.max-idle, -1, at least 0",
			"docker.lease, 2s, at least 3s" })
	void invalidValueIsReportedWithProperty(String name, String value, String message) {
		this.contextRunner
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.auto-order=docker,process",
					"kairo.sandbox." + name + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox." + name, message));
	}

	@Test
	void allowListFailsStartupWithProcessSandbox() {
		this.contextRunner
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.network=allow-list",
					"kairo.sandbox.network-allow=example.org")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network", "allow-list", "'process'",
						"does not enforce network allow list"));
	}

	@Test
	void emptyAllowListFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.sandbox.network=allow-list")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network-allow", "at least one host"));
	}

	@Test
	void allowListWithUnixSocketsFailsStartup() {
		this.contextRunner
			.withPropertyValues("kairo.sandbox.network=allow-list", "kairo.sandbox.network-allow=example.org",
					"kairo.sandbox.bubblewrap.unix-sockets=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.bubblewrap.unix-sockets",
						"bypasses kairo.sandbox.network-allow"));
	}

	@Test
	void requiredIsolationAppliesToSandboxOfTheApplication() {
		this.contextRunner.withUserConfiguration(OwnSandbox.class)
			.withClassLoader(new FilteredClassLoader("io.kairo.sandbox"))
			.withPropertyValues("kairo.sandbox.require-isolation=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.require-isolation"));
	}

	@Test
	void capabilitiesAreDeterminedAtStartupOnlyIfSomethingIsRequired() {
		AtomicInteger determined = new AtomicInteger();
		ApplicationContextRunner runner = this.contextRunner.withBean("own", ExecutionSandbox.class,
				() -> new NamedSandbox(SandboxCapabilities.none("counting"), determined));
		runner.run((context) -> assertThat(determined).hasValue(0));
		runner.withPropertyValues("kairo.sandbox.limits.pids=64")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.limits.pids", "'counting'"));
		assertThat(determined).hasValue(1);
	}

	@Test
	void requiredIsolationIsCheckedAtStartupWithLazyBeans() {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.require-isolation=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.require-isolation"));
	}

	@Test
	void hostNetworkIsAccepted() {
		this.contextRunner.withPropertyValues("kairo.sandbox.network=host")
			.run((context) -> assertThat(context).hasSingleBean(ExecutionSandbox.class));
	}

	@Test
	void hostNetworkFailsStartupWithSandboxThatHasNone() {
		SandboxCapabilities capabilities = SandboxCapabilities.of("own", EnumSet.of(SandboxCapability.NETWORK_OFF),
				Map.of(SandboxCapability.NETWORK_OFF, "it is an island"));
		this.contextRunner
			.withBean("own", ExecutionSandbox.class, () -> new NamedSandbox(capabilities, new AtomicInteger()))
			.withPropertyValues("kairo.sandbox.network=host")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network", "'host'", "'own' gives commands no network",
						"it is an island"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "typ=none", "limits.memories=1GB", "bubblewrap.runas-user=x", "networks=none" })
	void unknownPropertyFailsStartup(String property) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoEnvironmentAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox." + property)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("no such property"));
	}

	@Test
	void timeoutWithoutUnitIsInSeconds() {
		this.contextRunner.withPropertyValues("kairo.sandbox.timeout=30")
			.run((context) -> assertThat(context.getBean(SandboxProperties.class).timeout())
				.isEqualTo(Duration.ofSeconds(30)));
	}

	@Test
	void customizersChangeOptionsAfterProperties() {
		Customizers customizers = new Customizers(this.directory.resolve("none"));
		this.contextRunner.withBean(Customizers.class, () -> customizers)
			.withPropertyValues("kairo.sandbox.inherit-env=HOME", "kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> {
				assertThat(run(context.getBean(ExecutionSandbox.class), "echo \"${HOME-unset}\"")).isEqualTo("unset\n");
				assertThat(customizers.given).isNotEmpty()
					.allSatisfy((settings) -> assertThat(settings.inheritEnv()).containsExactly("HOME"));
				assertThat(customizers.bubblewrap).singleElement()
					.satisfies((options) -> assertThat(options.commands().inheritEnv()).containsExactly("PATH"));
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { ".m2,.npm | [.m2, .npm]", "'' | none" })
	void cachesAreInTheStateDirectory(String property, String expected) {
		Customizers customizers = new Customizers(this.directory.resolve("none"));
		Path state = this.directory.resolve("state");
		this.contextRunner.withBean(Customizers.class, () -> customizers)
			.withPropertyValues("kairo.state-dir=" + state, "kairo.sandbox.caches.names=" + property,
					"kairo.sandbox.caches.max-size=3MB", "kairo.sandbox.caches.idle-timeout=1h")
			.run((context) -> assertThat(customizers.given).isNotEmpty().allSatisfy((settings) -> {
				CacheOptions caches = settings.caches();
				assertThat((caches != null) ? caches.names().toString() : "none").isEqualTo(expected);
				assertThat(caches).satisfiesAnyOf((none) -> assertThat(none).isNull(),
						(given) -> assertThat(given).isEqualTo(new CacheOptions(state.resolve("caches"), given.names(),
								3 << 20, Duration.ofHours(1), given.listener())));
			}));
	}

	@Test
	void nameOfCacheWithSlashIsRefused() {
		this.contextRunner.withPropertyValues("kairo.sandbox.caches.names=.m2/repository")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("'.m2/repository' is not the name of a directory"));
	}

	@Test
	void sessionsOfBubblewrapAreConfigured() {
		Customizers customizers = new Customizers(this.directory.resolve("none"));
		this.contextRunner.withBean(Customizers.class, () -> customizers)
			.withPropertyValues("kairo.sandbox.bubblewrap.idle-timeout=2h", "kairo.sandbox.bubblewrap.max-idle=5")
			.run((context) -> assertThat(customizers.bubblewrap).singleElement().satisfies((options) -> {
				assertThat(options.idleTimeout()).isEqualTo(Duration.ofHours(2));
				assertThat(options.maxIdle()).isEqualTo(5);
			}));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nativeCallsApplyToAllLocalSandboxes(boolean nativeCalls) {
		Customizers customizers = new Customizers(this.directory.resolve("none"));
		this.contextRunner.withBean(Customizers.class, () -> customizers)
			.withPropertyValues("kairo.native-calls=" + nativeCalls,
					"kairo.state-dir=" + this.directory.resolve("state"))
			.run((context) -> assertThat(customizers.given).isNotEmpty()
				.allSatisfy((settings) -> assertThat(settings.nativeCalls()).isEqualTo(nativeCalls)));
	}

	private String run(ExecutionSandbox sandbox, String command) {
		try (SandboxHandle handle = sandbox.start(
				new SandboxRequest.Builder(command, this.directory).env(Map.of("of_request", "request", "own", "own"))
					.build())) {
			StringBuilder output = new StringBuilder();
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				output.append(new String(chunk.data()));
			}
			return output.toString();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSandbox {

		@Bean
		ExecutionSandbox ownSandbox() {
			return (request) -> {
				throw new UnsupportedOperationException();
			};
		}

	}

	/**
	 * A sandbox that counts how often its capabilities are determined.
	 */
	private record NamedSandbox(SandboxCapabilities claimed, AtomicInteger determined) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxCapabilities capabilities() {
			this.determined.incrementAndGet();
			return this.claimed;
		}

	}

	/**
	 * Customizers that let no sandbox but process work.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		final List<CommandSettings> given = new ArrayList<>();

		final List<BubblewrapOptions> bubblewrap = new ArrayList<>();

		private final Path missing;

		Customizers(Path missing) {
			this.missing = missing;
		}

		@Bean
		SandboxCustomizer<CommandSettings.Builder> settings() {
			return (settings) -> {
				this.given.add(settings.build());
				settings.inheritEnv(List.of("PATH"));
			};
		}

		@Bean
		SandboxCustomizer<BubblewrapOptions.Builder> bubblewrap() {
			return (options) -> {
				this.bubblewrap.add(options.build());
				options.executable(this.missing);
			};
		}

	}

}
