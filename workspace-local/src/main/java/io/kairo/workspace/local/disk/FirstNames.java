package io.kairo.workspace.local.disk;

import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The names of the entries of a directory, of which the first are read ahead. For use by
 * one thread.
 */
final class FirstNames implements Iterator<Path> {

	/** Number of names that are read ahead. */
	static final int MAX_AHEAD = 1024;

	private final List<Path> ahead = new ArrayList<>();

	private final Iterator<Path> rest;

	private int returned;

	/** The failure to read on, thrown where the next name would be; null if none. */
	private @Nullable DirectoryIteratorException failure;

	/**
	 * Reads ahead.
	 * @param directory the directory, whose names are consumed
	 */
	FirstNames(OpenDirectory directory) {
		this.rest = directory.names();
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
	 * @return true also if not all names were read ahead
	 */
	boolean mayHave(String name) {
		return this.failure != null || this.ahead.size() == MAX_AHEAD
				|| this.ahead.stream().anyMatch((entry) -> EntryNames.mayDenote(name, entry));
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
	public Path next() {
		return (this.returned < this.ahead.size()) ? this.ahead.get(this.returned++) : this.rest.next();
	}

}
