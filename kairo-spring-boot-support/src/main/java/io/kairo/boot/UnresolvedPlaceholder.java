package io.kairo.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * A reference to a variable that does not exist. Spring Boot passes it on as it stands,
 * and so it would become a secret that everyone can guess.
 */
public final class UnresolvedPlaceholder {

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Za-z0-9_.-]+)}");

	private UnresolvedPlaceholder() {
	}

	/**
	 * Returns the variable that a value refers to.
	 * @param value the value after placeholders were resolved
	 * @return the name of the first variable that does not exist, null if there is none
	 */
	public static @Nullable String variable(String value) {
		Matcher unresolved = PLACEHOLDER.matcher(value);
		return unresolved.find() ? unresolved.group(1) : null;
	}

	/**
	 * Refuses a secret that refers to a variable that does not exist.
	 * @param property the name of the property
	 * @param secret the value of the property, null if it is not set
	 * @throws InvalidConfigurationPropertyValueException if it refers to such a variable
	 */
	public static void refuse(String property, @Nullable String secret) {
		String variable = (secret != null) ? variable(secret) : null;
		if (variable != null) {
			throw new InvalidConfigurationPropertyValueException(property, "***",
					"it refers to the variable " + variable + ", which does not exist: set it");
		}
	}

}
