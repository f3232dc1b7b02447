package io.kairo.tools;

import java.util.Arrays;
import java.util.Objects;

/**
 * A file attached to a result, for clients that can show more than text.
 *
 * @param path the path of the file, as spelled in results
 * @param mediaType the media type, such as {@code image/png}
 * @param bytes its content; not copied
 */
public record ToolAttachment(String path, String mediaType, byte[] bytes) {

	/**
	 * Creates the value.
	 */
	public ToolAttachment {
		Objects.requireNonNull(path, "path");
		Objects.requireNonNull(mediaType, "mediaType");
		Objects.requireNonNull(bytes, "bytes");
	}

	/**
	 * Returns whether it is an image.
	 * @return false if it is a document
	 */
	public boolean isImage() {
		return this.mediaType.startsWith("image/");
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof ToolAttachment that && this.path.equals(that.path)
				&& this.mediaType.equals(that.mediaType) && Arrays.equals(this.bytes, that.bytes);
	}

	@Override
	public int hashCode() {
		return 31 * this.path.hashCode() + Arrays.hashCode(this.bytes);
	}

	@Override
	public String toString() {
		return "ToolAttachment[path=" + this.path + ", mediaType=" + this.mediaType + ", " + this.bytes.length
				+ " bytes]";
	}

}
