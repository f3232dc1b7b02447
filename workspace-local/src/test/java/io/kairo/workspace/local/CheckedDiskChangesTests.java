package io.kairo.workspace.local;

import java.nio.file.Files;

/**
 * Tests for {@link DiskChanges} by {@link CheckedDirectory}.
 */
class CheckedDiskChangesTests extends DiskChangesTests {

	@Override
	DirectoryOpener opener() {
		return (directory) -> new CheckedDirectory(directory, directory, Files.newDirectoryStream(directory));
	}

}
