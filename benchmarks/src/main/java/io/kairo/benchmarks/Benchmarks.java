package io.kairo.benchmarks;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures what is named by the arguments, and everything without arguments, and prints a
 * table in Markdown. An argument is a part of the name of a comparison.
 */
public final class Benchmarks {

	private static final int WARM_UPS = 4;

	private static final int ROUNDS = 9;

	private Benchmarks() {
	}

	/**
	 * Measures and prints.
	 * @param arguments parts of names
	 * @throws Exception if a call fails or does not come to what its anchor comes to
	 */
	public static void main(String[] arguments) throws Exception {
		Path target = Path.of("target");
		Path parent = Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir"));
		SideBySide sideBySide = new SideBySide(WARM_UPS, ROUNDS);
		System.out.println(machine());
		System.out.println();
		System.out.println(Measurement.HEADING);
		try (Scratch scratch = new Scratch(parent);
				CommandBenchmarks commands = new CommandBenchmarks(scratch, Sizes.FULL);
				LeaseBenchmarks leases = new LeaseBenchmarks(scratch);
				EphemeralBenchmarks ephemeral = new EphemeralBenchmarks(scratch, Sizes.FULL);
				GitBenchmarks git = new GitBenchmarks(scratch, Sizes.FULL.gitFiles());
				BubblewrapBenchmarks confined = new BubblewrapBenchmarks(scratch);
				DockerBenchmarks contained = new DockerBenchmarks(scratch)) {
			List<Comparison> comparisons = new ArrayList<>(new FileBenchmarks(scratch, Sizes.FULL).comparisons());
			comparisons.addAll(commands.comparisons());
			comparisons.addAll(confined.comparisons());
			comparisons.addAll(contained.comparisons());
			comparisons.addAll(leases.comparisons());
			comparisons.addAll(git.comparisons());
			comparisons.addAll(ephemeral.comparisons());
			comparisons.addAll(new AgentTreeBenchmarks(100_000).comparisons());
			for (Comparison comparison : comparisons) {
				if (isNamed(comparison, arguments)) {
					System.out.println(sideBySide.measure(comparison).row());
				}
			}
		}
	}

	private static boolean isNamed(Comparison comparison, String[] arguments) {
		String name = comparison.name().toLowerCase(Locale.ROOT);
		return arguments.length == 0
				|| List.of(arguments).stream().anyMatch((part) -> name.contains(part.toLowerCase(Locale.ROOT)));
	}

	private static String machine() {
		return String.format(Locale.ROOT, "Java %s, %s %s, %d processors, load %.1f", Runtime.version(),
				System.getProperty("os.name"), System.getProperty("os.version"),
				Runtime.getRuntime().availableProcessors(),
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
	}

}
