package io.kairo.architecture.parity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the differences between two builds.
 */
final class BuildDrift {

	private final List<String> differences = new ArrayList<>();

	private BuildDrift() {
	}

	/**
	 * Compares the builds.
	 * @return a sentence for each difference, none if the builds agree
	 */
	static List<String> between(Build maven, Build gradle) {
		BuildDrift drift = new BuildDrift();
		drift.compare("the group", maven.group(), gradle.group());
		drift.compare("the version of the project", maven.version(), gradle.version());
		drift.compareEach("the version named", maven.versions(), gradle.versions());
		drift.compareEach("the BOM", maven.platforms(), gradle.platforms());
		drift.compareEach("the compiler argument", presence(maven.compilerArguments()),
				presence(gradle.compilerArguments()));
		drift.compareModules(maven.modules(), gradle.modules());
		return drift.differences;
	}

	private void compareModules(Map<String, Build.Module> maven, Map<String, Build.Module> gradle) {
		compareEach("the module", presence(maven.keySet()), presence(gradle.keySet()));
		for (String name : union(maven, gradle)) {
			Build.Module left = maven.get(name);
			Build.Module right = gradle.get(name);
			if (left == null || right == null) {
				continue;
			}
			compare(name + ": the artifact", left.artifact(), right.artifact());
			compareEach(name + ": the dependency", left.dependencies(), right.dependencies());
			compareEach(name + ": the annotation processor", left.processors(), right.processors());
		}
	}

	private void compareEach(String what, Map<String, ?> maven, Map<String, ?> gradle) {
		union(maven, gradle).forEach((key) -> compare(what + " " + key, maven.get(key), gradle.get(key)));
	}

	private void compare(String what, Object maven, Object gradle) {
		if (!Objects.equals(maven, gradle)) {
			this.differences.add(what + " is " + Objects.requireNonNullElse(maven, "missing") + " in Maven and "
					+ Objects.requireNonNullElse(gradle, "missing") + " in Gradle");
		}
	}

	private static Map<String, String> presence(Collection<String> names) {
		return names.stream().collect(Collectors.toMap((name) -> name, (name) -> "there"));
	}

	private static TreeSet<String> union(Map<String, ?> left, Map<String, ?> right) {
		TreeSet<String> names = new TreeSet<>(left.keySet());
		names.addAll(right.keySet());
		return names;
	}

}
