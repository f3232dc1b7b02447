package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.search.FileFilter;
import io.kairo.workspace.search.GlobQuery;
import io.kairo.workspace.search.GrepOutput;
import io.kairo.workspace.search.GrepQuery;
import io.kairo.workspace.search.LineContext;
import io.kairo.workspace.search.SearchLimits;
import io.kairo.workspace.search.SearchPattern;
import io.kairo.workspace.search.SearchSlice;
import io.kairo.workspace.search.WorkspaceSearch;
import org.jspecify.annotations.Nullable;

/**
 * The search beside ripgrep with the same ignore rules, in one tree for all rows.
 */
final class SearchBenchmarks {

	private static final List<String> RIPGREP = List.of("rg", "--no-config", "--no-require-git", "--no-ignore-parent",
			"--no-ignore-global", "--no-ignore-exclude", "--max-filesize", "64M", "--color", "never");

	private static final SearchLimits LIMITS = SearchLimits.DEFAULTS.withDeadline(Duration.ofMinutes(2));

	private final Scratch scratch;

	private final Sizes sizes;

	private @Nullable Path tree;

	/**
	 * Creates the rows.
	 * @param tree the directory to search, or null for a generated one
	 */
	SearchBenchmarks(Scratch scratch, Sizes sizes, @Nullable Path tree) {
		this.scratch = scratch;
		this.sizes = sizes;
		this.tree = tree;
	}

	List<Comparison> comparisons() {
		double literal = Jdk.target(0.6, 1.3);
		double regex = Jdk.target(0.7, 1.5);
		return List.of(grep("rare literal", SourceTree.RARE, literal),
				grep("common literal", SourceTree.COMMON, literal),
				grep("regex with a required literal", SourceTree.COMMON + " [a-z]+\\(", regex),
				grep("regex without a literal", "[a-z][0-9]{4}[a-z]", 2),
				grep("two literals", SourceTree.RARE + "|" + SourceTree.RARE_TOO, regex),
				new Comparison("Grep, first 500 hits of a common literal", rg(SourceTree.COMMON) + ", all hits", 0.05,
						(row) -> sides(SourceTree.COMMON, 500)),
				new Comparison("Glob `*.java`, newest first", "`rg --files --sortr modified -g '*.java'`", 0.6,
						(row) -> glob("*.java")));
	}

	private Comparison grep(String what, String pattern, double target) {
		return new Comparison("Grep, " + what + ", all hits", rg(pattern), target,
				(row) -> sides(pattern, SearchSlice.MAX_END));
	}

	private static String rg(String pattern) {
		return "`rg -n '" + pattern + "'`";
	}

	private Sides sides(String pattern, int limit) throws IOException, NotMeasuredException {
		DiskStore store = store();
		WorkspaceSearch search = new WorkspaceSearch(store.files(), LIMITS);
		GrepQuery query = new GrepQuery(store.files().root(), SearchPattern.of(pattern), FileFilter.ALL,
				GrepOutput.LINES, LineContext.NONE, new SearchSlice(0, limit));
		return new Sides(Work.of(() -> search.grep(query, () -> false).value()).comparing((report) -> {
			List<String> found = new ArrayList<>();
			report.files()
				.forEach((file) -> file.lines()
					.forEach((line) -> found.add(file.path().relative() + ":" + line.number())));
			return found;
		}), rg(store, "-n", "--no-heading", "--null", "-e", pattern, "./")
			.comparing((output) -> text(output).filter((line) -> line.indexOf('\0') >= 0)
				.map(Hit::parse)
				.sorted(Comparator.comparing(Hit::path).thenComparing(Hit::number))
				.limit(limit)
				.map((hit) -> hit.path() + ":" + hit.number())
				.toList()));
	}

	private Sides glob(String glob) throws IOException, NotMeasuredException {
		DiskStore store = store();
		WorkspaceSearch search = new WorkspaceSearch(store.files(), LIMITS);
		GlobQuery query = new GlobQuery(store.files().root(), glob, new SearchSlice(0, SearchSlice.MAX_END));
		return new Sides(
				Work.of(() -> search.glob(query, () -> false).value())
					.comparing((report) -> newestFirst(store,
							report.files().stream().map((file) -> file.path().relative()).toList())),
				rg(store, "--files", "--sortr", "modified", "-g", glob, "./")
					.comparing((output) -> text(output).sorted().toList()));
	}

	/**
	 * Returns the paths in an order of their own, after a check that they are in the
	 * order of their times. Those of ripgrep are in that order within each directory
	 * only.
	 */
	private static Object newestFirst(DiskStore store, List<String> paths) throws IOException {
		List<FileTime> times = new ArrayList<>();
		for (String path : paths) {
			times.add(Files.getLastModifiedTime(store.directory().resolve(path)));
		}
		List<FileTime> ordered = times.stream().sorted(Comparator.reverseOrder()).toList();
		return times.equals(ordered) ? paths.stream().sorted().toList() : times;
	}

	private static Work<byte[]> rg(DiskStore store, String... arguments) {
		List<String> command = new ArrayList<>(RIPGREP);
		command.addAll(List.of(arguments));
		return Work.of(() -> Commands.output(store.directory(), command.toArray(String[]::new)));
	}

	private static Stream<String> text(byte[] output) {
		return new String(output, StandardCharsets.UTF_8).lines()
			.map((line) -> line.startsWith("./") ? line.substring(2) : line);
	}

	private DiskStore store() throws IOException, NotMeasuredException {
		Commands.require("rg");
		if (this.tree == null) {
			this.tree = SourceTree.create(this.scratch.directory("sources"), this.sizes.searchFiles());
		}
		return DiskStore.of(Objects.requireNonNull(this.tree), this.scratch.directory("state"));
	}

	private record Hit(String path, long number) {

		static Hit parse(String line) {
			int end = line.indexOf('\0');
			return new Hit(line.substring(0, end), Long.parseLong(line.substring(end + 1, line.indexOf(':', end))));
		}

	}

}
