package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Arrays;

import io.kairo.api.workspace.FileType;
import io.kairo.host.HostUser;
import io.kairo.host.Sha256;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.CopyWalk;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.copy.RootUpdate;
import io.kairo.sandbox.support.mount.HeldDirectory;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Applies the content of an archive of the copy of a directory to the directory. The
 * archive is not trusted. For use by one thread.
 */
final class ArchiveUpdate {

	private static final int PERMISSIONS = 0777;

	private final RootCopy copy;

	private final RootUpdate update;

	private final FileChannel staging;

	private final CopyBound bound;

	private final CopyRemarks remarks;

	/**
	 * Creates the update.
	 * @param user the owner of created files, if this process can give them away
	 * @param staging a file for the content of one file at a time
	 * @param remarks receives the changes that were not applied
	 */
	ArchiveUpdate(RootCopy copy, HostUser user, FileChannel staging, CopyBound bound, CopyRemarks remarks) {
		this.copy = copy;
		this.update = new RootUpdate(copy, user, remarks);
		this.staging = staging;
		this.bound = bound;
		this.remarks = remarks;
	}

	/**
	 * Applies an archive with paths that begin with the name of the directory.
	 * @throws IOException if the archive cannot be read, is not complete, has a path
	 * twice or a path that leads outside, or has too much in it; the entries before that
	 * are applied, and nothing is deleted
	 */
	void apply(InputStream archive) throws IOException {
		ArchiveEnd end = new ArchiveEnd(archive);
		TarArchiveInputStream entries = new TarArchiveInputStream(end, StandardCharsets.UTF_8.name());
		for (TarArchiveEntry header = entries.getNextEntry(); header != null; header = entries.getNextEntry()) {
			Path relative = relative(header.getName());
			this.bound.add(header.isFile() ? header.getSize() : 0,
					header.getName().length() + header.getLinkName().length());
			if (relative != null && !relative.toString().isEmpty() && !this.copy.isKept(relative)) {
				apply(relative, header, entries);
			}
		}
		end.require();
		this.update.finish();
	}

	/**
	 * Returns a path relative to the directory.
	 * @return null if its name is not UTF-8
	 */
	private @Nullable Path relative(String name) throws IOException {
		Path path;
		try {
			path = Path.of(name);
		}
		catch (InvalidPathException ex) {
			return unreadable(name);
		}
		for (Path each : path) {
			if (each.toString().equals("..") || each.toString().equals(".")) {
				throw new IOException("the archive has the path " + name);
			}
		}
		if (path.isAbsolute() || name.isEmpty()) {
			throw new IOException("the archive has the path " + name);
		}
		if (!CopyWalk.isReadable(name)) {
			return unreadable(name);
		}
		return (path.getNameCount() == 1) ? Path.of("") : path.subpath(1, path.getNameCount());
	}

	private @Nullable Path unreadable(String name) {
		this.remarks.add(name, "its name is not UTF-8");
		return null;
	}

	private void apply(Path relative, TarArchiveEntry header, InputStream content) throws IOException {
		if (this.update.found(relative) != null) {
			throw new IOException("the archive has the path " + relative + " twice");
		}
		this.update.apply(relative, entry(relative, header, content), this::writeStaged);
	}

	/**
	 * Returns an entry of the archive. Its content is in the staging file afterwards.
	 */
	private CopiedEntry entry(Path relative, TarArchiveEntry header, InputStream content) throws IOException {
		int mode = header.getMode();
		FileTime modified = header.getLastModifiedTime();
		if (header.isSymbolicLink() && CopyWalk.isPath(header.getLinkName())) {
			return CopiedEntry.received(FileType.LINK, PERMISSIONS, modified,
					header.getLinkName().getBytes(StandardCharsets.UTF_8));
		}
		if (header.isLink()) {
			return stageAgain(relative, header.getLinkName());
		}
		if (header.isDirectory()) {
			return CopiedEntry.received(FileType.DIRECTORY, mode, modified, new byte[0]);
		}
		if (isFile(header)) {
			return CopiedEntry.received(FileType.FILE, mode, modified, stage(content));
		}
		return other(relative, "it is neither a file nor a directory, nor a link to a name in UTF-8");
	}

	private static boolean isFile(TarArchiveEntry header) {
		return header.isFile() && !header.isSparse() && !header.isSymbolicLink() && !header.isFIFO()
				&& !header.isCharacterDevice() && !header.isBlockDevice();
	}

	private CopiedEntry other(Path relative, String reason) {
		this.remarks.add(relative.toString(), reason);
		return CopiedEntry.OTHER;
	}

	private byte[] stage(InputStream content) throws IOException {
		this.staging.truncate(0);
		MessageDigest digest = Sha256.digest();
		byte[] buffer = new byte[1 << 16];
		OutputStream output = Channels.newOutputStream(this.staging.position(0));
		for (int count = content.read(buffer); count > 0; count = content.read(buffer)) {
			digest.update(buffer, 0, count);
			output.write(buffer, 0, count);
		}
		return digest.digest();
	}

	/**
	 * Returns a file or link that the archive had before under another name, with its
	 * content staged. There is none if it was not copied back.
	 */
	private CopiedEntry stageAgain(Path relative, String name) throws IOException {
		Path first = relative(name);
		if (first == null || this.copy.isKept(first)) {
			return other(relative, "it is another name of something that is not copied back");
		}
		CopiedEntry target = this.update.found(first);
		if (target == null || target.type() == FileType.DIRECTORY) {
			throw new IOException(
					"the archive has a link from " + relative + " to " + name + ", which is no file in it");
		}
		if (target.type() == FileType.LINK) {
			return target;
		}
		if (target.type() == FileType.OTHER) {
			return other(relative, "it is another name of " + first);
		}
		try (HeldDirectory parent = HeldDirectory.open(this.copy.source(parent(first)));
				InputStream content = Files.newInputStream(parent.resolve(first.getFileName()),
						LinkOption.NOFOLLOW_LINKS)) {
			this.bound.add(Files.size(parent.resolve(first.getFileName())), 0);
			if (Arrays.equals(stage(content), target.content())) {
				return target;
			}
		}
		catch (FileSystemException ex) {
			// it was not copied back
		}
		return other(relative, "it is another name of " + first);
	}

	private void writeStaged(FileChannel target) throws IOException {
		long size = this.staging.size();
		long position = 0;
		while (position < size) {
			position += this.staging.transferTo(position, size - position, target);
		}
	}

	private static Path parent(Path relative) {
		Path parent = relative.getParent();
		return (parent != null) ? parent : Path.of("");
	}

}
