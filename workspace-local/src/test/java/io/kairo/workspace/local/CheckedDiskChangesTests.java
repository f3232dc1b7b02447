package io.kairo.workspace.local;

/**
 * Tests for {@link DiskChanges} by {@link CheckedDirectory}.
 */
class CheckedDiskChangesTests extends DiskChangesTests {

	@Override
	DirectoryOpener opener() {
		return DirectoryOpener.checked();
	}

}
