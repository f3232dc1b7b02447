package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.local.disk.handle.DirectFiles;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.AbandonableTask;
import io.kairo.workspace.local.disk.handle.ListedDirectory;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Opens a directory of the application besides the directories of a workspace.
 *
 * @param further the real path of the directory
 * @param opener opens it
 * @param workspace opens the directories of the workspace
 */
record FurtherDirectory(Path further, DirectoryOpener opener, DirectoryOpener workspace) implements DirectoryOpener {

	@Override
	public OpenDirectory open(Path directory) throws IOException {
		return (directory.startsWith(this.further) ? this.opener : this.workspace).open(directory);
	}

	@Override
	public void create(Path directory) throws IOException {
		(directory.startsWith(this.further) ? this.opener : this.workspace).create(directory);
	}

	@Override
	public @Nullable DirectFiles direct() {
		return this.workspace.direct();
	}

	@Override
	public ListedDirectory listed(OpenDirectory directory) {
		return this.workspace.listed(directory);
	}

	@Override
	public <T> T call(Operation<T> operation) throws IOException {
		return this.workspace.call(operation);
	}

	@Override
	public void start(AbandonableTask work) {
		this.workspace.start(work);
	}

}
