package io.kairo.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
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
			+ "linux-native|sandbox-(spi|support|local)|agent-(governance|tools))|reactor-core|reactive-streams|"
			+ "re2j|jsonschema|classmate|java-diff-utils|juniversalchardet";

	List<Comparison> comparisons() {
		return List.of(comparison("", "", ""),
				comparison(", with a class data archive", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),
				comparison(", with an AOT cache", "-XX:AOTCacheOutput=", "-XX:AOTCache="));
	}

	/**
	 * Compares starts with a cache.
	 * @param make the option that makes the cache, empty for none
	 * @param use the option that uses it
	 */
	private static Comparison comparison(String cache, String make, String use) {
		return new Comparison("start of a Spring MVC application with the starter" + cache,
				"the same application without it", 1.12,
				(scratch) -> new Sides(start(scratch, true, make, use), start(scratch, false, make, use)));
	}

	private static Work<?> start(Scratch scratch, boolean kairo, String make, String use)
			throws IOException, InterruptedException, NotMeasuredException {
		List<String> options = new ArrayList<>();
		if (!make.isEmpty()) {
			Path cache = scratch.directory().resolve("cache-" + kairo);
			Process training = Commands
				.start(command(scratch, kairo, List.of(make + cache, "-Dspring.context.exit=onRefresh")));
			training.getInputStream().transferTo(OutputStream.nullOutputStream());
			training.waitFor();
			if (!Files.exists(cache)) {
				throw new NotMeasuredException("this JDK does not know `" + make + "`");
			}
			options.add(use + cache);
		}
		String[] command = command(scratch, kairo, options);
		return Work.of(() -> {
			Process process = Commands.start(command);
			awaitLine(process, StartedApplication.STARTED + kairo);
			return process;
		}).comparing((process) -> "started").then((process) -> process.destroyForcibly().waitFor());
	}

	private static String[] command(Scratch scratch, boolean kairo, List<String> options) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(options);
		command.addAll(
				List.of("-cp", classPath(kairo ? APPLICATION + "|" + STARTER : APPLICATION, scratch.directory("jars")),
						StartedApplication.class.getName(), "--server.port=0",
						"--kairo.state-dir=" + scratch.directory("state"),
						"--kairo.workspace.roots=" + scratch.directory("root")));
		return command.toArray(String[]::new);
	}

	private static void awaitLine(Process process, String line) {
		List<String> printed = new ArrayList<>();
		if (process.inputReader().lines().peek(printed::add).noneMatch(line::equals)) {
			throw new IllegalStateException(
					"The application did not print '" + line + "', but:\n" + String.join("\n", printed));
		}
	}

	/**
	 * Returns the entries of the class path that have one of the names. The name of a
	 * module is the same whether it is a directory of classes or a jar.
	 */
	private static String classPath(String names, Path jars) throws IOException {
		Pattern pattern = Pattern.compile("(" + names + ").*");
		List<String> entries = new ArrayList<>();
		for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator))) {
			if (pattern.matcher(name(entry)).matches()) {
				entries.add(Files.isDirectory(Path.of(entry)) ? jar(Path.of(entry), jars.resolve(name(entry) + ".jar"))
						: entry);
			}
		}
		return String.join(File.pathSeparator, entries);
	}

	private static String name(String entry) {
		String path = entry.replaceFirst("/target/classes$", "")
			.replace("/workspaces/", "/workspace-")
			.replace("/sandboxes/", "/sandbox-")
			.replace("/host/support", "/host-support");
		return path.substring(path.lastIndexOf('/') + 1);
	}

	/**
	 * Returns the jar of a directory of classes, as an application has it: every class is
	 * searched in all the directories that come before it.
	 */
	private static String jar(Path classes, Path jar) throws IOException {
		if (!Files.exists(jar)) {
			Manifest manifest = new Manifest();
			manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
			manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
			try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
					Stream<Path> files = Files.walk(classes)) {
				for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
					out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
					Files.copy(file, out);
				}
			}
		}
		return jar.toString();
	}

}
