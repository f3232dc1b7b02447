package io.kairo.architecture.docs;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import io.kairo.architecture.Repository;

/**
 * Checks build commands against the repository: modules, files, test classes, goals and
 * system properties must exist.
 */
final class CommandSamples implements SampleChecker {

	private static final Set<String> GOALS = Set.of("clean", "compile", "test", "package", "verify", "install",
			"spring-boot:run", "spring-javaformat:apply");

	private static final Set<String> MAVEN_PROPERTIES = Set.of("skipTests", "surefire.failIfNoSpecifiedTests",
			"maven.test.skip");

	private final Repository repository;

	CommandSamples(Repository repository) {
		this.repository = repository;
	}

	@Override
	public Set<String> languages() {
		return Set.of("shell");
	}

	@Override
	public List<String> check(Sample sample) {
		return sample.text()
			.replace("\\\n", " ")
			.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty() && !line.startsWith("#"))
			.flatMap((line) -> checkCommand(line).stream())
			.toList();
	}

	/**
	 * Checks a command.
	 * @return the problems of the command; empty if it is valid
	 */
	List<String> checkCommand(String command) {
		Iterator<String> words = List.of(command.split("\\s+")).iterator();
		String program = words.next();
		return switch (program) {
			case "mvn" -> checkMaven(words);
			case "bash" -> requireFile(words.next());
			case "gradle" ->
				"build".equals(words.next()) ? List.of() : List.of("the only supported task of gradle is 'build'");
			default -> List.of("unknown command '" + program + "'");
		};
	}

	private List<String> checkMaven(Iterator<String> words) {
		List<String> problems = new ArrayList<>();
		while (words.hasNext()) {
			String word = words.next();
			if (word.equals("-pl")) {
				for (String module : words.next().split(",")) {
					problems.addAll(requireFile(module + "/pom.xml"));
				}
			}
			else if (word.equals("-f")) {
				problems.addAll(requireFile(words.next() + "/pom.xml"));
			}
			else if (word.startsWith("-Dtest=")) {
				for (String name : word.substring("-Dtest=".length()).split(",")) {
					problems.addAll(requireTest(name));
				}
			}
			else if (word.startsWith("-P")) {
				problems.addAll(requireProfile(word.substring(2)));
			}
			else if (word.startsWith("-D")) {
				problems.addAll(requireProperty(word.substring(2).split("=")[0]));
			}
			else if (!word.equals("-am") && !GOALS.contains(word)) {
				problems.add("unknown option or goal '" + word + "'");
			}
		}
		return problems;
	}

	private List<String> requireFile(String path) {
		return Files.isRegularFile(this.repository.root().resolve(path)) ? List.of()
				: List.of("there is no file " + path);
	}

	private List<String> requireProfile(String id) {
		return this.repository.read("pom.xml").contains("<id>" + id + "</id>") ? List.of()
				: List.of("pom.xml has no profile " + id);
	}

	private List<String> requireTest(String name) {
		return this.repository.files((path) -> path.endsWith(name + ".java")).isEmpty()
				? List.of("there is no test class " + name) : List.of();
	}

	private List<String> requireProperty(String name) {
		if (MAVEN_PROPERTIES.contains(name)) {
			return List.of();
		}
		return this.repository.files((path) -> path.toString().endsWith(".java") && path.toString().contains("src"))
			.stream()
			.anyMatch((path) -> this.repository.read(path.toString()).contains("\"" + name + "\"")) ? List.of()
					: List.of("no source reads the system property " + name);
	}

}
