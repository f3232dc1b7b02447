package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceFilesContract;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for the disk store.
 */
class DiskFilesContractTests extends WorkspaceFilesContract {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException {
		Path root = Files.createTempDirectory(this.temp.toRealPath(), "root");
		for (Map.Entry<String, String> file : content.entrySet()) {
			TestWorkspaces.file(root.resolve(file.getKey()), file.getValue());
		}
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withPathPolicy(pathPolicy())
			.withWritePolicy(policy)
			.withNameMatching(nameMatching())
			.withStateDirectory(Files.createTempDirectory(this.temp.toRealPath(), "state"));
		return wrap(new LocalWorkspaceFilesFactory(options).open(TestWorkspaces.of(root)));
	}

	@Override
	protected boolean caseSensitive() {
		return !Files
			.exists(this.temp.resolve("..").resolve(this.temp.getFileName().toString().toUpperCase(Locale.ROOT)));
	}

	@Override
	protected LinkMaker links() {
		return (files, path, target) -> TestWorkspaces.link(files.root().root().resolve(path), target);
	}

	@Override
	protected boolean includesDirectories() {
		return true;
	}

	NameMatching nameMatching() {
		return NameMatching.BY_PATH_POLICY;
	}

	PathPolicy pathPolicy() {
		return PathPolicy.ROOTS;
	}

	WorkspaceFiles wrap(WorkspaceFiles files) {
		return files;
	}

}
