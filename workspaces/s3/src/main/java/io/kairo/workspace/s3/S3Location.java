package io.kairo.workspace.s3;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * A bucket and a prefix in it. Immutable.
 *
 * @param bucket the name of the bucket
 * @param prefix the beginning of all keys; it ends with a slash or is empty
 */
public record S3Location(String bucket, String prefix) {

	/** Scheme of the hints. */
	static final String SCHEME = "s3";

	/** Maximum length of a key in bytes of UTF-8. */
	static final int MAX_KEY = 1024;

	private static final int MAX_NAME = 255;

	private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

	private static final Pattern ADDRESS = Pattern.compile("\\d+(?:\\.\\d+){3}");

	/**
	 * Creates a location.
	 * @throws WorkspacePathException if the bucket or the prefix is malformed
	 */
	public S3Location {
		prefix = (prefix.isEmpty() || prefix.endsWith("/")) ? prefix : prefix + "/";
		String problem = problem(bucket, prefix);
		if (problem != null) {
			throw refused("s3://" + bucket + "/" + prefix, problem);
		}
	}

	/**
	 * Parses a hint {@code s3://bucket/prefix}.
	 * @param hint the hint
	 * @return the location
	 * @throws WorkspacePathException if the hint has another form
	 */
	public static S3Location parse(@Nullable String hint) {
		WorkspaceHint parsed = WorkspaceHint.parse(hint);
		if (!SCHEME.equals(parsed.scheme()) || !parsed.rest().startsWith("//")) {
			throw refused(String.valueOf(hint), "names no bucket: write it like s3://bucket/prefix");
		}
		String rest = parsed.rest().substring(2);
		int slash = rest.indexOf('/');
		return (slash < 0) ? new S3Location(rest, "")
				: new S3Location(rest.substring(0, slash), rest.substring(slash + 1));
	}

	private static @Nullable String problem(String bucket, String prefix) {
		if (!BUCKET.matcher(bucket).matches() || bucket.contains("..") || ADDRESS.matcher(bucket).matches()) {
			return "has no name of a bucket: use one with 3 to 63 lower-case letters, digits, dots and hyphens";
		}
		return problem(prefix);
	}

	private static @Nullable String problem(String prefix) {
		if (prefix.isEmpty()) {
			return null;
		}
		if (prefix.chars().anyMatch((c) -> Character.isISOControl(c) || c == '\\')) {
			return "has a control character or a backslash: remove it";
		}
		if (prefix.indexOf('?') >= 0 || prefix.indexOf('#') >= 0 || prefix.indexOf('%') >= 0
				|| prefix.indexOf('*') >= 0) {
			return "has one of ?, #, % and *: write a plain prefix";
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(prefix)
				|| prefix.getBytes(StandardCharsets.UTF_8).length > MAX_KEY - 1) {
			return "is longer than " + (MAX_KEY - 1) + " bytes, or cannot be encoded: use a shorter prefix";
		}
		for (String name : prefix.substring(0, prefix.length() - 1).split("/", -1)) {
			if (name.isEmpty() || name.equals(".") || name.equals("..")) {
				return "has an empty name, '.' or '..': write out the names, with one slash between them";
			}
			if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
				return "has a name longer than " + MAX_NAME + " bytes: use shorter names";
			}
		}
		return null;
	}

	/**
	 * Returns whether this location is the other one or lies below it. A prefix ends at a
	 * slash: {@code team/ab} is not below {@code team/a}.
	 * @param other the other location
	 * @return whether this location is within it
	 */
	public boolean isWithin(S3Location other) {
		return this.bucket.equals(other.bucket) && this.prefix.startsWith(other.prefix);
	}

	/**
	 * Returns the key of a path.
	 */
	String key(String path) {
		return this.prefix + path;
	}

	/**
	 * Returns the location as it is written in a hint.
	 */
	@Override
	public String toString() {
		return SCHEME + "://" + this.bucket
				+ (this.prefix.isEmpty() ? "" : "/" + this.prefix.substring(0, this.prefix.length() - 1));
	}

	private static WorkspacePathException refused(String text, String problem) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The location " + WorkspacePath.quote(text) + " " + problem);
	}

}
