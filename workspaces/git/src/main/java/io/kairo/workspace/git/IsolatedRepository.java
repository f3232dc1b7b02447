package io.kairo.workspace.git;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

/**
 * A repository of the provider that reads its own configuration only, so that filters
 * configured by users of this machine do not apply to the content of a remote.
 */
class IsolatedRepository extends FileRepository {

	/** Null while the constructor of the superclass runs. */
	private final @Nullable FileBasedConfig own;

	IsolatedRepository(Path gitDirectory, @Nullable Path tree) throws IOException {
		super(builder(gitDirectory, tree));
		FileBasedConfig config = new FileBasedConfig(new File(getDirectory(), "config"), FS.DETECTED);
		try {
			config.load();
		}
		catch (ConfigInvalidException ex) {
			throw new IOException("the configuration of a repository is invalid", ex);
		}
		this.own = config;
	}

	private static FileRepositoryBuilder builder(Path gitDirectory, @Nullable Path tree) throws IOException {
		FileRepositoryBuilder builder = new FileRepositoryBuilder().setFS(FS.DETECTED)
			.setGitDir(gitDirectory.toFile())
			.setMustExist(true);
		return (tree != null) ? builder.setWorkTree(tree.toFile()).setup() : builder.setBare().setup();
	}

	@Override
	public FileBasedConfig getConfig() {
		return (this.own != null) ? this.own : super.getConfig();
	}

}
