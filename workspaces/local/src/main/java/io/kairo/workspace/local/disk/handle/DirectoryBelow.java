package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * Opens directories below a trusted one by descending to them, and creates them in the
 * same way if they are missing. No link on the way is followed, not even one that existed
 * before the workspace was first opened.
 *
 * @param trusted the real path of the trusted directory
 * @param opener opens the trusted directory
 * @param ownLevels number of levels below the trusted directory that are accessible by
 * their owner only
 * @param owner the user that directories are created for, or null for the owner of the
 * directory above
 */
public record DirectoryBelow(Path trusted, DirectoryOpener opener, int ownLevels,
		@Nullable HostUser owner) implements DirectoryOpener {

	@Override
	public OpenDirectory open(Path directory) throws IOException {
		return goTo(directory, Missing.IS_AN_ERROR);
	}

	@Override
	public void create(Path directory) throws IOException {
		Files.createDirectories(this.trusted);
		goTo(directory, Missing.IS_MADE).close();
	}

	@Override
	public DirectoryOpener of(Path workspace) {
		return new DirectoryBelow(this.trusted, this.opener.of(workspace), this.ownLevels, this.owner);
	}

	@Override
	public @Nullable DirectFiles direct() {
		return this.opener.direct();
	}

	@Override
	public ListedDirectory listed(OpenDirectory directory) {
		return this.opener.listed(directory);
	}

	@Override
	public <T> T call(Operation<T> operation) throws IOException {
		return this.opener.call(operation);
	}

	@Override
	public void start(AbandonableTask work) {
		this.opener.start(work);
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
			if (this.owner != null) {
				above.give(name, this.owner);
			}
			else {
				above.handDown(name);
			}
			if (level < this.ownLevels) {
				above.permit(name, PosixFilePermissions.fromString("rwx------"));
			}
			above.force();
		}
		catch (FileAlreadyExistsException ex) {
			// Created concurrently; its type is checked when it is entered.
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
	 * The treatment of a missing directory.
	 */
	private enum Missing {

		/** Opening fails. */
		IS_AN_ERROR,

		/** The directory is created. */
		IS_MADE

	}

}
