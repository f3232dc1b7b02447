package io.kairo.tools.session;

import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * A file as a command found it.
 *
 * @param path its path
 * @param mode its type and permissions, as the kernel has them
 * @param size its size in bytes
 * @param modified the time of its last modification
 * @param more what else the command tells of it: a name, or what differs between versions
 * @param from the start of the bytes
 * @param bytes the bytes that were read
 */
record FoundFile(WorkspacePath path, int mode, long size, Instant modified, String more, long from, byte[] bytes) {

	private static final Pattern LINE = Pattern.compile("([0-9a-f]{1,7}) (\\d{1,18}) (-?\\d{1,12}) (.+)",
			Pattern.DOTALL);

	private static final String PERMISSIONS = "rwxrwxrwx";

	private static final int TYPE = 0170000;

	/**
	 * Reads a line of a command, which may be a lie.
	 * @return the file, null if the line cannot be that of one
	 */
	static @Nullable FoundFile of(WorkspacePath path, String line, long from, byte[] bytes) {
		Matcher parts = LINE.matcher(line);
		return parts.matches() ? new FoundFile(path, Integer.parseInt(parts.group(1), 16),
				Math.max(Long.parseLong(parts.group(2)), from + bytes.length),
				Instant.ofEpochSecond(Long.parseLong(parts.group(3))), parts.group(4), from, bytes) : null;
	}

	FileType type() {
		return switch (this.mode & TYPE) {
			case 0100000 -> FileType.FILE;
			case 0040000 -> FileType.DIRECTORY;
			case 0120000 -> FileType.LINK;
			default -> FileType.OTHER;
		};
	}

	/**
	 * Returns whether a range was read, or what there is of it.
	 */
	boolean has(WorkspacePath file, long offset, int length) {
		long end = this.from + this.bytes.length;
		return this.path.equals(file) && this.from <= offset && offset <= end
				&& (offset + length <= end || end == this.size);
	}

	FileContent content(long offset, int length) {
		int start = (int) Math.min(offset - this.from, this.bytes.length);
		int end = (int) Math.min((long) start + length, this.bytes.length);
		return new FileContent(this.path, Arrays.copyOfRange(this.bytes, start, end), offset, this.size, version());
	}

	FileInfo info() {
		return about((type() == FileType.FILE) ? version() : null);
	}

	/**
	 * Returns the file as an entry of a listing.
	 */
	FileInfo entry() {
		return about(null);
	}

	private FileInfo about(@Nullable String version) {
		StringBuilder permissions = new StringBuilder();
		for (int i = 0; i < PERMISSIONS.length(); i++) {
			boolean set = (this.mode >> (PERMISSIONS.length() - 1 - i) & 1) == 1;
			permissions.append(set ? PERMISSIONS.charAt(i) : '-');
		}
		return new FileInfo(this.path, type(), (type() == FileType.FILE) ? this.size : 0, this.modified,
				permissions.toString(), version);
	}

	private String version() {
		return (this.from == 0 && this.bytes.length == this.size) ? "sha256:" + Sha256.hex(this.bytes)
				: "stat:" + this.size + "-" + Sha256.hex(this.more, 16);
	}

}
