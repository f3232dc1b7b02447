package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.ephemeral.EphemeralOptions;
import io.kairo.workspace.ephemeral.EphemeralWorkspaceProvider;
import io.kairo.workspace.local.RootTemplate;

/**
 * Workspaces from a seed beside the copy that a shell makes.
 */
final class EphemeralBenchmarks implements AutoCloseable {

	private final Sizes sizes;

	private final Path directory;

	private final Path seed;

	private final EphemeralWorkspaceProvider provider;

	EphemeralBenchmarks(Scratch scratch, Sizes sizes) throws IOException {
		this.sizes = sizes;
		this.directory = scratch.directory("ephemeral");
		Path seeds = scratch.directory("seeds");
		this.seed = scratch.tree("seeds/tree", sizes.treeFiles());
		this.provider = new EphemeralWorkspaceProvider(EphemeralOptions.in(this.directory.resolve("made"))
			.withSeeds(List.of(RootTemplate.parse(seeds.toString()))));
	}

	List<Comparison> comparisons() {
		return List.of(new Comparison("ephemeral workspace from a seed of " + this.sizes.treeFiles() + " files",
				"cp -r --reflink=auto", 2, new Acquired(), new Copied()));
	}

	private static long count(Path tree) throws Exception {
		return Commands.countLines("find", tree.toString(), "-type", "f");
	}

	@Override
	public void close() {
		this.provider.close();
	}

	/**
	 * Acquires a workspace, and releases it afterwards.
	 */
	private final class Acquired implements Work {

		private String id = "";

		private Path root = Path.of("");

		@Override
		public Object run() {
			Workspace workspace = EphemeralBenchmarks.this.provider
				.acquire(WorkspaceRequest.writable("ephemeral:tree"));
			this.id = workspace.id();
			this.root = workspace.root();
			return (long) EphemeralBenchmarks.this.sizes.treeFiles();
		}

		@Override
		public void after() throws Exception {
			requireAll(this.root);
			EphemeralBenchmarks.this.provider.release(this.id);
		}

	}

	/**
	 * Copies by a command, and removes the copy afterwards.
	 */
	private final class Copied implements Work {

		private final Path copy = EphemeralBenchmarks.this.directory.resolve("copy");

		@Override
		public Object run() throws Exception {
			Commands.countLines("cp", "-r", "--reflink=auto", EphemeralBenchmarks.this.seed.toString(),
					this.copy.toString());
			return (long) EphemeralBenchmarks.this.sizes.treeFiles();
		}

		@Override
		public void after() throws Exception {
			requireAll(this.copy);
			Commands.countLines("rm", "-rf", this.copy.toString());
		}

	}

	private void requireAll(Path tree) throws Exception {
		if (count(tree) != this.sizes.treeFiles()) {
			throw new IllegalStateException("Not all files were copied to " + tree);
		}
	}

}
