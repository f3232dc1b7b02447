package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.Iterator;

/**
 * The names of the entries of a directory stream.
 */
record EntryIterator(Iterator<Path> entries) implements Iterator<Path> {

	@Override
	public boolean hasNext() {
		return this.entries.hasNext();
	}

	@Override
	public Path next() {
		return this.entries.next().getFileName();
	}

}
