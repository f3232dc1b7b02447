package io.kairo.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.benchmarks.Comparison.Sides;

/**
 * A JVM that starts a Spring MVC application with the starter beside one that starts the
 * same application without it.
 */
final class StartBenchmarks {

	/** The modules and libraries of the application. */
	private static final String APPLICATION = "(kairo-)?benchmarks|spring-|tomcat|micrometer|"
			+ "jackson-(?!(core|databind)-2)|logback|log4j|slf4j|jul-to|jakarta|snakeyaml|jspecify|commons-logging|"
			+ "HdrHistogram|LatencyUtils";

	/** The modules and libraries that the starter adds. */
	private static final String STARTER = "kairo-spring-boot-|(kairo-)?(workspace-(spi|local|search)|host-support|"
			+ "linux-native|sandbox-(spi|support|local)|agent-tools)|reactor-core|reactive-streams|re2j|jsonschema|"
			+ "classmate|java-diff-utils|juniversalchardet";

	List<Comparison> comparisons() {
		return List
			.of(new Comparison("start of a Spring MVC application with the starter", "the same application without it",
					1.1, (scratch) -> new Sides(start(scratch, true), start(scratch, false))));
	}

	private static Work<?> start(Scratch scratch, boolean kairo) throws IOException {
		String[] command = { Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath(kairo ? APPLICATION + "|" + STARTER : APPLICATION), StartedApplication.class.getName(),
				"--server.port=0", "--kairo.state-dir=" + scratch.directory("state"),
				"--kairo.workspace.roots=" + scratch.directory("root") };
		return Work.of(() -> {
			Process process = Commands.start(command);
			awaitLine(process, StartedApplication.STARTED + kairo);
			return process;
		}).comparing((process) -> "started").then((process) -> process.destroyForcibly().waitFor());
	}

	private static void awaitLine(Process process, String line) {
		if (process.inputReader().lines().noneMatch(line::equals)) {
			throw new IllegalStateException("The application did not print '" + line + "'");
		}
	}

	/**
	 * Returns the entries of the class path that have one of the names. The name of a
	 * module is the same whether it is a directory of classes or a jar.
	 */
	private static String classPath(String names) {
		Pattern pattern = Pattern.compile("(" + names + ").*");
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> pattern.matcher(name(entry)).matches())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static String name(String entry) {
		String path = entry.replaceFirst("/target/classes$", "");
		return path.substring(path.lastIndexOf('/') + 1);
	}

}
