package io.kairo.workspace.checkpoint;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The contents of files of a workspace, each once, by their hashes. Safe for use by
 * several threads and processes.
 */
final class Contents {

	private static final int CHUNK = 1 << 18;

	private static final int PREFIX = 2;

	/** Age of unused contents that are removed. */
	private static final Duration GRACE = Duration.ofMinutes(1);

	private static final String DRAFT = "draft-";

	private final Path directory;

	private final long maxBytes;

	private final Clock clock;

	private final AtomicLong bytes = new AtomicLong();

	Contents(Path directory, long maxBytes, Clock clock) throws IOException {
		this.clock = clock;
		this.directory = OwnerOnly.createDirectory(directory);
		this.maxBytes = maxBytes;
	}

	/**
	 * Counts what is kept.
	 */
	void count() throws IOException {
		this.bytes.set(sizes().values().stream().mapToLong(Long::longValue).sum());
	}

	long bytes() {
		return this.bytes.get();
	}

	/**
	 * Keeps the content of a file that is visited.
	 * @param size the expected size
	 * @return the hash; null if there is no room, or the file has another size meanwhile
	 */
	@Nullable String keep(WorkspaceVisitor.Entry file, long size) throws IOException {
		if (size < CHUNK) {
			byte[] content = new byte[(int) size + 1];
			int count = Math.max(0, file.read(content, 0));
			return (count == size) ? keep(Arrays.copyOf(content, count)) : null;
		}
		if (isFull(size)) {
			return null;
		}
		Path draft = draft();
		try {
			MessageDigest digest = Sha256.digest();
			long written = 0;
			try (OutputStream out = new DigestOutputStream(create(draft), digest)) {
				byte[] chunk = new byte[CHUNK];
				for (int count = file.read(chunk, 0); count > 0 && written <= size; count = file.read(chunk, written)) {
					out.write(chunk, 0, count);
					written += count;
				}
			}
			String hash = HexFormat.of().formatHex(digest.digest());
			if (written != size) {
				return null;
			}
			place(draft, hash, size);
			return hash;
		}
		finally {
			Files.deleteIfExists(draft);
		}
	}

	/**
	 * Returns whether there is no room for so many bytes.
	 */
	boolean isFull(long size) {
		return this.bytes.get() + size > this.maxBytes;
	}

	private @Nullable String keep(byte[] content) throws IOException {
		String hash = Sha256.hex(content);
		if (!touch(hash, content.length)) {
			if (isFull(content.length)) {
				return null;
			}
			Path draft = draft();
			try {
				try (OutputStream out = create(draft)) {
					out.write(content);
				}
				place(draft, hash, content.length);
			}
			finally {
				Files.deleteIfExists(draft);
			}
		}
		return hash;
	}

	/**
	 * Returns whether a content is kept, and keeps it from being removed soon.
	 */
	private boolean touch(String hash, long size) throws IOException {
		if (!has(hash, size)) {
			return false;
		}
		try {
			Files.setLastModifiedTime(path(hash), FileTime.from(this.clock.instant()));
			return true;
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	private Path draft() {
		return this.directory.resolve(DRAFT + UUID.randomUUID());
	}

	/**
	 * Creates a file. An interrupt does not close it.
	 */
	private static OutputStream create(Path draft) throws IOException {
		return new FileOutputStream(Files.createFile(draft, OwnerOnly.file(draft)).toFile());
	}

	private void place(Path draft, String hash, long size) throws IOException {
		Path place = path(hash);
		boolean known = has(hash, size);
		try {
			Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (NoSuchFileException ex) {
			OwnerOnly.createDirectory(this.directory.resolve(hash.substring(0, PREFIX)));
			Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
		}
		if (!known) {
			this.bytes.addAndGet(size);
		}
	}

	private Path path(String hash) {
		return this.directory.resolve(hash.substring(0, PREFIX)).resolve(hash);
	}

	boolean has(String hash, long size) {
		try {
			return Files.size(path(hash)) == size;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns a content.
	 * @return null if it is larger, gone or damaged
	 */
	byte @Nullable [] read(String hash, long most) {
		try {
			Path path = path(hash);
			if (Files.size(path) > most) {
				return null;
			}
			byte[] content = Files.readAllBytes(path);
			return Sha256.hex(content).equals(hash) ? content : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	/**
	 * Copies a content.
	 * @return whether it was kept, and is not damaged
	 * @throws IOException if the target cannot be written
	 */
	boolean copy(String hash, Path target) throws IOException {
		MessageDigest digest = Sha256.digest();
		try (SeekableByteChannel from = Files.newByteChannel(path(hash));
				OutputStream to = new DigestOutputStream(create(target), digest)) {
			ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
			while (from.read(chunk) > 0) {
				to.write(chunk.array(), 0, chunk.position());
				chunk.clear();
			}
		}
		catch (NoSuchFileException ex) {
			Files.createFile(target);
			return false;
		}
		return HexFormat.of().formatHex(digest.digest()).equals(hash);
	}

	/**
	 * Returns the sizes of the contents by their hashes.
	 */
	Map<String, Long> sizes() throws IOException {
		Map<String, Long> sizes = new HashMap<>();
		visit((file, attributes) -> sizes.put(file.getFileName().toString(), attributes.size()));
		return sizes;
	}

	/**
	 * Removes contents that are not used, and drafts of processes that were killed. Young
	 * ones stay, since others may be about to use them.
	 * @param used the hashes of those to retain
	 * @param released the hashes of those that were used until now, to be removed even if
	 * they are young
	 * @param shared whether other applications may need what is not used by this one
	 */
	void retain(Set<String> used, Set<String> released, boolean shared) throws IOException {
		Instant old = this.clock.instant().minus(GRACE);
		AtomicLong rest = new AtomicLong();
		visit((file, attributes) -> {
			String hash = file.getFileName().toString();
			boolean draft = hash.startsWith(DRAFT);
			if (used.contains(hash) || (!released.contains(hash)
					&& ((shared && !draft) || attributes.lastModifiedTime().toInstant().isAfter(old)))) {
				rest.addAndGet(attributes.size());
			}
			else {
				Files.deleteIfExists(file);
			}
		});
		this.bytes.set(rest.get());
	}

	private void visit(Visit visit) throws IOException {
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(this.directory)) {
			for (Path entry : entries) {
				if (Files.isDirectory(entry)) {
					try (DirectoryStream<Path> files = Files.newDirectoryStream(entry)) {
						for (Path each : files) {
							visit(each, visit);
						}
					}
				}
				else {
					visit(entry, visit);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

	private static void visit(Path file, Visit visit) throws IOException {
		try {
			visit.file(file, Files.readAttributes(file, BasicFileAttributes.class));
		}
		catch (NoSuchFileException ex) {
			// It has gone meanwhile.
		}
	}

	/**
	 * Receives the files of the contents.
	 */
	@FunctionalInterface
	private interface Visit {

		void file(Path file, BasicFileAttributes attributes) throws IOException;

	}

}
