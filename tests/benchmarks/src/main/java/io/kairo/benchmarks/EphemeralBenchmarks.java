package io.kairo.benchmarks;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.ephemeral.EphemeralOptions;
import io.kairo.workspace.ephemeral.EphemeralWorkspaceProvider;
import io.kairo.workspace.local.RootTemplate;

/**
 * A workspace that is a copy of a seed beside the copy that a shell makes.
 *
 * @param sizes the amount of work
 */
record EphemeralBenchmarks(Sizes sizes) {

	List<Comparison> comparisons() {
		return List.of(new Comparison("ephemeral copy of %,d files".formatted(this.sizes.treeFiles()),
				"`cp -r --reflink=auto`", 0.3, this::copy));
	}

	private Sides copy(Scratch scratch) throws Exception {
		Path seed = scratch.tree("seeds/tree", this.sizes.treeFiles());
		Path copy = scratch.directory("copies").resolve("copy");
		EphemeralWorkspaceProvider provider = scratch
			.closing(new EphemeralWorkspaceProvider(EphemeralOptions.in(scratch.directory("copies").resolve("made"))
				.withSeeds(List.of(RootTemplate.parse(scratch.directory("seeds").toString())))));
		return new Sides(Work.of(() -> provider.acquire(WorkspaceRequest.writable("ephemeral:tree")))
			.comparing((workspace) -> Commands.countFiles(workspace.root()))
			.then((workspace) -> {
				provider.release(workspace.id());
				return workspace;
			}), Work.of(() -> Commands.countLines("cp", "-r", "--reflink=auto", seed.toString(), copy.toString()))
				.comparing((lines) -> Commands.countFiles(copy))
				.then((lines) -> Commands.countLines("rm", "-rf", copy.toString())));
	}

}
