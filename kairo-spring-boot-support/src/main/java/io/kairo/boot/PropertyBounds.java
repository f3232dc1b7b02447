package io.kairo.boot;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/**
 * The bounds of the values of properties with a common prefix. A value that is not set
 * has none. No duration is above {@link #LONGEST}, still a number of nanoseconds.
 *
 * @param prefix the prefix with a dot at its end
 */
public record PropertyBounds(String prefix) {

	/** The maximum of every duration. */
	static final Duration LONGEST = Duration.ofDays(100_000);

	/**
	 * Returns the bounds of properties of an entry of a map.
	 * @param map the name of the map, without a dot at its end
	 * @param key the key of the entry
	 * @return the bounds
	 */
	public static PropertyBounds ofEntry(String map, String key) {
		return new PropertyBounds(
				map + ((ConfigurationPropertyName.isValid(key) && key.indexOf('.') < 0) ? "." + key : "[" + key + "]")
						+ ".");
	}

	/**
	 * Requires a value above zero.
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is not
	 */
	public PropertyBounds positive(String name, @Nullable Duration value) {
		return require(name, value, value == null || value.compareTo(Duration.ZERO) > 0, "it must be above zero");
	}

	/**
	 * Requires a value above zero.
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is not
	 */
	public PropertyBounds positive(String name, @Nullable DataSize value) {
		return require(name, value, value == null || value.toBytes() > 0, "it must be above zero");
	}

	/**
	 * Requires a size of content that is held in memory at once, above zero.
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is not
	 */
	public PropertyBounds inMemory(String name, @Nullable DataSize value) {
		return positive(name, value).require(name, value, value == null || value.toBytes() <= Integer.MAX_VALUE - 8,
				"it must be below 2GB");
	}

	/**
	 * Requires a value that is not below zero.
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is
	 */
	public PropertyBounds notNegative(String name, @Nullable Duration value) {
		return require(name, value, value == null || !value.isNegative(), "it is negative: it must be at least zero");
	}

	/**
	 * Requires a value that is not below zero.
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is
	 */
	public PropertyBounds notNegative(String name, @Nullable DataSize value) {
		return require(name, value, value == null || !value.isNegative(), "it is negative: it must be at least zero");
	}

	/**
	 * Requires a value that is not below a minimum.
	 * @param <T> the type of the value
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @param least the minimum
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is
	 */
	public <T extends Comparable<T>> PropertyBounds atLeast(String name, @Nullable T value, T least) {
		return require(name, value, value == null || value.compareTo(least) >= 0, "it must be at least " + text(least));
	}

	/**
	 * Requires a value between a minimum and a maximum.
	 * @param <T> the type of the value
	 * @param name the name after the prefix
	 * @param value the value, or null
	 * @param least the minimum
	 * @param most the maximum
	 * @return these bounds
	 * @throws InvalidConfigurationPropertyValueException if it is not
	 */
	public <T extends Comparable<T>> PropertyBounds between(String name, @Nullable T value, T least, T most) {
		return require(name, value, value == null || (value.compareTo(least) >= 0 && value.compareTo(most) <= 0),
				"it must be from " + text(least) + " to " + text(most));
	}

	/**
	 * Parses a value.
	 * @param <T> the type of the result
	 * @param name the name after the prefix
	 * @param value the value, or null; asterisks for a secret
	 * @param parser parses the value, and throws {@link IllegalArgumentException} with
	 * the problem and its remedy
	 * @return the result
	 * @throws InvalidConfigurationPropertyValueException if the parser throws
	 */
	public <T> T parse(String name, @Nullable Object value, Supplier<T> parser) {
		try {
			return parser.get();
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, value, String.valueOf(ex.getMessage()));
		}
	}

	private PropertyBounds require(String name, @Nullable Object value, boolean allowed, String bound) {
		if (!allowed) {
			throw invalid(name, value, bound);
		}
		if (value instanceof Duration duration && duration.compareTo(LONGEST) > 0) {
			throw invalid(name, value, "it must be at most " + text(LONGEST));
		}
		return this;
	}

	/**
	 * Returns the failure for a value.
	 * @param name the name after the prefix
	 * @param value the value, or null; asterisks for a secret
	 * @param reason the problem and its remedy
	 * @return the failure
	 */
	public InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(this.prefix + name, value, reason);
	}

	/**
	 * Returns a bound as it is written in a configuration.
	 */
	private static String text(Object bound) {
		if (bound instanceof Duration duration) {
			return Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)
				.filter((unit) -> duration.toNanos() % unit.getDuration().toNanos() == 0)
				.findFirst()
				.map((unit) -> DurationStyle.SIMPLE.print(duration, unit))
				.orElseGet(() -> duration.toMillis() + "ms");
		}
		if (bound instanceof DataSize size) {
			return Stream.of(DataUnit.GIGABYTES, DataUnit.MEGABYTES, DataUnit.KILOBYTES)
				.filter((unit) -> size.toBytes() % DataSize.of(1, unit).toBytes() == 0)
				.findFirst()
				.map((unit) -> (size.toBytes() / DataSize.of(1, unit).toBytes()) + unit.name().substring(0, 1) + "B")
				.orElseGet(size::toString);
		}
		return bound.toString();
	}

}
