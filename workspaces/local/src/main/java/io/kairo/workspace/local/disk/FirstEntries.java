package io.kairo.workspace.local.disk;

import java.nio.file.DirectoryIteratorException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.workspace.local.disk.handle.ListedDirectory;
import io.kairo.workspace.local.disk.handle.ListedEntry;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory. The first ones are read ahead. For use by one thread.
 */
final class FirstEntries implements Iterator<ListedEntry> {

	/** Number of entries that are read ahead. */
	static final int MAX_AHEAD = 1024;

	private final List<ListedEntry> ahead = new ArrayList<>();

	private final Iterator<ListedEntry> rest;

	private int returned;

	/** The failure to read on, thrown where the next entry would be; null if none. */
	private @Nullable DirectoryIteratorException failure;

	/**
	 * Reads ahead.
	 * @param directory the directory, whose entries are consumed
	 */
	FirstEntries(ListedDirectory directory) {
		this.rest = directory.entries();
		try {
			while (this.ahead.size() < MAX_AHEAD && this.rest.hasNext()) {
				this.ahead.add(this.rest.next());
			}
		}
		catch (DirectoryIteratorException ex) {
			this.failure = ex;
		}
	}

	/**
	 * Returns whether the directory may have an entry that a name denotes.
	 * @param name a name of ASCII characters
	 * @return true also if not all entries were read ahead
	 */
	boolean mayHave(String name) {
		return this.failure != null || this.ahead.size() == MAX_AHEAD
				|| this.ahead.stream().anyMatch((entry) -> EntryNames.mayDenote(name, entry.name()));
	}

	@Override
	public boolean hasNext() {
		if (this.returned < this.ahead.size()) {
			return true;
		}
		if (this.failure != null) {
			throw this.failure;
		}
		return this.rest.hasNext();
	}

	@Override
	public ListedEntry next() {
		return (this.returned < this.ahead.size()) ? this.ahead.get(this.returned++) : this.rest.next();
	}

}
