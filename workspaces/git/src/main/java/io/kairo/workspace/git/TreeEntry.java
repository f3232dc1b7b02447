package io.kairo.workspace.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;

/**
 * A file, a link or a directory of a checkout.
 */
final class TreeEntry extends WorkingTreeIterator.Entry {

	private final ConfinedTree tree;

	private final List<Path> directory;

	private final Path name;

	private final FileMode mode;

	private final long length;

	private final Instant modified;

	TreeEntry(ConfinedTree tree, List<Path> directory, Path name, FileMode mode, long length, Instant modified) {
		this.tree = tree;
		this.directory = directory;
		this.name = name;
		this.mode = mode;
		this.length = length;
		this.modified = modified;
	}

	/**
	 * Returns this entry as a submodule.
	 */
	TreeEntry asSubmodule() {
		return new TreeEntry(this.tree, this.directory, this.name, FileMode.GITLINK, 0, this.modified);
	}

	@Override
	public FileMode getMode() {
		return this.mode;
	}

	@Override
	public long getLength() {
		return this.length;
	}

	@Override
	public Instant getLastModifiedInstant() {
		return this.modified;
	}

	@Override
	public String getName() {
		return this.name.toString();
	}

	@Override
	public InputStream openInputStream() throws IOException {
		return (this.mode == FileMode.SYMLINK) ? new ByteArrayInputStream(target().getBytes(StandardCharsets.UTF_8))
				: this.tree.open(this.directory, this.name, this.length);
	}

	String target() throws IOException {
		return this.tree.link(this.directory, this.name);
	}

}
