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

import io.kairo.boot.KairoProperties;
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

	private @Nullable List<String> all;

	PropertyTree(ClassLoader classLoader) throws IOException {
		this.classLoader = classLoader;
		this.own = metadataOf(PropertyTree.class) + metadataOf(KairoProperties.class);
	}

	/**
	 * Returns the properties in the metadata beside a class, empty if there are none.
	 */
	private static String metadataOf(Class<?> type) throws IOException {
		String file = type.getName().replace('.', '/') + ".class";
		String location = String.valueOf(type.getResource("/" + file));
		Resource metadata = new UrlResource(location.substring(0, location.length() - file.length()) + METADATA);
		return metadata.exists() ? properties(content(metadata)) : "";
	}

	private static String content(Resource metadata) throws IOException {
		return new String(metadata.getContentAsByteArray(), StandardCharsets.UTF_8);
	}

	private static String properties(String metadata) {
		return metadata.substring(Math.max(0, metadata.indexOf("\"properties\"")));
	}

	/**
	 * Returns whether the metadata of Kairo exist, as in every jar that is built with
	 * Maven.
	 */
	boolean isKnown() {
		return !this.own.isEmpty();
	}

	/**
	 * Returns whether a property exists. Metadata are only parsed for a name that they do
	 * not contain as it is spelled, since parsing takes time at the start, and those of
	 * other modules are only read for a name that Kairo's do not contain.
	 */
	boolean contains(PropertyName name) {
		String spelled = "\"" + name.withoutIndex() + "\"";
		return this.own.contains(spelled) || all().stream().anyMatch((text) -> properties(text).contains(spelled))
				|| patterns().stream().anyMatch(name::matches);
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
			all().forEach(this::add);
		}
		return Collections.unmodifiableList(this.patterns);
	}

	/**
	 * Returns the metadata of all jars with properties below {@code kairo}.
	 */
	private List<String> all() {
		List<String> known = this.all;
		if (known == null) {
			known = new ArrayList<>();
			try {
				for (URL url : Collections.list(this.classLoader.getResources(METADATA))) {
					known.add(content(new UrlResource(url)));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			known.removeIf((json) -> !json.contains("\"kairo."));
			this.all = known;
		}
		return known;
	}

	private void add(String json) {
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
