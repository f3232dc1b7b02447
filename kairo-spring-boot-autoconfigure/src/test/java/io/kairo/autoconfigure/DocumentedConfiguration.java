package io.kairo.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * The configuration on a page of the documentation, for tests that start an application
 * with it.
 */
public final class DocumentedConfiguration {

	private final String yaml;

	private DocumentedConfiguration(String yaml) {
		this.yaml = yaml;
	}

	/**
	 * Reads the first YAML block below a heading.
	 * @param page the path of the page below the directory of the documentation
	 * @param heading the text of the heading, without the number signs
	 */
	public static DocumentedConfiguration of(String page, String heading) {
		String text = read(Path.of("../docs").resolve(page));
		int section = text.indexOf("# " + heading + "\n");
		int start = text.indexOf("```yaml\n", section);
		int end = text.indexOf("\n```", start);
		if (section < 0 || start < 0 || end < 0) {
			throw new IllegalArgumentException("docs/" + page + " shows no configuration below '" + heading + "'");
		}
		return new DocumentedConfiguration(text.substring(start + "```yaml\n".length(), end));
	}

	/**
	 * Returns a copy in which an example value is replaced by an actual value.
	 */
	public DocumentedConfiguration with(String example, Object actual) {
		if (!this.yaml.contains(example)) {
			throw new IllegalArgumentException("'" + example + "' is not in the example:\n" + this.yaml);
		}
		return new DocumentedConfiguration(this.yaml.replace(example, actual.toString()));
	}

	/**
	 * Returns the properties, each as {@code name=value}.
	 */
	public String[] properties() {
		try {
			List<String> properties = new ArrayList<>();
			ByteArrayResource resource = new ByteArrayResource(this.yaml.getBytes(StandardCharsets.UTF_8));
			for (PropertySource<?> source : new YamlPropertySourceLoader().load("example", resource)) {
				for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
					properties.add(name + "=" + source.getProperty(name));
				}
			}
			return properties.toArray(String[]::new);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
