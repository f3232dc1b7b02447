package io.kairo.autoconfigure.environment;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The name of a property as a source spells it.
 *
 * @param source the source
 * @param spelled the name in the source
 * @param elements its elements, in lower case
 */
record PropertyName(PropertySource<?> source, String spelled, List<String> elements) {

	/**
	 * Returns the name of a property below {@code kairo}.
	 * @return the name, empty if it is a different one
	 */
	static Optional<PropertyName> of(PropertySource<?> source, String spelled) {
		String lower = spelled.toLowerCase(Locale.ROOT);
		if (!lower.startsWith("kairo") || lower.length() == 5 || "._[".indexOf(lower.charAt(5)) < 0) {
			return Optional.empty();
		}
		return Optional.of(new PropertyName(source, spelled, elements(source, spelled)))
			.filter((name) -> name.elements().size() > 1 && name.elements().get(0).equals("kairo"));
	}

	private static List<String> elements(PropertySource<?> source, String spelled) {
		if (source instanceof SystemEnvironmentPropertySource) {
			return List.of(spelled.toLowerCase(Locale.ROOT).split("[._]+"));
		}
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(spelled, '.');
		return IntStream.range(0, name.getNumberOfElements()).mapToObj((i) -> name.getElement(i, Form.DASHED)).toList();
	}

	/**
	 * Returns the name without the index of a list at its end.
	 */
	String withoutIndex() {
		int index = this.spelled.indexOf('[');
		return (index > 0 && this.spelled.indexOf('.', index) < 0) ? this.spelled.substring(0, index) : this.spelled;
	}

	boolean matches(PropertyPattern pattern) {
		return pattern.matches(this.elements, isVariable());
	}

	boolean isVariable() {
		return this.source instanceof SystemEnvironmentPropertySource;
	}

	/**
	 * Returns whether the source is shared with other programs, whose names may also
	 * begin with {@code kairo}.
	 */
	boolean isShared() {
		return isVariable() || this.source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
	}

	/**
	 * Returns whether the property has no value, as a group without properties in a YAML
	 * file.
	 */
	boolean isEmpty() {
		return String.valueOf(this.source.getProperty(this.spelled)).isEmpty();
	}

	/**
	 * Returns whether the property switches something off.
	 */
	boolean isSwitchedOff() {
		return this.elements.get(this.elements.size() - 1).equals("enabled")
				&& "false".equalsIgnoreCase(String.valueOf(this.source.getProperty(this.spelled)));
	}

	/**
	 * Returns the name without the characters that differ between spellings.
	 */
	String uniform() {
		return PropertyPattern.uniform(String.join("", this.elements));
	}

	@Override
	public String toString() {
		Origin origin = OriginLookup.getOrigin(this.source, this.spelled);
		return this.spelled + " (" + ((origin != null) ? origin : this.source.getName()) + ")";
	}

}
