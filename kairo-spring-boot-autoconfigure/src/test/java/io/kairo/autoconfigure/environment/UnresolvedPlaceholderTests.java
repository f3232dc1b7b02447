package io.kairo.autoconfigure.environment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.autoconfigure.audit.AuditProperties;
import io.kairo.autoconfigure.sandbox.SecretProperties;
import io.kairo.boot.UnresolvedPlaceholder;
import io.kairo.sandbox.remote.autoconfigure.RemoteProperties;
import io.kairo.sandbox.remote.autoconfigure.SandboxServerProperties;
import io.kairo.workspace.git.autoconfigure.GitProperties;
import io.kairo.workspace.s3.autoconfigure.S3Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link UnresolvedPlaceholder}, with all properties that are secrets.
 */
class UnresolvedPlaceholderTests {

	private static final Map<String, String> GIT = Map.of("kairo.workspace.git.credentials[0].url",
			"https://git.example.org/", "kairo.workspace.git.credentials[1].url", "https://git.example.org/team/",
			"kairo.workspace.git.credentials[0].password", "s3cret");

	private static final Map<String, String> S3 = Map.of("kairo.workspace.s3.credentials[0].access-key", "agents",
			"kairo.workspace.s3.credentials[0].secret-key", "s3cret");

	static final Iterable<Arguments> secrets = List.of(
			Arguments.of("kairo.workspace.git", GitProperties.class, GIT, "credentials[1].password"),
			Arguments.of("kairo.workspace.s3", S3Properties.class, S3, "credentials[0].access-key"),
			Arguments.of("kairo.workspace.s3", S3Properties.class, S3, "credentials[0].secret-key"),
			Arguments.of("kairo.workspace.s3", S3Properties.class, S3, "credentials[0].session-token"),
			Arguments.of("kairo.sandbox.remote", RemoteProperties.class, Map.of(), "token"),
			Arguments.of("kairo.sandbox.server", SandboxServerProperties.class,
					Map.of("kairo.sandbox.server.clients.other.token", "the token of another client"),
					"clients.agents.token"),
			Arguments.of("kairo.audit", AuditProperties.class, Map.of(), "key"));

	private static Object bind(String prefix, Class<?> type, Map<String, String> properties, String name,
			String value) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put(prefix + "." + name, value);
		all.put("PRESENT", "a secret of more than 16 bytes");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", all));
		return Binder.get(environment).bind(prefix, type).get();
	}

	@ParameterizedTest
	@FieldSource("secrets")
	void absentVariableIsRefused(String prefix, Class<?> type, Map<String, String> properties, String name) {
		for (String value : new String[] { "${ABSENT_VARIABLE}", "prefix-${ABSENT_VARIABLE}" }) {
			assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(prefix, type, properties, name, value))
				.havingRootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(ex) -> assertThat(ex.getName()).isEqualTo(prefix + "." + name))
				.withMessageContaining("ABSENT_VARIABLE")
				.withMessageContaining("set it");
		}
	}

	@ParameterizedTest
	@FieldSource("secrets")
	void presentVariableIsUsed(String prefix, Class<?> type, Map<String, String> properties, String name) {
		assertThat(bind(prefix, type, properties, name, "${PRESENT}")).isNotNull();
		assertThat(bind(prefix, type, properties, name, "${ABSENT_VARIABLE:a secret that is a default}")).isNotNull();
	}

	@Test
	void secretsOfRequestsAreRefusedAlike() {
		assertThatExceptionOfType(BindException.class)
			.isThrownBy(
					() -> bind("kairo.secrets", SecretProperties.class, Map.of(), "shared.forge", "${ABSENT_VARIABLE}"))
			.havingRootCause()
			.withMessageContaining("'forge' refers to the variable ABSENT_VARIABLE");
	}

	@Test
	void secretThatIsNotSetIsAccepted() {
		assertThatNoException().isThrownBy(() -> UnresolvedPlaceholder.refuse("kairo.audit.key", null));
		assertThat(UnresolvedPlaceholder.variable("pa$$word{}")).isNull();
	}

}
