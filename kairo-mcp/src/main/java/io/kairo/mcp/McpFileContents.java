package io.kairo.mcp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a file as those of a resource: text if the tool that has read it knows
 * the charset, otherwise bytes.
 *
 * @param file the URI of the file
 * @param bytes its bytes
 * @param mediaType the media type of a file that is not text
 * @param charset the name of the charset, null for a file that is not text
 */
record McpFileContents(McpFileUri file, byte[] bytes, String mediaType, @Nullable Object charset) {

	/**
	 * The media types of text files by the ends of their names. The kind of a file, text
	 * or not, depends on its content.
	 */
	private static final Map<String, String> TEXT_TYPES = Map.ofEntries(Map.entry("css", "text/css"),
			Map.entry("csv", "text/csv"), Map.entry("htm", "text/html"), Map.entry("html", "text/html"),
			Map.entry("java", "text/x-java-source"), Map.entry("js", "text/javascript"),
			Map.entry("json", "application/json"), Map.entry("md", "text/markdown"), Map.entry("py", "text/x-python"),
			Map.entry("svg", "image/svg+xml"), Map.entry("xml", "application/xml"),
			Map.entry("yaml", "application/yaml"), Map.entry("yml", "application/yaml"));

	ResourceContents toResource() {
		String uri = this.file.toString();
		String text = (this.charset instanceof String name) ? decode(Charset.forName(name)) : null;
		return (text != null) ? TextResourceContents.builder(uri, text).mimeType(textType()).build()
				: BlobResourceContents.builder(uri, Base64.getEncoder().encodeToString(this.bytes))
					.mimeType((this.charset != null) ? "application/octet-stream" : this.mediaType)
					.build();
	}

	private @Nullable String decode(Charset of) {
		try {
			return of.newDecoder().decode(ByteBuffer.wrap(this.bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	private String textType() {
		String path = this.file.path();
		String end = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
		return TEXT_TYPES.getOrDefault(end, "text/plain");
	}

}
