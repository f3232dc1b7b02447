package io.kairo.api.workspace;

import java.util.Arrays;

/**
 * A range of the bytes of a file. The array is the caller's own.
 *
 * @param path the file
 * @param bytes the bytes of the range, fewer than requested only at the end of the file
 * @param offset the start of the range, in bytes
 * @param size the size of the whole file in bytes at the time of the read
 * @param version identifies the content: {@code sha256:} and a hash if the whole file was
 * read or is at most {@link #HASHED_SIZE} bytes long, else {@code stat:} and attributes
 * of the file system; equal versions mean equal content
 */
public record FileContent(WorkspacePath path, byte[] bytes, long offset, long size, String version) {

	/**
	 * Maximum size, in bytes, of a file whose version is always a hash of the content.
	 */
	public static final int HASHED_SIZE = 1 << 20;

	/**
	 * Returns whether the range reaches the end of the file.
	 * @return true if no byte follows
	 */
	public boolean atEnd() {
		return this.offset + this.bytes.length >= this.size;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof FileContent that && this.path.equals(that.path) && Arrays.equals(this.bytes, that.bytes)
				&& this.offset == that.offset && this.size == that.size && this.version.equals(that.version);
	}

	@Override
	public int hashCode() {
		return 31 * this.path.hashCode() + Arrays.hashCode(this.bytes);
	}

	@Override
	public String toString() {
		return "FileContent[path=" + this.path + ", " + this.bytes.length + " bytes at " + this.offset + " of "
				+ this.size + ", version=" + this.version + "]";
	}

}
