package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.kairo.host.Sha256;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.disk.tree.TreeReader;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace on this machine. Commands may change them at any time. Every
 * entry is reached from the root by opening one directory in the other, without following
 * links. Safe for use by several threads.
 */
final class LocalTree {

	private static final int ATTEMPTS = 3;

	private final Path root;

	private final DirectoryOpener opener;

	private final TreeReader reader;

	/**
	 * Creates the tree. The disk is not accessed.
	 * @param root the real path of the directory
	 * @param opener opens the root; several trees can share it with its threads
	 */
	LocalTree(Path root, DirectoryOpener opener) {
		this.root = root;
		this.opener = opener.of(root);
		this.reader = new TreeReader(root);
	}

	/**
	 * Moves a file of the application into the tree, replacing a file. Missing
	 * directories are created.
	 * @param file the file, in a directory of the application on the same file system
	 * @param path the path in the tree
	 * @return the file in the tree
	 * @throws IOException if a directory has the path, or a file or link is in the place
	 * of a directory
	 */
	LocalFile install(Path file, String path) throws IOException {
		return this.opener.call(() -> {
			try (OpenDirectory source = this.opener.open(parentOf(file));
					OpenDirectory opened = this.opener.open(this.root)) {
				return in(opened, names(KeySyntax.parent(path)), true, (directory) -> {
					Path name = name(path);
					BasicFileAttributes there = directory.find(name);
					if (there != null && !there.isRegularFile()) {
						throw new IOException("the entry in the place of a file is none");
					}
					source.move(nameOf(file), directory, name);
					directory.handDown(name);
					return describe(path, directory.attributes(name));
				});
			}
		});
	}

	/**
	 * Moves files of the application into a directory of the tree, unless there is an
	 * entry of the same name. Missing directories are created.
	 * @param files the files by the names that they get, all in one directory of the
	 * application
	 * @param directory the path of the directory in the tree, empty for the root
	 * @return the files in the tree
	 * @throws IOException if a file or link is in the place of a directory
	 */
	List<LocalFile> installNew(Map<String, Path> files, String directory) throws IOException {
		if (files.isEmpty()) {
			return List.of();
		}
		return this.opener.call(() -> {
			try (OpenDirectory source = this.opener.open(parentOf(files.values().iterator().next()));
					OpenDirectory opened = this.opener.open(this.root)) {
				return in(opened, names(directory), true, (target) -> {
					List<LocalFile> installed = new ArrayList<>();
					for (Map.Entry<String, Path> file : files.entrySet()) {
						Path name = name(file.getKey());
						if (target.find(name) == null) {
							source.move(nameOf(file.getValue()), target, name);
							target.handDown(name);
							installed.add(describe(KeySyntax.child(directory, file.getKey()), target.attributes(name)));
						}
					}
					return installed;
				});
			}
		});
	}

	/**
	 * Creates a directory and those above it unless they exist.
	 * @throws IOException if a file or link is in the place of one
	 */
	void createDirectory(String path) throws IOException {
		this.opener.call(() -> {
			try (OpenDirectory opened = this.opener.open(this.root)) {
				return in(opened, names(path), true, (directory) -> path);
			}
		});
	}

	/**
	 * Finds an entry.
	 * @return null if there is none
	 */
	@Nullable LocalFile find(String path) throws IOException {
		try {
			return this.opener.call(() -> {
				try (OpenDirectory opened = this.opener.open(this.root)) {
					return in(opened, names(KeySyntax.parent(path)), false,
							(directory) -> Optional.ofNullable(directory.find(name(path))));
				}
			}).map((found) -> describe(path, found)).orElse(null);
		}
		catch (NoSuchFileException | NotDirectoryException ex) {
			return null;
		}
	}

	/**
	 * Returns whether there is a link in the place of a directory on the way to a path,
	 * or of its entry.
	 */
	boolean isBehindLink(String path) throws IOException {
		return !path.isEmpty() && this.opener.<Boolean>call(() -> {
			try (OpenDirectory opened = this.opener.open(this.root)) {
				return isBehindLink(opened, names(path));
			}
		});
	}

	private static boolean isBehindLink(OpenDirectory directory, List<Path> rest) throws IOException {
		BasicFileAttributes found = directory.find(rest.get(0));
		if (found == null || rest.size() == 1 || !found.isDirectory()) {
			return found != null && found.isSymbolicLink();
		}
		try (OpenDirectory next = directory.directory(rest.get(0))) {
			return isBehindLink(next, rest.subList(1, rest.size()));
		}
	}

	/**
	 * Deletes a file.
	 */
	void deleteFile(String path) throws IOException {
		this.opener.call(() -> {
			try (OpenDirectory opened = this.opener.open(this.root)) {
				return in(opened, names(KeySyntax.parent(path)), false, (directory) -> {
					directory.deleteFile(name(path));
					return path;
				});
			}
		});
	}

	/**
	 * Returns all entries except directories and entries that the disk store keeps for
	 * itself.
	 * @param directory the path of the directory to begin with, empty for the root
	 * @throws IOException if a directory cannot be read
	 */
	List<LocalFile> scan(String directory) throws IOException {
		List<LocalFile> found = new ArrayList<>();
		LocalFile start = directory.isEmpty() ? null : find(directory);
		if (start != null && start.type() != LocalFile.Type.DIRECTORY) {
			return List.of(start);
		}
		if (start != null || directory.isEmpty()) {
			scan(directory, found);
		}
		return found;
	}

