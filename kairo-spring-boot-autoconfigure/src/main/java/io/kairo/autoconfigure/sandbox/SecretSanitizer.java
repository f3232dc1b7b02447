package io.kairo.autoconfigure.sandbox;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/**
 * Hides secrets in the endpoints {@code env} and {@code configprops}, also from callers
 * that may see other values: the secrets of the properties, and any value that contains
 * one, such as the environment variable that a property refers to.
 */
final class SecretSanitizer implements SanitizingFunction {

	/** A shorter text occurs in other values by chance. */
	private static final int LEAST_PART = 8;

	private final Set<String> secrets;

	SecretSanitizer(Set<String> secrets) {
		this.secrets = secrets;
	}

	@Override
	public SanitizableData apply(SanitizableData data) {
		String key = data.getKey();
		boolean named = key.startsWith(SecretProperties.PREFIX + "shared")
				|| key.startsWith(SecretProperties.PREFIX + "tenants");
		return (named || isSecret(String.valueOf(data.getValue()))) ? data.withSanitizedValue() : data;
	}

	private boolean isSecret(String value) {
		return this.secrets.stream()
			.anyMatch((secret) -> (secret.length() < LEAST_PART) ? value.strip().equals(secret.strip())
					: value.contains(secret));
	}

}
