package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Analyzes the failure to bind a secret without printing its value, as other analyzers
 * would.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SecretBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		String name = cause.getName().toString().toLowerCase(Locale.ROOT);
		if (findCause(rootFailure, InvalidConfigurationPropertyValueException.class) != null
				|| !(name.startsWith(SecretProperties.PREFIX + "shared")
						|| name.startsWith(SecretProperties.PREFIX + "tenants"))) {
			return null;
		}
		return new FailureAnalysis("The property " + name + " cannot be used: it is not a name with a value.",
				"Write kairo.secrets.shared.<name> or kairo.secrets.tenants.<tenant>.<name>, with the secret as its "
						+ "value.",
				cause);
	}

}
