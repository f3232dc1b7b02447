package io.kairo.autoconfigure.sandbox;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds secrets in the configuration.
 */
final class PropertySecretSource implements SecretSource {

	private final SecretProperties properties;

	PropertySecretSource(SecretProperties properties) {
		this.properties = properties;
	}

	@Override
	public @Nullable Secret find(String name, TenantContext tenant) {
		String value = this.properties.of(tenant.tenantId()).get(name);
		return (value != null) ? Secret.of(value) : null;
	}

	@Override
	public boolean defines(String name) {
		return this.properties.shared().containsKey(name)
				|| this.properties.tenants().values().stream().anyMatch((secrets) -> secrets.containsKey(name));
	}

	/**
	 * Returns all secrets of a configuration.
	 */
	static Set<String> values(SecretProperties properties) {
		Set<String> values = new HashSet<>(properties.shared().values());
		properties.tenants().values().stream().map(Map::values).flatMap(Collection::stream).forEach(values::add);
		return values;
	}

}
