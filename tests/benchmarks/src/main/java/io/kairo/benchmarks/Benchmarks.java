package io.kairo.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Measures all rows, or those whose names contain one of the arguments, and prints a
 * table in Markdown and what is held by a session, a command and a workspace. With
 * {@code --quick} it only checks that both sides of each row have the same result, with
 * {@code --tree=DIRECTORY} it searches that directory, and with {@code --write} it also
 * writes the tables into {@code docs/generated/performance.md}.
 */
public final class Benchmarks {

	private static final String TREE = "--tree=";

	private static final Path PAGE = Path.of("..", "..", "docs", "generated", "performance.md");

	private final Scratch scratch;

	private final Sizes sizes;

	private final boolean quick;

	private final @Nullable Path tree;

	Benchmarks(Scratch scratch, boolean quick, @Nullable Path tree) {
		this.scratch = scratch;
		this.sizes = quick ? Sizes.SMALL : Sizes.FULL;
		this.quick = quick;
		this.tree = tree;
	}

	List<Comparison> comparisons() {
		List<Comparison> comparisons = new ArrayList<>();
		comparisons.addAll(new FileBenchmarks(this.sizes).comparisons());
		comparisons.addAll(new CheckpointBenchmarks(this.sizes).comparisons());
		comparisons.addAll(AuditBenchmarks.comparisons());
		comparisons.addAll(new SearchBenchmarks(this.scratch, this.sizes, this.tree).comparisons());
		comparisons.addAll(new CommandBenchmarks(this.sizes).comparisons());
		comparisons.addAll(new DockerBenchmarks().comparisons());
		comparisons.addAll(new MicroVmBenchmarks().comparisons());
		comparisons.addAll(new RemoteBenchmarks(this.sizes).comparisons());
		comparisons.addAll(new StartBenchmarks().comparisons());
		comparisons.addAll(new McpBenchmarks(this.quick ? 1 : 2000).comparisons());
		comparisons.addAll(LeaseBenchmarks.comparisons());
		comparisons.addAll(new GitBenchmarks(this.sizes).comparisons());
		comparisons.addAll(S3Benchmarks.comparisons());
		comparisons.addAll(new EphemeralBenchmarks(this.sizes).comparisons());
		comparisons.addAll(new AgentTreeBenchmarks(this.sizes).comparisons());
		return comparisons;
	}

	List<Costs.Cost> costs() {
		return new Costs(this.sizes).all();
	}

	/**
	 * Returns the row of a comparison.
	 * @throws IllegalStateException if the results of both sides differ
	 */
	String row(Comparison comparison) throws Exception {
		try (Scratch row = new Scratch(this.scratch.directory())) {
			Comparison.Sides sides = comparison.preparation().prepare(row);
			if (this.quick) {
				SideBySide.requireSameResult(comparison, sides);
				return Measurement.remark(comparison, "same result");
			}
			return SideBySide.create().measure(comparison, sides).row(comparison);
		}
		catch (NotMeasuredException ex) {
			return Measurement.remark(comparison, "not measured: " + ex.reason());
		}
	}

	String row(Costs.Cost cost) throws Exception {
		try (Scratch row = new Scratch(this.scratch.directory())) {
			return cost.row(row);
		}
	}

	private void run(Predicate<String> named, Consumer<String> out) throws Exception {
		List<IllegalStateException> failures = new ArrayList<>();
		out.accept(machine());
		out.accept("");
		out.accept(Measurement.HEADING);
		for (Comparison comparison : comparisons()) {
			if (named.test(comparison.name())) {
				try {
					out.accept(row(comparison));
				}
				catch (IllegalStateException ex) {
					failures.add(ex);
					out.accept(Measurement.remark(comparison, "**failed**"));
				}
			}
		}
		out.accept("");
		out.accept(Costs.HEADING);
		for (Costs.Cost cost : costs()) {
			if (named.test(cost.name())) {
				out.accept(row(cost));
			}
		}
		if (!failures.isEmpty()) {
			IllegalStateException first = failures.remove(0);
			failures.forEach(first::addSuppressed);
			throw first;
		}
	}

	private static String machine() {
		return String.format(Locale.ROOT, "%s, Java %s, %s %s, %d processors, load %.1f:",
				LocalDate.now(ZoneOffset.UTC), Runtime.version(), System.getProperty("os.name"),
				System.getProperty("os.version"), Runtime.getRuntime().availableProcessors(),
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
	}

	/**
	 * Measures and prints.
	 * @param arguments options, and parts of names
	 * @throws Exception if a call fails, or its result is not that of its anchor
	 */
	public static void main(String[] arguments) throws Exception {
		System.setProperty("slf4j.internal.verbosity", "WARN");
		System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
		List<String> options = List.of(arguments);
		List<String> names = options.stream()
			.filter((argument) -> !argument.startsWith("--"))
			.map((argument) -> argument.toLowerCase(Locale.ROOT))
			.toList();
		Path tree = options.stream()
			.filter((argument) -> argument.startsWith(TREE))
			.map((argument) -> Path.of(argument.substring(TREE.length())))
			.findFirst()
			.orElse(null);
		requireUsable(options, names, tree);
		Path target = Path.of("target");
		Path parent = Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir"));
		List<String> report = new ArrayList<>();
		try (Scratch scratch = new Scratch(parent)) {
			new Benchmarks(scratch, options.contains("--quick"), tree).run(
					(name) -> names.isEmpty() || names.stream().anyMatch(name.toLowerCase(Locale.ROOT)::contains),
					(line) -> {
						System.out.println(line);
						report.add(line);
					});
		}
		if (options.contains("--write")) {
			write(report);
		}
	}

	private static void requireUsable(List<String> options, List<String> names, @Nullable Path tree) {
		options.stream()
			.filter((argument) -> argument.startsWith("--") && !argument.startsWith(TREE)
					&& !List.of("--quick", "--write").contains(argument))
			.findFirst()
			.ifPresent((argument) -> {
				throw new IllegalArgumentException(
						"The option '" + argument + "' is unknown: use --quick, --tree=DIRECTORY or --write");
			});
		if (tree != null && !Files.isDirectory(tree)) {
			throw new IllegalArgumentException("The tree '" + tree + "' is not a directory: give one to search");
		}
		if (options.contains("--write") && (!names.isEmpty() || options.contains("--quick"))) {
			throw new IllegalArgumentException(
					"--write needs the measurements of all rows: remove --quick and " + names);
		}
	}

	/**
	 * Replaces the lines between the comments that name this JDK.
	 */
	private static void write(List<String> report) throws IOException {
		String begin = "<!-- measured by benchmarks on JDK " + Runtime.version().feature() + " -->";
		List<String> page = new ArrayList<>(Files.readAllLines(PAGE));
		int from = page.indexOf(begin) + 1;
		int to = page.subList(from, page.size()).indexOf("<!-- end -->");
		if (from == 0 || to < 0) {
			throw new IllegalStateException(PAGE + " has no line '" + begin + "' with an end: add it");
		}
		page.subList(from, from + to).clear();
		page.addAll(from, report);
		Files.write(PAGE, page);
	}

}
