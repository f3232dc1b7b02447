package io.kairo.architecture.parity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.architecture.parity.Build.Dependency;
import io.kairo.architecture.parity.Build.Scope;

/**
 * Reads the Maven build from its {@code pom.xml} files.
 */
final class MavenBuild {

	private static final String COMPILER = "maven-compiler-plugin";

	private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]*)}");

	private final Pom parent;

	private final UnaryOperator<String> files;

	private final Map<String, String> properties = new LinkedHashMap<>();

	private final Map<String, String> managed = new LinkedHashMap<>();

	private final Map<String, String> platforms = new LinkedHashMap<>();

	private MavenBuild(UnaryOperator<String> files) {
		this.files = files;
		this.parent = Pom.parse("pom.xml", files.apply("pom.xml"));
	}

	/**
	 * Reads the build.
	 * @param files a function that returns the text of the file at a path such as
	 * {@code module/pom.xml}
	 */
	static Build read(UnaryOperator<String> files) {
		return new MavenBuild(files).read();
	}

	private Build read() {
		refuse(this.parent, "dependencies");
		this.parent.all("profiles", "profile").forEach((profile) -> profile.allowOnly("id", "properties", "build"));
		this.parent.all("profiles", "profile", "properties")
			.forEach((changed) -> changed.allowOnly("error-prone.checks"));
		this.parent.all("properties")
			.forEach((properties) -> properties.children()
				.forEach((property) -> this.properties.put(property.name(), property.text())));
		this.properties.put("project.version", this.parent.required("version"));
		this.parent.all("dependencyManagement", "dependencies", "dependency").forEach(this::readManaged);
		Map<String, Build.Module> modules = new LinkedHashMap<>();
		this.parent.all("modules", "module").forEach((module) -> modules.put(module.text(), readModule(module.text())));
		return new Build(this.parent.required("groupId"), this.parent.required("version"), namedVersions(),
				this.platforms, compilerArguments(), modules);
	}

	private Map<String, String> namedVersions() {
		Map<String, String> versions = new LinkedHashMap<>();
		this.properties.forEach((name, value) -> {
			if (name.endsWith(".version") && !name.startsWith("project.")) {
				versions.put(name.substring(0, name.length() - ".version".length()), value);
			}
		});
		return versions;
	}

	private void readManaged(Pom dependency) {
		dependency.allowOnly("groupId", "artifactId", "version", "type", "scope");
		String version = interpolate(dependency.required("version"));
		if (dependency.optional("scope").orElse("").equals("import")) {
			this.platforms.put(coordinates(dependency), version);
		}
		else if (dependency.required("groupId").equals(this.parent.required("groupId"))) {
			this.managed.put(coordinates(dependency),
					version.equals(this.parent.required("version")) ? Dependency.MANAGED : version);
		}
		else {
			this.managed.put(coordinates(dependency), version);
		}
	}

	private Build.Module readModule(String directory) {
		String file = directory + "/pom.xml";
		Pom pom = Pom.parse(file, this.files.apply(file));
		if (pom.optional("packaging").orElse("jar").equals("pom")) {
			return readBom(pom);
		}
		refuse(pom, "dependencyManagement", "groupId", "version");
		for (String name : List.of("groupId", "artifactId", "version")) {
			if (!pom.required("parent", name).equals(this.parent.required(name))) {
				throw pom.unsupported("has a parent with another " + name + " than " + this.parent.required(name));
			}
		}
		Map<String, Dependency> dependencies = new LinkedHashMap<>();
		Stream.concat(pom.all("dependencies", "dependency").stream(), contractTests(pom).stream())
			.forEach((dependency) -> {
				if (dependencies.put(coordinates(dependency), dependency(dependency)) != null) {
					throw dependency.unsupported("is declared twice");
				}
			});
		Map<String, String> processors = processors(this.parent);
		processors.putAll(processors(pom));
		return new Build.Module(pom.required("artifactId"), dependencies, processors);
	}

	private Build.Module readBom(Pom pom) {
		refuse(pom, "parent", "dependencies", "properties", "profiles");
		for (String name : List.of("groupId", "version")) {
			if (!pom.required(name).equals(this.parent.required(name))) {
				throw pom.unsupported("has another " + name + " than " + this.parent.required(name));
			}
		}
		Map<String, Dependency> constraints = new LinkedHashMap<>();
		for (Pom dependency : pom.all("dependencyManagement", "dependencies", "dependency")) {
			dependency.allowOnly("groupId", "artifactId", "version");
			String version = interpolate(dependency.required("version"));
			constraints.put(coordinates(dependency), new Dependency(Scope.CONSTRAINT,
					version.equals(this.parent.required("version")) ? Dependency.MANAGED : version));
		}
		return new Build.Module(pom.required("artifactId"), constraints, Map.of());
	}

	/**
	 * Returns the dependencies of the profile that a module may have for them: the test
	 * kits, which are omitted if tests are not compiled. A profile for a JDK has only
	 * plug-ins, which are not compared.
	 */
	private static List<Pom> contractTests(Pom pom) {
		List<Pom> found = new ArrayList<>();
		for (Pom profiles : pom.all("profiles")) {
			profiles.allowOnly("profile");
			if (profiles.children().size() == 1 && profiles.children().get(0).required("id").equals("foreign-calls")) {
				profiles.children().get(0).allowOnly("id", "activation", "build");
				profiles.children().get(0).required("activation", "jdk");
				continue;
			}
			Pom profile = profiles.children().stream().findFirst().orElse(profiles);
			profile.allowOnly("id", "activation", "dependencies");
			if (profiles.children().size() != 1 || !profile.required("id").equals("contract-tests")
					|| !profile.required("activation", "property", "name").equals("maven.test.skip")
					|| !profile.required("activation", "property", "value").equals("!true")) {
				throw profiles.unsupported(
						"is not the profile contract-tests alone, active unless the property maven.test.skip is true");
			}
			found.addAll(profile.all("dependencies", "dependency"));
		}
		for (Pom dependency : found) {
			if (!dependency.required("scope").equals("test")) {
				throw dependency.unsupported("is in a profile and has another scope than test");
			}
		}
		return found;
	}

	private Dependency dependency(Pom dependency) {
		dependency.allowOnly("groupId", "artifactId", "version", "scope", "optional");
		boolean optional = dependency.optional("optional").orElse("false").equals("true");
		Scope scope = switch (dependency.optional("scope").orElse("compile")) {
			case "compile" -> optional ? Scope.OPTIONAL : Scope.COMPILE;
			case "runtime" -> Scope.RUNTIME;
			case "test" -> Scope.TEST;
			default -> throw dependency.unsupported("has a scope without an equivalent in the other build");
		};
		String version = dependency.optional("version")
			.map(this::interpolate)
			.orElseGet(() -> this.managed.getOrDefault(coordinates(dependency), Dependency.MANAGED));
		return new Dependency(scope, version);
	}

	private Map<String, String> processors(Pom pom) {
		Map<String, String> processors = new LinkedHashMap<>();
		for (Pom configuration : compilerConfigurations(pom)) {
			for (Pom paths : configuration.all("annotationProcessorPaths")) {
				if (pom != this.parent && !paths.element().getAttribute("combine.children").equals("append")) {
					throw paths.unsupported("replaces the processors of the parent instead of adding to them");
				}
				paths.all("path")
					.forEach((path) -> processors.put(coordinates(path), interpolate(path.required("version"))));
			}
		}
		return processors;
	}

	private List<String> compilerArguments() {
		return compilerConfigurations(this.parent).stream()
			.flatMap((configuration) -> configuration.all("compilerArgs", "arg").stream())
			.map(Pom::text)
			.map(this::interpolate)
			.toList();
	}

	private static List<Pom> compilerConfigurations(Pom pom) {
		List<Pom> configurations = new ArrayList<>();
		pom.all("build", "plugins", "plugin")
			.stream()
			.filter((plugin) -> plugin.required("artifactId").equals(COMPILER))
			.flatMap((plugin) -> plugin.all("executions", "execution").stream())
			.filter((execution) -> execution.required("id").equals("default-compile"))
			.forEach((execution) -> configurations.addAll(execution.all("configuration")));
		return configurations;
	}

	private static void refuse(Pom pom, String... names) {
		for (String name : names) {
			pom.all(name).forEach((element) -> {
				throw element.unsupported("is not supported here by the comparison of the builds");
			});
		}
	}

	private static String coordinates(Pom dependency) {
		return dependency.required("groupId") + ":" + dependency.required("artifactId");
	}

	private String interpolate(String text) {
		return PROPERTY.matcher(text).replaceAll((reference) -> {
			String value = this.properties.get(reference.group(1));
			if (value == null) {
				throw new IllegalStateException("pom.xml has no property for " + text);
			}
			return Matcher.quoteReplacement(value);
		});
	}

}