	private void scan(String directory, List<LocalFile> found) throws IOException {
		List<TreeReader.Entry> entries;
		try {
			entries = new ArrayList<>(this.reader.list(names(directory)));
		}
		catch (NoSuchFileException ex) {
			return; // gone meanwhile
		}
		entries.sort(Comparator.comparing((entry) -> entry.name().toString()));
		for (TreeReader.Entry entry : entries) {
			String name = entry.name().toString();
			if (KeySyntax.isReserved(name)) {
				continue;
			}
			String path = KeySyntax.child(directory, name);
			if (entry.attributes().isDirectory()) {
				scan(path, found);
			}
			else {
				found.add(describe(path, entry.attributes()));
			}
		}
	}

	/**
	 * Copies a file out of the tree.
	 * @param target the new file
	 * @return the file as it was copied, and the hash of the copy
	 * @throws IOException if it cannot be read, or keeps changing
	 */
	Copy copy(String path, Path target, long maxBytes) throws IOException {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			LocalFile before = find(path);
			if (before == null || before.type() != LocalFile.Type.FILE) {
				throw new NoSuchFileException(path);
			}
			String sha256 = transfer(path, target, maxBytes);
			LocalFile after = find(path);
			if (after != null && after.fingerprint().equals(before.fingerprint())) {
				return new Copy(after, sha256);
			}
		}
		throw new RacedException();
	}

	/**
	 * Returns the hash of a file.
	 */
	String hash(String path) throws IOException {
		return transfer(path, null, Long.MAX_VALUE);
	}

	private String transfer(String path, @Nullable Path target, long maxBytes) throws IOException {
		MessageDigest digest = Sha256.digest();
		try (SeekableByteChannel in = this.reader.open(names(KeySyntax.parent(path)), name(path));
				OutputStream out = (target != null) ? Files.newOutputStream(target, StandardOpenOption.CREATE,
						StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)
						: OutputStream.nullOutputStream()) {
			ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
			long copied = 0;
			while (in.read(buffer.clear()) >= 0) {
				copied += buffer.position();
				if (copied > maxBytes) {
					throw new RacedException();
				}
				digest.update(buffer.array(), 0, buffer.position());
				out.write(buffer.array(), 0, buffer.position());
			}
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	private <T> T in(OpenDirectory directory, List<Path> rest, boolean create, Use<T> use) throws IOException {
		if (rest.isEmpty()) {
			return use.apply(directory);
		}
		Path name = rest.get(0);
		if (create && directory.find(name) == null) {
			directory.newDirectory(name);
			directory.handDown(name);
		}
		try (OpenDirectory next = directory.directory(name)) {
			return in(next, rest.subList(1, rest.size()), create, use);
		}
	}

	private List<Path> names(String path) {
		List<Path> names = new ArrayList<>();
		if (!path.isEmpty()) {
			this.root.getFileSystem().getPath(path).forEach(names::add);
		}
		return names;
	}

	private Path name(String path) {
		return this.root.getFileSystem().getPath(path.substring(path.lastIndexOf('/') + 1));
	}

	private static Path parentOf(Path file) {
		return Objects.requireNonNull(file.getParent());
	}

	private static Path nameOf(Path file) {
		return Objects.requireNonNull(file.getFileName());
	}

	/**
	 * Describes an entry. The time of its last change is read by path, since no command
	 * can set it: if another file is there in the meantime, the description is of no
	 * file.
	 */
	private LocalFile describe(String path, BasicFileAttributes attributes) {
		LocalFile.Type type = attributes.isRegularFile() ? LocalFile.Type.FILE : attributes.isDirectory()
				? LocalFile.Type.DIRECTORY : attributes.isSymbolicLink() ? LocalFile.Type.LINK : LocalFile.Type.OTHER;
		boolean executable = attributes instanceof PosixFileAttributes posix
				&& posix.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
		String fingerprint = attributes.size() + "-" + attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) + "-"
				+ attributes.fileKey() + "-" + changed(path, attributes) + (executable ? "x" : "");
		return new LocalFile(path, type, attributes.size(), executable, fingerprint);
	}

	private String changed(String path, BasicFileAttributes attributes) {
		try {
			Map<String, Object> unix = Files.readAttributes(this.root.resolve(path), "unix:ctime,ino",
					LinkOption.NOFOLLOW_LINKS);
			return String.valueOf(attributes.fileKey()).endsWith("ino=" + unix.get("ino") + ")")
					? String.valueOf(((FileTime) Objects.requireNonNull(unix.get("ctime"))).to(TimeUnit.NANOSECONDS))
					: "other";
		}
		catch (IOException ex) {
			return "gone";
		}
		catch (UnsupportedOperationException | IllegalArgumentException ex) {
			return "";
		}
	}

	/**
	 * A copy of a file.
	 *
	 * @param file the file
	 * @param sha256 the hash of the content
	 */
	record Copy(LocalFile file, String sha256) {

	}

	/**
	 * An operation on an open directory.
	 */
	@FunctionalInterface
	private interface Use<T> {

		T apply(OpenDirectory directory) throws IOException;

	}

}
