package io.kairo.autoconfigure.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;

/**
 * The properties below {@code kairo} that the configuration metadata of jars describe.
 */
final class PropertyTree {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private final ClassLoader classLoader;

	private final List<PropertyPattern> patterns = new ArrayList<>();

	private final Map<String, String> defaults = new HashMap<>();

	/** The properties in the metadata of Kairo, as text. */
	private final String own;

	PropertyTree(ClassLoader classLoader) throws IOException {
		this.classLoader = classLoader;
		Class<?> type = PropertyTree.class;
		String file = type.getName().replace('.', '/') + ".class";
		String location = String.valueOf(type.getResource("/" + file));
		Resource metadata = new UrlResource(location.substring(0, location.length() - file.length()) + METADATA);
		String text = metadata.exists() ? metadata.getContentAsString(StandardCharsets.UTF_8) : "";
		this.own = text.substring(Math.max(0, text.indexOf("\"properties\"")));
	}

	/**
	 * Returns whether the metadata of Kairo exist, as in every jar that is built with
	 * Maven.
	 */
	boolean isKnown() {
		return !this.own.isEmpty();
	}

	/**
	 * Returns whether a property exists. Metadata are only parsed for a name that Kairo's
	 * metadata do not contain as it is spelled, since parsing takes time at the start.
	 */
	boolean contains(PropertyName name) {
		return this.own.contains("\"" + name.withoutIndex() + "\"") || patterns().stream().anyMatch(name::matches);
	}

	/**
	 * Returns the default of a property.
	 * @return the default, null if it has none or several
	 */
	@Nullable String defaultValue(String name) {
		patterns();
		return this.defaults.get(name);
	}

	/**
	 * Returns the patterns of all properties.
	 */
	List<PropertyPattern> patterns() {
		if (this.patterns.isEmpty()) {
			try {
				for (URL url : Collections.list(this.classLoader.getResources(METADATA))) {
					add(new UrlResource(url));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return Collections.unmodifiableList(this.patterns);
	}

	private void add(Resource metadata) throws IOException {
		String json = metadata.getContentAsString(StandardCharsets.UTF_8);
		if (!json.contains("\"kairo.")) {
			return;
		}
		Object properties = JsonParserFactory.getJsonParser().parseMap(json).getOrDefault("properties", List.of());
		for (Object each : (List<?>) properties) {
			Map<?, ?> property = (Map<?, ?>) each;
			String name = String.valueOf(property.get("name"));
			if (name.startsWith("kairo.")) {
				Object value = property.get("defaultValue");
				if (value != null && !(value instanceof List)) {
					this.defaults.put(name, value.toString());
				}
				this.patterns
					.addAll(new ValueType(this.classLoader).patterns(PropertyPattern.of(name), property.get("type")));
			}
		}
	}

}
