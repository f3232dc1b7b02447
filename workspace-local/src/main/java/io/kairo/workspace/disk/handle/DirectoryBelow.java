package io.kairo.workspace.disk.handle;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens directories that need not exist yet by going down to them from one that is
 * trusted, and makes them there in the same way: no link on the way is followed, not even
 * one that was put there before the workspace was opened for the first time.
 *
 * @param trusted a real path
 * @param opener opens the trusted directory
 * @param ownLevels how many levels below the trusted directory are for their owner only
 */
public record DirectoryBelow(Path trusted, DirectoryOpener opener, int ownLevels) implements DirectoryOpener {

	@Override
	public OpenDirectory open(Path directory) throws IOException {
		return goTo(directory, Missing.IS_AN_ERROR);
	}

	@Override
	public void create(Path directory) throws IOException {
		Files.createDirectories(this.trusted);
		goTo(directory, Missing.IS_MADE).close();
	}

	private OpenDirectory goTo(Path directory, Missing missing) throws IOException {
		OpenDirectory current = this.opener.open(this.trusted);
		for (int i = this.trusted.getNameCount(); i < directory.getNameCount(); i++) {
			try (OpenDirectory above = current) {
				Path name = directory.getName(i);
				if (missing == Missing.IS_MADE && above.find(name) == null) {
					make(above, name, i - this.trusted.getNameCount());
				}
				current = enter(above, name);
			}
		}
		return current;
	}

	private void make(OpenDirectory above, Path name, int level) throws IOException {
		try {
			above.newDirectory(name);
			above.handDown(name);
			if (level < this.ownLevels) {
				above.permitOnlyOwner(name);
			}
			above.force();
		}
		catch (FileAlreadyExistsException ex) {
			// By somebody else, just now; what it is shows when it is entered.
		}
	}

	private static OpenDirectory enter(OpenDirectory above, Path name) throws IOException {
		BasicFileAttributes attributes = above.attributes(name);
		if (attributes.isSymbolicLink()) {
			throw new LinkedRootException();
		}
		if (!attributes.isDirectory()) {
			throw new NotDirectoryException(null);
		}
		return above.directory(name);
	}

	/**
	 * What becomes of a directory that is missing.
	 */
	private enum Missing {

		/** It cannot be opened. */
		IS_AN_ERROR,

		/** It is made. */
		IS_MADE

	}

}
