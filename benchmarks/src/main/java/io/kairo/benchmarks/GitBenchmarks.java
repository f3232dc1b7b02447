package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.git.GitClientKind;
import io.kairo.workspace.git.GitCredentials;
import io.kairo.workspace.git.GitOptions;
import io.kairo.workspace.git.GitWorkspaceProvider;
import org.jspecify.annotations.Nullable;

/**
 * A second checkout of a repository beside {@code git worktree add}.
 */
final class GitBenchmarks implements AutoCloseable {

	private final List<GitWorkspaceProvider> providers = new ArrayList<>();

	private final Path base;

	private final Path repository;

	private final int files;

	GitBenchmarks(Scratch scratch, int files) throws IOException, InterruptedException {
		this.base = scratch.directory("git");
		this.repository = scratch.tree("git/work", files);
		this.files = files;
		git("init", "-q", "-b", "main");
		git("add", "-A");
		git("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "-m", "Begin");
		git("gc", "-q");
	}

	private void git(String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("git", "-C", this.repository.toString()));
		command.addAll(List.of(arguments));
		Commands.countLines(command.toArray(String[]::new));
	}

	List<Comparison> comparisons() {
		return List.of(checkout(GitClientKind.GIT, 1.2), checkout(GitClientKind.JGIT, 8));
	}

	private Comparison checkout(GitClientKind client, double target) {
		GitWorkspaceProvider provider = new GitWorkspaceProvider(GitOptions.in(this.base.resolve(client.name()))
			.withClient(client)
			.withAllowedUrls("file://")
			.withFetchAfter(Duration.ofHours(1)), GitCredentials.NONE);
		this.providers.add(provider);
		return new Comparison("second checkout of %,d files (%s)".formatted(this.files, provider.client()),
				"git worktree add --detach", target, new Acquire(provider), new WorktreeAdd());
	}

	private static long count(Path directory) throws IOException {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.filter((entry) -> !entry.endsWith(".git")).count();
		}
	}

	@Override
	public void close() {
		this.providers.forEach(GitWorkspaceProvider::close);
	}

	private final class Acquire implements Work {

		private final GitWorkspaceProvider provider;

		private @Nullable Workspace workspace;

		Acquire(GitWorkspaceProvider provider) {
			this.provider = provider;
		}

		@Override
		public Object run() throws IOException {
			this.workspace = this.provider
				.acquire(WorkspaceRequest.writable("git:file://" + GitBenchmarks.this.repository));
			return count(this.workspace.root());
		}

		@Override
		public void after() {
			this.provider.release(Objects.requireNonNull(this.workspace).id());
		}

	}

	private final class WorktreeAdd implements Work {

		private final Path tree = GitBenchmarks.this.base.resolve("tree");

		@Override
		public Object run() throws IOException, InterruptedException {
			git("worktree", "add", "-q", "--detach", this.tree.toString());
			return count(this.tree);
		}

		@Override
		public void after() throws IOException, InterruptedException {
			git("worktree", "remove", "--force", this.tree.toString());
		}

	}

}
