package io.kairo.mcp;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.kairo.api.workspace.WorkspacePath;
import io.modelcontextprotocol.util.McpUriTemplateManager;

/**
 * The URI of a file below the primary root of the caller's workspace. It names no tenant
 * and no workspace: the same URI is another file for another caller.
 *
 * @param path the path below the root, whose segments are separated by single slashes
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986">RFC 3986</a>
 */
record McpFileUri(String path) {

	/** Matches every URI of a file, even with slashes in the path. */
	static final String TEMPLATE = "kairo://workspace/{+path}";

	static final String PREFIX = "kairo://workspace/";

	/** Three times the longest path of Linux, and the prefix. */
	private static final int MAX_LENGTH = 3 * 4096 + PREFIX.length();

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the path is not one below the root
	 */
	McpFileUri {
		if (!isPath(path)) {
			throw new IllegalArgumentException("The path " + WorkspacePath.quote(path)
					+ " is not a path below the root of the workspace: leave out '.', '..', empty names, a leading "
					+ "slash and control characters");
		}
	}

	private static boolean isPath(String path) {
		return Arrays.stream(path.split("/", -1))
			.noneMatch((name) -> name.isEmpty() || name.equals(".") || name.equals("..")
					|| name.chars().anyMatch(Character::isISOControl));
	}

	/**
	 * Returns the URI of a file by a path relative to the root that is an argument of a
	 * tool: what protects white space at its ends from being trimmed is left out.
	 * @param argument the path as a result of a tool spells it
	 * @return the URI, empty if there is none
	 */
	static Optional<McpFileUri> ofArgument(String argument) {
		String path = argument.startsWith("./") ? argument.substring(2) : argument;
		path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
		return isPath(path) ? Optional.of(new McpFileUri(path)) : Optional.empty();
	}

	/**
	 * Returns the path as an argument of a tool, whose white space is not trimmed.
	 */
	String argument() {
		boolean trimmed = Character.isWhitespace(this.path.codePointBefore(this.path.length()));
		return "./" + this.path + (trimmed ? "/" : "");
	}

	static boolean isFile(String uri) {
		return uri.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
	}

	/**
	 * Parses a URI.
	 * @throws IllegalArgumentException if it does not name a file
	 */
	static McpFileUri parse(String uri) {
		if (uri.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"The URI has " + uri.length() + " characters, of which at most " + MAX_LENGTH + " are accepted");
		}
		if (!isFile(uri)) {
			throw new IllegalArgumentException(
					"The URI " + WorkspacePath.quote(uri) + " is not that of a file: use " + TEMPLATE);
		}
		String encoded = uri.substring(PREFIX.length());
		if (encoded.indexOf('?') >= 0 || encoded.indexOf('#') >= 0) {
			throw new IllegalArgumentException("The URI " + WorkspacePath.quote(uri)
					+ " has a query or a fragment: in the name of a file, write ? as %3F and # as %23");
		}
		return new McpFileUri(decode(encoded));
	}

	private static String decode(String encoded) {
		byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
		ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
		for (int i = 0; i < bytes.length; i++) {
			if (bytes[i] != '%') {
				decoded.write(bytes[i]);
				continue;
			}
			if (i + 2 >= bytes.length || !HexFormat.isHexDigit(bytes[i + 1]) || !HexFormat.isHexDigit(bytes[i + 2])) {
				throw new IllegalArgumentException("The URI has a % without two hexadecimal digits: write % as %25");
			}
			decoded.write(HexFormat.fromHexDigit(bytes[i + 1]) << 4 | HexFormat.fromHexDigit(bytes[i + 2]));
			i += 2;
		}
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(decoded.toByteArray())).toString();
		}
		catch (CharacterCodingException ex) {
			throw new IllegalArgumentException("The URI has encoded bytes that are not UTF-8", ex);
		}
	}

	/**
	 * Returns the only spelling of the URI that the server writes.
	 */
	@Override
	public String toString() {
		// which encodes forms, so that a few characters differ
		return PREFIX + URLEncoder.encode(this.path, StandardCharsets.UTF_8)
			.replace("+", "%20")
			.replace("*", "%2A")
			.replace("%7E", "~")
			.replace("%2F", "/");
	}

	/**
	 * Matches the URIs of files with slashes in the path, since the SDK does not.
	 */
	static final class Template implements McpUriTemplateManager {

		private static final String VARIABLE = "path";

		@Override
		public List<String> getVariableNames() {
			return List.of(VARIABLE);
		}

		@Override
		public Map<String, String> extractVariableValues(String uri) {
			return matches(uri) ? Map.of(VARIABLE, uri.substring(PREFIX.length())) : Map.of();
		}

		@Override
		public boolean matches(String uri) {
			return isFile(uri);
		}

		@Override
		public boolean isUriTemplate(String uri) {
			return uri.equals(TEMPLATE);
		}

	}

}
