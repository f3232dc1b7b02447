package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;

import io.kairo.host.Sha256;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.RootCopy;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Writes a directory to an archive, at its path in the container. For use by one thread.
 *
 * @param archive the archive
 * @param prefix the path in the container, without a slash at the beginning
 */
record RootArchive(TarArchiveOutputStream archive, String prefix) implements RootCopy.Sink {

	private static final byte[] NONE = {};

	/**
	 * Writes a directory with everything in it.
	 * @throws IOException if a file cannot be read, or the archive cannot be written
	 */
	static void write(RootCopy copy, TarArchiveOutputStream archive, CopyBound bound) throws IOException {
		RootArchive target = new RootArchive(archive, copy.root().target().toString().substring(1));
		target.put(target.prefix() + "/", CopiedEntry.of(copy.root().source()));
		archive.closeArchiveEntry();
		copy.copy(target, bound);
	}

	@Override
	public byte[] add(Path relative, CopiedEntry entry, boolean sealed, Path path) throws IOException {
		String name = this.prefix + "/" + relative;
		put((entry.type() == CopiedEntry.Type.DIRECTORY) ? name + "/" : name, entry);
		byte[] hash = (entry.type() == CopiedEntry.Type.FILE) ? copy(path, entry.size()) : NONE;
		this.archive.closeArchiveEntry();
		return hash;
	}

	private void put(String name, CopiedEntry entry) throws IOException {
		TarArchiveEntry header;
		if (entry.type() == CopiedEntry.Type.LINK) {
			header = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
			header.setLinkName(new String(entry.content(), StandardCharsets.UTF_8));
		}
		else {
			header = new TarArchiveEntry(name);
			header.setSize((entry.type() == CopiedEntry.Type.FILE) ? entry.size() : 0);
		}
		header.setMode(entry.mode());
		header.setIds(entry.uid(), entry.gid());
		header.setLastModifiedTime(entry.modified());
		this.archive.putArchiveEntry(header);
	}

	/**
	 * Copies as many bytes as there were: a file may become longer or shorter meanwhile.
	 * @return the hash of the written bytes
	 */
	private byte[] copy(Path file, long size) throws IOException {
		MessageDigest digest = Sha256.digest();
		byte[] buffer = new byte[1 << 16];
		try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			long left = size;
			while (left > 0) {
				int count = content.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
				if (count == 0) {
					throw new IOException(file.getFileName() + " was changed while it was copied");
				}
				this.archive.write(buffer, 0, count);
				digest.update(buffer, 0, count);
				left -= count;
			}
		}
		return digest.digest();
	}

}
