package io.kairo.mcp;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The media types of text files by the ends of their names. The kind of a file, text or
 * not, depends on its content.
 */
final class McpTextTypes {

	private static final Map<String, String> TYPES = types();

	private McpTextTypes() {
	}

	private static Map<String, String> types() {
		Map<String, String> types = new HashMap<>();
		types.put("css", "text/css");
		types.put("csv", "text/csv");
		types.put("htm", "text/html");
		types.put("html", "text/html");
		types.put("java", "text/x-java-source");
		types.put("js", "text/javascript");
		types.put("json", "application/json");
		types.put("md", "text/markdown");
		types.put("py", "text/x-python");
		types.put("svg", "image/svg+xml");
		types.put("xml", "application/xml");
		types.put("yaml", "application/yaml");
		types.put("yml", "application/yaml");
		return types;
	}

	/**
	 * Returns the media type of a text file, {@code text/plain} if its name says nothing.
	 */
	static String of(String path) {
		String end = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
		return TYPES.getOrDefault(end, "text/plain");
	}

}
