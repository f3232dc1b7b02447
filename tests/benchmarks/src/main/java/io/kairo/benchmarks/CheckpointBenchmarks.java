package io.kairo.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;

/**
 * Checkpoints beside Git and a copy of the tree.
 *
 * @param sizes the amount of work
 */
record CheckpointBenchmarks(Sizes sizes) {

	private static final int CHANGED = 10;

	List<Comparison> comparisons() {
		int some = this.sizes.treeFiles() / 6;
		int many = this.sizes.treeFiles();
		return List.of(
				new Comparison("checkpoint after a change of 10 of %,d files".formatted(some), "git stash create", 0.5,
						(scratch) -> take(scratch, some)),
				new Comparison("record a command that changes nothing, %,d files".formatted(many), "git stash create",
						1, (scratch) -> record(scratch, many)),
				new Comparison("record and rewind a change of 10 of %,d files".formatted(some), "cp -r", 0.5,
						(scratch) -> rewind(scratch, some)),
				new Comparison("begin and commit a trial that changes 10 of %,d files".formatted(some), "cp -r", 1.5,
						(scratch) -> trial(scratch, some)));
	}

	private static WorkspaceCheckpoints checkpoints(Scratch scratch, DiskStore store) throws Exception {
		CheckpointOptions options = new CheckpointOptions(1L << 30, 1L << 30, 1 << 20, 200_000, Duration.ofDays(1),
				Duration.ofMinutes(1), true);
		CheckpointStore checkpoints = scratch.closing(new CheckpointStore(scratch.directory("checkpoints"), options,
				TrialOptions.defaults(scratch.directory("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC()));
		WorkspaceCheckpoints session = checkpoints.open(TenantContext.SINGLE, "session", store.workspace());
		session.take(store.files(), "start").value();
		return session;
	}

	private static void change(Path tree, int value) throws Exception {
		try (var files = Files.walk(tree)) {
			for (Path file : files.filter(Files::isRegularFile)
				.filter((file) -> !file.toString().contains("/.git/"))
				.limit(CHANGED)
				.toList()) {
				Files.writeString(file, "changed " + value + "\n");
			}
		}
	}

	private static Path repository(Scratch scratch, String name, int files) throws Exception {
		Path tree = scratch.tree(name, files);
		for (String arguments : List.of("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm one")) {
			Commands.output(tree, ("git " + arguments).split(" "));
		}
		return tree;
	}

	private Sides take(Scratch scratch, int files) throws Exception {
		Commands.require("git");
		DiskStore store = DiskStore.in(scratch);
		Path tree = scratch.tree("files/tree", files);
		Path repository = repository(scratch, "repository", files);
		WorkspaceCheckpoints checkpoints = checkpoints(scratch, store);
		AtomicInteger value = new AtomicInteger();
		return new Sides(Work.of(() -> {
			change(tree, value.incrementAndGet());
			return checkpoints.take(store.files(), "now").value();
		}).comparing((taken) -> true), Work.of(() -> {
			change(repository, value.incrementAndGet());
			return stash(repository);
		}).comparing((commit) -> commit.length > 0));
	}

	private static byte[] stash(Path repository) throws Exception {
		return Commands.output(repository, "git", "-c", "user.name=a", "-c", "user.email=a@b", "stash", "create");
	}

	private Sides record(Scratch scratch, int files) throws Exception {
		Commands.require("git");
		DiskStore store = DiskStore.in(scratch);
		scratch.tree("files/tree", files);
		Path repository = repository(scratch, "repository", files);
		WorkspaceCheckpoints checkpoints = checkpoints(scratch, store);
		return new Sides(Work.of(() -> {
			try (Recording recording = checkpoints.begin(store.files(), "nothing")) {
				return recording.end();
			}
		}).comparing((recorded) -> recorded.changed()), Work.of(() -> stash(repository)).comparing((commit) -> 0L));
	}

	private Sides rewind(Scratch scratch, int files) throws Exception {
		DiskStore store = DiskStore.in(scratch);
		Path tree = scratch.tree("files/tree", files);
		WorkspaceCheckpoints checkpoints = checkpoints(scratch, store);
		AtomicInteger value = new AtomicInteger();
		return new Sides(Work.of(() -> {
			try (Recording recording = checkpoints.begin(store.files(), "change")) {
				change(tree, value.incrementAndGet());
				recording.end();
			}
			return checkpoints.restore(store.files(), Range.last(1), Set.of()).value();
		}).comparing((rewind) -> true), copy(scratch, tree));
	}

	private static Work<Path> copy(Scratch scratch, Path tree) throws Exception {
		Path copy = scratch.directory("copies");
		AtomicInteger value = new AtomicInteger();
		return Work.of(() -> {
			Path target = copy.resolve(String.valueOf(value.incrementAndGet()));
			Commands.output(copy, "cp", "-r", tree.toString(), target.toString());
			return target;
		})
			.comparing((target) -> Files.exists(target))
			.then((target) -> Commands.output(copy, "rm", "-rf", target.toString()));
	}

	/**
	 * The removal of the copy counts for the trial alone.
	 */
	private Sides trial(Scratch scratch, int files) throws Exception {
		DiskStore store = DiskStore.in(scratch);
		Path tree = scratch.tree("files/tree", files);
		WorkspaceCheckpoints checkpoints = checkpoints(scratch, store);
		AtomicInteger value = new AtomicInteger();
		return new Sides(Work.of(() -> {
			try (WorkspaceTrial trial = checkpoints.trial(store.files()).value()) {
				WorkspaceFiles tried = trial.files(store.files());
				change(tried.location(store.workspace().root()).resolve("tree"), value.incrementAndGet());
				return trial.commit(tried, Set.of()).value().done();
			}
		}).comparing((done) -> done), copy(scratch, tree));
	}

}
