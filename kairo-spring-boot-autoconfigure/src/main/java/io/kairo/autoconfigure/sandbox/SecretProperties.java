package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.Secret;
import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for secrets that the proxy of an allow-list adds to requests
 * of commands.
 *
 * @param shared Secrets that the requests of every tenant can have, by name.
 * @param tenants Secrets by tenant id and name. They take precedence over shared secrets.
 * @param timeout Timeout of a lookup of a secret. The request is refused then.
 * @param sslBundle Name of the SSL bundle (spring.ssl.bundle) with the authorities of the
 * hosts of rules. By default, the authorities of the Java runtime.
 * @param rules Rules for requests to hosts of the allow-list. The first match applies.
 */
@ConfigurationProperties("kairo.secrets")
public record SecretProperties(@DefaultValue Map<String, String> shared,
		@DefaultValue Map<String, Map<String, String>> tenants,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5s") Duration timeout, @Nullable String sslBundle,
		@DefaultValue List<SecretRuleProperties> rules) {

	static final String PREFIX = "kairo.secrets.";

	/**
	 * Creates and validates the properties.
	 * @param timeout the timeout of a lookup, above zero
	 */
	public SecretProperties {
		shared = checked("shared", shared);
		Map<String, Map<String, String>> byTenant = new HashMap<>();
		tenants.forEach((tenant, secrets) -> byTenant.put(tenant, checked("tenants", secrets)));
		tenants = Map.copyOf(byTenant);
		rules = List.copyOf(rules);
		new PropertyBounds(PREFIX).positive("timeout", timeout);
	}

	/**
	 * Checks secrets. The failure names a property without a value of its own, since the
	 * values of a named property are printed.
	 */
	private static Map<String, String> checked(String property, Map<String, String> secrets) {
		secrets.forEach((name, value) -> {
			String unresolved = UnresolvedPlaceholder.variable(value);
			if (unresolved != null) {
				throw invalid(property, "***", "the secret '" + name + "' refers to the variable " + unresolved
						+ ", which does not exist: set it");
			}
			try {
				Secret.of(value);
			}
			catch (IllegalArgumentException ex) {
				throw invalid(property, "***", "the secret '" + name + "' is invalid. " + ex.getMessage());
			}
		});
		return Map.copyOf(secrets);
	}

	static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			@Nullable String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + name, value, String.valueOf(reason));
	}

	/**
	 * Returns the secrets of a tenant.
	 * @param tenantId the id of the tenant
	 * @return the values by name, with those of all tenants
	 */
	public Map<String, String> of(String tenantId) {
		Map<String, String> secrets = new HashMap<>(this.shared);
		secrets.putAll(this.tenants.getOrDefault(tenantId, Map.of()));
		return secrets;
	}

	/**
	 * Describes the properties without the secrets.
	 */
	@Override
	public String toString() {
		return "SecretProperties[shared=" + this.shared.keySet() + ", tenants=" + this.tenants.keySet() + ", rules="
				+ this.rules + "]";
	}

}
