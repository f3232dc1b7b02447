package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Fills a small disk and checks a provider with different amounts of space left, and
 * without inodes for further files.
 */
final class FullDiskProgram {

	private static final List<Integer> KIBIBYTES = List.of(0, 16, 128, 512, 1024, 2048);

	private static final List<Integer> NAMES = List.of(0, 1, 3, 8, 20, 40);

	private final Path disk;

	private final FullDiskTrial trial;

	private final List<String> arguments;

	/**
	 * Retained so that their open files use the same inodes and space throughout.
	 */
	private final List<FullDiskSubject> subjects = new ArrayList<>();

	private FullDiskProgram(Path disk, FullDiskTrial trial, List<String> arguments) {
		this.disk = disk;
		this.trial = trial;
		this.arguments = arguments;
	}

	public static void main(String[] arguments) throws Exception {
		List<String> all = List.of(arguments);
		var constructor = Class.forName(all.get(1)).asSubclass(FullDiskTrial.class).getDeclaredConstructor();
		constructor.setAccessible(true);
		FullDiskProgram program = new FullDiskProgram(Path.of(all.get(0)), constructor.newInstance(),
				all.subList(2, all.size()));
		for (int left : KIBIBYTES) {
			program.round((subject, directory) -> program.acquire(left + " KiB left", subject, directory,
					() -> FilledDisk.leavingBytes(program.disk, left * 1024L)));
		}
		for (int left : NAMES) {
			program.round((subject, directory) -> program.acquire(left + " names left", subject, directory,
					() -> FilledDisk.leavingNames(program.disk, left)));
		}
		program.round((subject, directory) -> program.change(subject, directory,
				() -> FilledDisk.leavingBytes(program.disk, 0)));
		program.round((subject, directory) -> program.change(subject, directory,
				() -> FilledDisk.leavingNames(program.disk, 0)));
		System.exit(0);
	}

	private void round(Round round) throws Exception {
		Path directory = Files.createDirectory(this.disk.resolve("round-" + this.subjects.size()));
		FullDiskSubject subject = this.trial.prepare(directory, this.arguments);
		this.subjects.add(subject);
		round.run(subject, directory);
		if (subject.registration().provider() instanceof AutoCloseable closeable) {
			closeable.close();
		}
		try (Stream<Path> left = Files.walk(directory)) {
			for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(path);
			}
		}
	}

	private void acquire(String how, FullDiskSubject subject, Path directory, Filling filling) throws IOException {
		WorkspaceProvider provider = subject.registration().provider();
		try (FilledDisk filled = filling.fill()) {
			if (isRefused(how, subject)) {
				Set<String> names = names(directory);
				long space = Files.getFileStore(this.disk).getUsableSpace();
				assertThat(isRefused(how, subject)).as("second acquire is refused, %s", how).isTrue();
				assertThat(Files.getFileStore(this.disk).getUsableSpace()).as("no space was lost, %s", how)
					.isGreaterThanOrEqualTo(space);
				assertThat(names(directory)).as("nothing was left behind, %s", how).isEqualTo(names);
			}
		}
		Workspace workspace = provider.acquire(subject.request());
		assertThat(subject.registration().files().open(workspace).tryWriteFile("file", "x").isOk())
			.as("workspace is writable once there is space, %s", how)
			.isTrue();
		provider.release(workspace.id());
	}

	private boolean isRefused(String how, FullDiskSubject subject) {
		try {
			Workspace workspace = subject.registration().provider().acquire(subject.request());
			subject.registration().provider().release(workspace.id());
			return false;
		}
		catch (WorkspaceException ex) {
			assertFull(how, ex.code(), String.valueOf(ex.getMessage()));
			return true;
		}
	}

	private static void assertRefused(String what, Runnable change) {
		WorkspaceException refusal = catchThrowableOfType(WorkspaceException.class, change::run);
		assertThat(refusal).as(what).isNotNull();
		assertFull(what, refusal.code(), String.valueOf(refusal.getMessage()));
	}

	private static void assertFull(String how, WorkspaceErrorCode code, String message) {
		assertThat(code).as("%s: %s", how, message).isEqualTo(WorkspaceErrorCode.WRITE_FAILED);
		assertThat(message).as(how).containsPattern("(?i)space|disk is full").containsPattern(".: [a-z]");
	}

	private void change(FullDiskSubject subject, Path directory, Filling filling) throws IOException {
		WorkspaceProvider provider = subject.registration().provider();
		Workspace workspace = provider.acquire(subject.request());
		WorkspaceFiles files = subject.registration().files().open(workspace);
		files.tryWriteFile("kept", "old").value();
		String large = "x".repeat(100_000);
		Map<String, Supplier<WorkspaceResult<?>>> changes = Map.of("a longer file",
				() -> files.tryWriteFile("kept", large), "a new file", () -> files.tryWriteFile("made/new", large),
				"an exchange", () -> files.tryCompareExchange("kept", "old", large));
		Set<String> names = names(directory);
		try (FilledDisk filled = filling.fill()) {
			changes.forEach((what, change) -> {
				WorkspaceResult<?> result = change.get();
				assertThat(result).as(what).isInstanceOf(WorkspaceResult.Failure.class);
				WorkspaceResult.Failure<?> failure = (WorkspaceResult.Failure<?>) result;
				assertFull(what, failure.code(), failure.message());
				assertThat(files.tryReadFile("kept").value().content()).as(what).isEqualTo("old");
				assertThat(names(directory)).as("nothing was left behind by %s", what).isEqualTo(names);
			});
			subject.others().forEach((what, other) -> {
				assertRefused(what, other);
				// includes files created by the first attempt
				Set<String> before = names(directory);
				assertRefused(what, other);
				assertThat(names(directory)).as("nothing was left behind by %s", what).isEqualTo(before);
			});
		}
		files.tryWriteFile("kept", large).value();
		subject.others().values().forEach(Runnable::run);
		provider.release(workspace.id());
	}

	private static Set<String> names(Path directory) {
		try (Stream<Path> below = Files.walk(directory)) {
			return below.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A check with a provider of its own.
	 */
	@FunctionalInterface
	private interface Round {

		void run(FullDiskSubject subject, Path directory) throws IOException;

	}

	/**
	 * Fills the disk.
	 */
	@FunctionalInterface
	private interface Filling {

		FilledDisk fill() throws IOException;

	}

}
