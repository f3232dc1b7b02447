package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.disk.handle.RacedException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of a file and determines its version. A small file is always read as a
 * whole.
 */
final class ContentReader {

	private static final int CHUNK = 1 << 17;

	private ContentReader() {
	}

	static FileContent read(WorkspacePath path, ExistingEntry entry, long offset, int length)
			throws IOException, RefusedException {
		try (SeekableByteChannel channel = entry.openFile()) {
			long size = entry.attributes().size();
			return (size <= FileContent.HASHED_SIZE) ? readSmall(path, channel, (int) size, offset, length)
					: readLarge(path, entry, channel, offset, (int) Math.min(length, Math.max(0, size - offset)));
		}
	}

	/**
	 * Returns the version of a file.
	 */
	static String version(WorkspacePath path, ExistingEntry entry) throws IOException, RefusedException {
		return (entry.attributes().size() <= FileContent.HASHED_SIZE) ? read(path, entry, 0, 0).version()
				: FileVersion.ofAttributes(entry.attributes());
	}

	/**
	 * Returns the current version of an entry.
	 * @return null if it is not a regular file
	 */
	static @Nullable String version(WorkspacePath path, EntryRef ref) throws IOException, RefusedException {
		BasicFileAttributes attributes = ref.find();
		return (attributes == null || !attributes.isRegularFile()) ? null
				: version(path, new ExistingEntry(ref.directory(), ref.name(), attributes));
	}

	/**
	 * Returns the version of a file of any size by its content.
	 */
	static String hash(ExistingEntry entry) throws IOException, RefusedException {
		try (SeekableByteChannel channel = entry.openFile()) {
			MessageDigest digest = Sha256.digest();
			byte[] chunk = new byte[CHUNK];
			long position = 0;
			int count = fill(channel, position, chunk);
			while (count == chunk.length) {
				digest.update(chunk);
				position += count;
				count = fill(channel, position, chunk);
			}
			return FileVersion.of(digest, Arrays.copyOf(chunk, count));
		}
	}

	private static FileContent readSmall(WorkspacePath path, SeekableByteChannel channel, int size, long offset,
			int length) throws IOException {
		byte[] all = new byte[size + 1];
		int count = fill(channel, all, size);
		// more if it grows, or is a file without a size, such as one in /proc
		all = (count > size) ? fill(channel, 0, FileContent.HASHED_SIZE + 1) : Arrays.copyOf(all, count);
		if (all.length > FileContent.HASHED_SIZE) {
			throw new RacedException();
		}
		int from = (int) Math.min(offset, all.length);
		int to = (int) Math.min((long) from + length, all.length);
		byte[] range = (to - from == all.length) ? all : Arrays.copyOfRange(all, from, to);
		return new FileContent(path, range, offset, all.length, FileVersion.ofContent(all));
	}

	private static FileContent readLarge(WorkspacePath path, ExistingEntry entry, SeekableByteChannel channel,
			long offset, int length) throws IOException {
		if (!Objects.equals(entry.currentAttributes().fileKey(), entry.attributes().fileKey())) {
			throw new RacedException();
		}
		long size = entry.attributes().size();
		byte[] range = fill(channel, offset, length);
		if (range.length < length) {
			throw new RacedException();
		}
		String version = (range.length == size) ? FileVersion.ofContent(range)
				: FileVersion.ofAttributes(entry.attributes());
		return new FileContent(path, range, offset, size, version);
	}

	private static byte[] fill(SeekableByteChannel channel, long offset, int length) throws IOException {
		byte[] bytes = new byte[length];
		int filled = fill(channel, offset, bytes);
		return (filled == length) ? bytes : Arrays.copyOf(bytes, filled);
	}

	/**
	 * Reads until the array is full or the file ends.
	 * @return the number of bytes read
	 */
	static int fill(SeekableByteChannel channel, long offset, byte[] bytes) throws IOException {
		channel.position(offset);
		return fill(channel, bytes, 0);
	}

	/**
	 * Reads from the current position until the array is full or the file ends.
	 * @param rest the known number of bytes until the end of the file, not positive if it
	 * is unknown
	 * @return the number of bytes read
	 */
	static int fill(SeekableByteChannel channel, byte[] bytes, long rest) throws IOException {
		int filled = 0;
		while (filled < bytes.length && (filled == 0 || filled != rest)) {
			int count = channel.read(ByteBuffer.wrap(bytes, filled, Math.min(CHUNK, bytes.length - filled)));
			if (count < 0) {
				break;
			}
			filled += count;
		}
		return filled;
	}

}
