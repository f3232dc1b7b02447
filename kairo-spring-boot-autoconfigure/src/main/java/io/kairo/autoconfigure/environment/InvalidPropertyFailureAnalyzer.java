package io.kairo.autoconfigure.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * {@link FailureAnalyzer} for values of properties below {@code kairo} that are not
 * allowed, whatever the source and the spelling: the value, its origin, the bound, and
 * the remedy. Values that are hidden in the failure are not shown.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class InvalidPropertyFailureAnalyzer implements FailureAnalyzer {

	private static final ConfigurationPropertyName KAIRO = ConfigurationPropertyName.of("kairo");

	private final Environment environment;

	private @Nullable PropertyTree metadata;

	InvalidPropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		BindException unbound = null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidConfigurationPropertyValueException invalid) {
				return refused(invalid);
			}
			unbound = (cause instanceof BindException bind) ? bind : unbound;
		}
		return (unbound != null) ? unconverted(unbound) : null;
	}

	private @Nullable FailureAnalysis refused(InvalidConfigurationPropertyValueException cause) {
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(cause.getName(), '.');
		if (!KAIRO.isAncestorOf(name)) {
			return null;
		}
		Object value = cause.getValue();
		ConfigurationProperty configured = configured(name);
		boolean hidden = value instanceof String text && text.matches("\\*+");
		Object shown = (configured != null && configured.getName().equals(name) && !hidden) ? configured.getValue()
				: value;
		return analysis(cause.getName(), shown, configured, String.valueOf(cause.getReason()),
				(value != null) ? kind(value.getClass()) : null, cause);
	}

	private @Nullable FailureAnalysis unconverted(BindException cause) {
		Class<?> type = cause.getTarget().getType().resolve();
		String kind = (type != null) ? kind(ClassUtils.resolvePrimitiveIfNecessary(type)) : null;
		ConfigurationProperty configured = cause.getProperty();
		if (kind == null || configured == null || !KAIRO.isAncestorOf(cause.getName())) {
			return null;
		}
		return analysis(cause.getName().toString(), configured.getValue(), configured, "it must be " + kind, kind,
				cause);
	}

	private FailureAnalysis analysis(String name, @Nullable Object value, @Nullable ConfigurationProperty configured,
			String reason, @Nullable String kind, Throwable cause) {
		String origin = (configured != null) ? "originating from '" + configured.getOrigin() + "'" : "which is not set";
		String defaultValue = defaultValue(name);
		return new FailureAnalysis(
				"Invalid value '" + ((value != null) ? value : "") + "' for configuration property '" + name + "' ("
						+ origin + "). Validation failed for the following reason:\n\n    " + reason,
				((kind != null) ? "Set " + name + " to " + kind + " within the bound"
						: "Correct " + name + " as the reason says")
						+ ((configured == null) ? "." : ", or remove it"
								+ ((defaultValue != null) ? ": its default is " + defaultValue : "") + "."),
				cause);
	}

	/**
	 * Returns the property as it is configured, or else the first one below it, such as
	 * the first element of a list.
	 * @return the property, null if its value is a default
	 */
	private @Nullable ConfigurationProperty configured(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property == null && source instanceof IterableConfigurationPropertySource listed) {
				property = listed.stream()
					.filter(name::isAncestorOf)
					.min(Comparator.naturalOrder())
					.map(listed::getConfigurationProperty)
					.orElse(null);
			}
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private @Nullable String defaultValue(String name) {
		try {
			PropertyTree known = this.metadata;
			if (known == null) {
				known = new PropertyTree(InvalidPropertyFailureAnalyzer.class.getClassLoader());
				this.metadata = known;
			}
			return known.defaultValue(name);
		}
		catch (IOException | UncheckedIOException ex) {
			return null;
		}
	}

	/**
	 * Describes the values of a type.
	 */
	private static @Nullable String kind(Class<?> type) {
		if (type == Duration.class) {
			return "a duration such as 500ms, 30s or 2h";
		}
		if (type == DataSize.class) {
			return "a size such as 512KB, 64MB or 2GB";
		}
		if (type == Integer.class || type == Long.class) {
			return "a whole number up to " + ((type == Integer.class) ? Integer.MAX_VALUE : Long.MAX_VALUE);
		}
		if (type == Double.class) {
			return "a number such as 1.5";
		}
		if (type == Boolean.class) {
			return "true or false";
		}
		return type.isEnum() ? Arrays.stream(type.getEnumConstants())
			.map((each) -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.joining(", ", "one of ", "")) : null;
	}

}
