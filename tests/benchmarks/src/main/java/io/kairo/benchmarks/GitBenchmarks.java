package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.git.GitClientKind;
import io.kairo.workspace.git.GitCredentials;
import io.kairo.workspace.git.GitOptions;
import io.kairo.workspace.git.GitWorkspaceProvider;

/**
 * A second checkout of a repository beside {@code git worktree add}.
 *
 * @param sizes the amount of work
 */
record GitBenchmarks(Sizes sizes) {

	List<Comparison> comparisons() {
		return List.of(checkout(GitClientKind.GIT, 0.6), checkout(GitClientKind.JGIT, 1));
	}

	private Comparison checkout(GitClientKind client, double target) {
		return new Comparison("second checkout of %,d files, %s".formatted(this.sizes.gitFiles(), client),
				"`git worktree add --detach`", target, (scratch) -> checkout(scratch, client));
	}

	private Sides checkout(Scratch scratch, GitClientKind client)
			throws IOException, InterruptedException, NotMeasuredException {
		Commands.require("git");
		Path repository = scratch.tree("work", this.sizes.gitFiles());
		git(repository, "init", "-q", "-b", "main");
		git(repository, "add", "-A");
		git(repository, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "-m", "Begin");
		git(repository, "gc", "-q");
		GitOptions options = GitOptions.in(scratch.directory("checkouts"))
			.withClient(client)
			.withAllowedUrls("file://")
			.withFetchAfter(Duration.ofHours(1));
		GitWorkspaceProvider provider = scratch.closing(new GitWorkspaceProvider(options, GitCredentials.NONE));
		WorkspaceRequest request = WorkspaceRequest.writable("git:file://" + repository);
		Path tree = scratch.directory().resolve("tree");
		return new Sides(Work.of(() -> provider.acquire(request))
			.comparing((workspace) -> Commands.countFiles(workspace.root()))
			.then((workspace) -> {
				provider.release(workspace.id());
				return workspace;
			}), Work.of(() -> git(repository, "worktree", "add", "-q", "--detach", tree.toString()))
				.comparing((lines) -> Commands.countFiles(tree))
				.then((lines) -> git(repository, "worktree", "remove", "--force", tree.toString())));
	}

	private static long git(Path repository, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString()));
		command.addAll(List.of(arguments));
		return Commands.countLines(command.toArray(String[]::new));
	}

}
