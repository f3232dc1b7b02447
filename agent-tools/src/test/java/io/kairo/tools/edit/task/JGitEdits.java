package io.kairo.tools.edit.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.patch.Patch;
import org.eclipse.jgit.patch.PatchApplier;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/**
 * The patches of JGit, in a repository without commits.
 */
final class JGitEdits implements EditImplementation {

	private final Path metadata;

	JGitEdits(Path metadata) {
		this.metadata = metadata;
	}

	@Override
	public String name() {
		return "JGit";
	}

	@Override
	public boolean supports(EditTask task) {
		return task.dialect() == EditTask.Dialect.DIFF;
	}

	@Override
	public Attempt open(Path directory) {
		return (task) -> {
			try (Repository repository = repository(directory)) {
				Files.deleteIfExists(repository.getIndexFile().toPath());
				boolean encodable = !task.charset().name().startsWith("UTF-16")
						&& task.charset().newEncoder().canEncode(task.patch());
				byte[] bytes = task.patch().getBytes(encodable ? task.charset() : StandardCharsets.UTF_8);
				Patch patch = new Patch();
				patch.parse(bytes, 0, bytes.length);
				if (!patch.getErrors().isEmpty()) {
					return patch.getErrors().toString();
				}
				if (patch.getFiles().isEmpty()) {
					return "no files";
				}
				PatchApplier.Result result = new PatchApplier(repository).applyPatch(patch);
				return result.getErrors().isEmpty() ? null
						: result.getErrors().stream().map(Object::toString).collect(Collectors.joining("\n"));
			}
		};
	}

	private Repository repository(Path directory) throws IOException {
		Repository repository = new FileRepositoryBuilder().setGitDir(this.metadata.toFile())
			.setWorkTree(directory.toFile())
			.build();
		if (!Files.exists(this.metadata)) {
			repository.create();
			Files.deleteIfExists(directory.resolve(".git"));
		}
		repository.getConfig().setBoolean("core", null, "autocrlf", false);
		return repository;
	}

}
