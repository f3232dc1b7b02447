package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.kairo.api.workspace.FileType;
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
		put((entry.type() == FileType.DIRECTORY) ? name + "/" : name, entry);
		byte[] hash = (entry.type() == FileType.FILE) ? CopiedEntry.copy(path, entry.size(), this.archive) : NONE;
		this.archive.closeArchiveEntry();
		return hash;
	}

	private void put(String name, CopiedEntry entry) throws IOException {
		TarArchiveEntry header;
		if (entry.type() == FileType.LINK) {
			header = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
			header.setLinkName(new String(entry.content(), StandardCharsets.UTF_8));
		}
		else {
			header = new TarArchiveEntry(name);
			header.setSize((entry.type() == FileType.FILE) ? entry.size() : 0);
		}
		header.setMode(entry.mode());
		header.setIds(entry.uid(), entry.gid());
		header.setLastModifiedTime(entry.modified());
		this.archive.putArchiveEntry(header);
	}

}
