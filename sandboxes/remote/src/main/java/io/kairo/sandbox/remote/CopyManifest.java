package io.kairo.sandbox.remote;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.mount.HeldDirectory;

/**
 * The content of a command's directories, in a file for a worker.
 *
 * @param message the message with its hash
 * @param contents the contents that the worker may be missing, by their hashes
 */
record CopyManifest(CopyMessage message, Map<String, CopyTransfer.Content> contents) {

	private static final byte[] NONE = {};

	/**
	 * Writes the manifest of directories.
	 * @param file the path of a new file
	 * @param hashes the hashes of files that were read before
	 * @throws IOException if a file cannot be read, or there is too much
	 */
	static CopyManifest write(List<RootCopy> roots, String tenant, long maxBytes, Path file, CopyHashes hashes)
			throws IOException {
		Map<String, CopyTransfer.Content> contents = new HashMap<>();
		MessageDigest digest = Sha256.digest();
		CopyBound bound = new CopyBound(maxBytes);
		try (OutputStream lines = new BufferedOutputStream(
				new DigestOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), digest), 1 << 16)) {
			for (RootCopy root : roots) {
				CopiedEntry directory = CopiedEntry.of(root.root().source());
				new CopyLine(CopyLine.Type.ROOT, root.root().target().toString(), directory.mode(), modified(directory),
						0, null, !root.root().writable())
					.write(lines);
				root.copy((relative, entry, sealed, path) -> add(root, relative, entry, sealed, path, hashes, lines,
						contents), bound);
			}
		}
		String hash = HexFormat.of().formatHex(digest.digest());
		long size = Files.size(file);
		if (size > CopyMessage.MOST_BYTES) {
			throw new IOException("their list has more than " + CopyMessage.MOST_BYTES + " bytes");
		}
		contents.put(hash, new PlainFile(file, size));
		return new CopyManifest(new CopyMessage(tenant, hash, size), contents);
	}

	private static byte[] add(RootCopy root, Path relative, CopiedEntry entry, boolean sealed, Path path,
			CopyHashes hashes, OutputStream lines, Map<String, CopyTransfer.Content> contents) throws IOException {
		String name = relative.toString();
		switch (entry.type()) {
			case FILE -> {
				byte[] hash = hashes.hash(root.source(relative), entry, path);
				String content = HexFormat.of().formatHex(hash);
				if (!content.equals(Piece.EMPTY)) {
					contents.putIfAbsent(content, new CopiedFile(root, relative, entry.size()));
				}
				new CopyLine(CopyLine.Type.FILE, name, entry.mode(), modified(entry), entry.size(), content, sealed)
					.write(lines);
				return hash;
			}
			case DIRECTORY ->
				new CopyLine(CopyLine.Type.DIRECTORY, name, entry.mode(), modified(entry), 0, null, sealed)
					.write(lines);
			default -> new CopyLine(CopyLine.Type.LINK, name, entry.mode(), modified(entry), 0,
					new String(entry.content(), StandardCharsets.UTF_8), sealed)
				.write(lines);
		}
		return NONE;
	}

	private static long modified(CopiedEntry entry) {
		return entry.modified().to(TimeUnit.MICROSECONDS);
	}

	/**
	 * A file in a directory of the command.
	 */
	private record CopiedFile(RootCopy root, Path relative, long size) implements CopyTransfer.Content {

		@Override
		public String name() {
			return this.relative.toString();
		}

		@Override
		public FileChannel open() throws IOException {
			Path above = this.relative.getParent();
			try (HeldDirectory parent = HeldDirectory
				.open((above != null) ? this.root.source(above) : this.root.root().source())) {
				return FileChannel.open(parent.resolve(this.relative.getFileName()), StandardOpenOption.READ,
						LinkOption.NOFOLLOW_LINKS);
			}
		}

	}

	/**
	 * A file of this JVM.
	 */
	private record PlainFile(Path file, long size) implements CopyTransfer.Content {

		@Override
		public String name() {
			return "the list of files";
		}

		@Override
		public FileChannel open() throws IOException {
			return FileChannel.open(this.file, StandardOpenOption.READ);
		}

	}

}
