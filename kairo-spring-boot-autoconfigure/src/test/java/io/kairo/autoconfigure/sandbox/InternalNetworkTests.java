package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for internal hosts of an allow-list and for an upstream proxy, without a sandbox
 * that this machine may lack.
 */
@ExtendWith(OutputCaptureExtension.class)
class InternalNetworkTests {

	private static final String PASSWORD = "s3cret-of-the-proxy";

	private static final String[] PROXY = { "kairo.sandbox.network-allow=example.org",
			"kairo.sandbox.upstream-proxy.url=http://proxy.corp.example:3128",
			"kairo.sandbox.upstream-proxy.username=robot", "kairo.sandbox.upstream-proxy.password=" + PASSWORD };

	@TempDir
	Path directory;

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory, "kairo.sandbox.type=bubblewrap",
					"kairo.sandbox.network=allow-list");
	}

	private static String allowList(SandboxProperties properties) {
		return properties.allowList().toString();
	}

	@Test
	void internalHostNeedsNoOtherEntry() {
		runner().withBean(ExecutionSandbox.class, AllowListedCommands::new)
			.withPropertyValues("kairo.sandbox.network-allow-internal=git.corp.example:443,10.1.0.0/16:8443",
					"kairo.secrets.shared.token=x", "kairo.secrets.rules[0].host=git.corp.example",
					"kairo.secrets.rules[0].secret=token")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(RequestRules.class);
				assertThat(allowList(context.getBean(SandboxProperties.class)))
					.isEqualTo("[] and [git.corp.example:443, 10.1.0.0/16:8443]");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost:8443", "localhost", "127.0.0.1:8080", "10.1.2.3", "x.localhost:80" })
	void localHostOfTheOtherListStopsStartWithRemedy(String host) {
		runner().withPropertyValues("kairo.sandbox.network-allow=example.org," + host)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network-allow", host,
						"with its port in kairo.sandbox.network-allow-internal"));
	}

	@Test
	void localHostInBothListsIsAccepted() {
		runner().withBean(ExecutionSandbox.class, AllowListedCommands::new)
			.withPropertyValues("kairo.sandbox.network-allow=localhost:8443",
					"kairo.sandbox.network-allow-internal=localhost:8443")
			.run((context) -> assertThat(allowList(context.getBean(SandboxProperties.class)))
				.isEqualTo("[localhost:8443] and [localhost:8443]"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			network-allow-internal=*.corp.example:443 | network-allow-internal | has a wildcard
			network-allow-internal=git.corp.example   | network-allow-internal | is no host with a port
			network-allow-internal=0.0.0.0/0:443      | network-allow-internal | none of the ranges of internal networks
			network-allow-internal=169.254.0.0/16:80  | network-allow-internal | a range of metadata services
			upstream-proxy.url=https://proxy:3128     | upstream-proxy.url     | over TLS
			upstream-proxy.url=http://proxy           | upstream-proxy.url     | a colon and a port
			upstream-proxy.url=proxy:3128             | upstream-proxy.url     | http://
			upstream-proxy.url=http://pro xy:99999    | upstream-proxy.url     | is no proxy
			upstream-proxy.url=http://a:b@proxy:3128  | upstream-proxy         | set username and password instead
			upstream-proxy.url=                       | upstream-proxy         | the url is missing
			upstream-proxy.username=                  | upstream-proxy         | the username is missing
			upstream-proxy.password=                  | upstream-proxy         | the password is missing
			upstream-proxy.username=a:b               | upstream-proxy.username | colon
			upstream-proxy.no-proxy=*                 | upstream-proxy.no-proxy | is no host
			env.PROXY=http://robot:s3cret-of-the-proxy@x | upstream-proxy      | commands would find the password
			""")
	void invalidValueStopsStart(String property, String name, String reason) {
		runner().withPropertyValues(PROXY)
			.withPropertyValues("kairo.sandbox." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox." + name, reason)
				.hasMessageNotContaining(PASSWORD));
	}

	@Test
	void settingsWithoutAllowListStopStart() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process",
					"kairo.sandbox.upstream-proxy.url=http://proxy.corp.example:3128")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.upstream-proxy.url", "network=allow-list"));
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.network-allow-internal=localhost:8443")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network-allow-internal", "network=allow-list"));
	}

	@Test
	void clientOfWorkersRefusesSettingsOfWorkers() {
		runner().withConfiguration(AutoConfigurations.of(KairoRemoteSandboxAutoConfiguration.class))
			.withPropertyValues(PROXY)
			.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.workers=http://127.0.0.1:1",
					"kairo.sandbox.network-allow-internal=localhost:8443")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network-allow-internal", "kairo.sandbox.upstream-proxy",
						"no effect on the workers"));
	}

	@Test
	void hostsOfTenantReplaceBothLists() {
		runner().withBean(ExecutionSandbox.class, AllowListedCommands::new)
			.withPropertyValues(PROXY)
			.withPropertyValues("kairo.sandbox.network-allow-internal=git.corp.example:443",
					"kairo.sandbox.tenants.acme.network-allow=acme.example",
					"kairo.sandbox.tenants.globex.network-allow-internal=localhost:8443",
					"kairo.sandbox.tenants.initech.timeout=5s", "kairo.sandbox.tenants.umbrella.network=none")
			.run((context) -> {
				SandboxProperties properties = context.getBean(SandboxProperties.class);
				assertThat(allowList(properties.of("acme"))).isEqualTo("[acme.example]");
				assertThat(allowList(properties.of("globex"))).isEqualTo("[] and [localhost:8443]");
				assertThat(allowList(properties.of("initech"))).isEqualTo("[example.org] and [git.corp.example:443]");
				assertThat(properties.of("umbrella").networkAllowInternal()).isEmpty();
				assertThat(properties.of("umbrella").upstreamProxy().url()).isNull();
				assertThat(properties.of("acme").upstreamProxy().url()).isNotNull();
			});
	}

	@Test
	void upstreamProxyIsPassedOnWithoutShowingThePassword() {
		runner().withBean(ExecutionSandbox.class, AllowListedCommands::new)
			.withPropertyValues(PROXY)
			.withPropertyValues("kairo.sandbox.upstream-proxy.no-proxy=.corp.example,10.0.0.0/8")
			.run((context) -> {
				SandboxProperties properties = context.getBean(SandboxProperties.class);
				assertThat(properties.toString() + properties.upstreamProxy()).doesNotContain(PASSWORD);
				assertThat(CommandSettingsFactory.allowList(properties, RequestRules.NONE))
					.hasFieldOrPropertyWithValue("upstream.address.host.text", "proxy.corp.example");
				SanitizingFunction sanitizer = context.getBean(SanitizingFunction.class);
				for (String key : List.of("kairo.sandbox.upstream-proxy.password", "PROXY_URL")) {
					assertThat(sanitizer.apply(new SanitizableData(null, key, "http://robot:" + PASSWORD + "@x")))
						.extracting(SanitizableData::getValue)
						.isEqualTo(SanitizableData.SANITIZED_VALUE);
				}
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.sandbox.upstream-proxy.url=http://robot:" + PASSWORD + "@proxy:3128",
			"kairo.sandbox.upstream-proxy.password=" + PASSWORD + "\u00e4", "kairo.sandbox.upstream-proxy.username=",
			"kairo.sandbox.env.TOKEN=" + PASSWORD,
			"kairo.sandbox.upstream-proxy.password=" + PASSWORD + "${NO_PASSWORD}",
			"kairo.sandbox.upstream-proxy.username=a:b" })
	void failureDoesNotShowThePassword(String property, CapturedOutput output) {
		SpringApplication application = new SpringApplication(Minimal.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		String[] arguments = Stream
			.of(Stream.of(PROXY),
					Stream.of("kairo.state-dir=" + this.directory, "kairo.sandbox.type=bubblewrap",
							"kairo.sandbox.network=allow-list", property))
			.flatMap((each) -> each)
			.filter((each) -> each.equals(property) || !each.startsWith(property.substring(0, property.indexOf('='))))
			.map((each) -> "--" + each)
			.toArray(String[]::new);
		assertThatException().isThrownBy(() -> application.run(arguments));
		assertThat(output).contains("APPLICATION FAILED TO START", "kairo.sandbox.upstream-proxy")
			.doesNotContain(PASSWORD);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(KairoSandboxAutoConfiguration.class)
	static class Minimal {

	}

}
