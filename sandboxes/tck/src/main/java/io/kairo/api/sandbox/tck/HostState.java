package io.kairo.api.sandbox.tck;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The resources of the host that this JVM holds: open files, threads, child processes,
 * mounts, control groups and temporary files. Resources of other programs are left out.
 *
 * @param entries unique names of the resources
 */
record HostState(Set<String> entries) {

	/** Threads that the JVM, a library or the tests keep. */
	private static final List<String> OTHERS = List.of("process reaper", "awaitility", "ForkJoinPool", "junit-",
			"Common-Cleaner", "Attach Listener", "surefire", "CompletableFutureDelayScheduler", "parallel-",
			"boundedElastic-", "reactor-http-", "globalEventExecutor-");

	/**
	 * Before Java 21, an HTTP client cannot be closed: its threads end when it is
	 * garbage.
	 */
	private static final String HTTP_CLIENT = (Runtime.version().feature() < 21) ? "HttpClient-" : "kairo-none-";

	/**
	 * Captures the current state.
	 * @param scene a text in the names of the mounts of a test
	 */
	static HostState now(String scene) {
		Set<String> entries = new TreeSet<>();
		String pid = Long.toString(ProcessHandle.current().pid());
		Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> OTHERS.stream().noneMatch(thread.getName()::startsWith))
			.filter((thread) -> !thread.getName().startsWith(HTTP_CLIENT))
			.forEach((thread) -> entries.add("thread " + thread.getId() + " " + thread.getName()));
		ProcessHandle.current().children().forEach((child) -> entries.add("process " + child.pid()));
		openFiles().forEach((target) -> entries.add("open " + target));
		lines(Path.of("/proc/self/mountinfo")).filter((line) -> line.contains(scene) || line.contains("kairo"))
			.forEach((line) -> entries.add("mount " + line));
		below(Path.of("/sys/fs/cgroup")).filter((path) -> path.toString().contains("-" + pid + "-"))
			.forEach((path) -> entries.add("control group " + path));
		Stream.of(System.getProperty("java.io.tmpdir"), "/dev/shm")
			.map(Path::of)
			.flatMap((directory) -> names(directory).map(directory::resolve))
			.filter((file) -> Stream.concat(Stream.of(file.toString()), names(file))
				.anyMatch((name) -> name.contains("-" + pid + "-")))
			.forEach((file) -> entries.add("temporary file " + file));
		return new HostState(entries);
	}

	void assertNothingMore(String scene) {
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.atMost(Trial.PATIENCE)
			.untilAsserted(() -> {
				Set<String> more = new TreeSet<>(now(scene).entries);
				more.removeAll(this.entries);
				assertThat(more).as("leftovers").isEmpty();
			});
	}

	/**
	 * Returns the open files except for the class path, whose files are opened on demand.
	 */
	private static Set<String> openFiles() {
		String home = System.getProperty("java.home");
		Set<String> targets = new TreeSet<>();
		names(Path.of("/proc/self/fd")).forEach((name) -> {
			try {
				String target = Files.readSymbolicLink(Path.of("/proc/self/fd", name)).toString();
				if (!target.endsWith(".jar") && !target.startsWith(home) && !target.startsWith("/proc/")
						&& !target.startsWith("/dev/")) {
					targets.add(target);
				}
			}
			catch (IOException ex) {
				// the file was closed meanwhile, as the directory stream always is
			}
		});
		return targets;
	}

	private static Stream<String> names(Path directory) {
		String[] names = directory.toFile().list();
		return (names != null) ? Stream.of(names) : Stream.empty();
	}

	private static Stream<String> lines(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			return Stream.empty();
		}
	}

	private static Stream<Path> below(Path directory) {
		File[] files = directory.toFile().listFiles(File::isDirectory);
		if (files == null) {
			return Stream.empty();
		}
		return Stream.of(files)
			.flatMap((file) -> Stream.concat(Stream.of(file.toPath()), below(file.toPath())))
			.collect(Collectors.toList())
			.stream();
	}

}
