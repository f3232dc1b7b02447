package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

import io.kairo.workspace.search.SearchPattern.Flag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests that compare the search with ripgrep over random trees. Skipped if {@code rg} is
 * not installed.
 */
@Tag("ripgrep")
class RipgrepTests {

	private static final List<String> NAMES = List.of("a", "b", "ab", "a.txt", "b.txt", "c.log", "build", "x y", ".h",
			"é.txt", "[a]", "foo.java");

	@TempDir
	Path directory;

	@TempDir
	Path scratch;

	@BeforeEach
	void requireRipgrep() {
		boolean there = Arrays.stream(System.getenv("PATH").split(":"))
			.anyMatch((path) -> Files.isExecutable(Path.of(path, "rg")));
		if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("ripgrep")) {
			assertThat(there).as("ripgrep, required by KAIRO_REQUIRE, is installed").isTrue();
		}
		assumeTrue(there, "ripgrep is not installed: install it to compare with it");
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void ignoreRulesSelectTheFilesOfRipgrep(long seed) throws Exception {
		Random random = new Random(seed);
		for (int round = 0; round < 6; round++) {
			Path top = this.directory.resolve("r" + round);
			randomTree(top, random, 0);
			String start = random.nextBoolean() ? "" : "a";
			Trees tree = new Trees(top);
			if (!start.isEmpty() && !Files.isDirectory(top.resolve(start))) {
				start = "";
			}
			List<String> expected = rg(top, start, "--files", "--no-messages").stream()
				.map((path) -> path.startsWith("./") ? path.substring(2) : path)
				.sorted()
				.toList();
			GrepQuery query = new GrepQuery(start.isEmpty() ? tree.root() : tree.root().child(start),
					SearchPattern.of("^"), FileFilter.ALL, GrepOutput.FILES, LineContext.NONE,
					new SearchSlice(0, 50_000));
			List<String> actual = tree.search()
				.grep(query, Trees.NEVER)
				.value()
				.files()
				.stream()
				.map((file) -> file.path().relative())
				.sorted()
				.toList();
			assertThat(actual).as("seed %d, round %d, from '%s':%n%s", seed, round, start, ignoreFiles(top))
				.isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void matchingLinesAndContextAreThoseOfRipgrep(long seed) throws Exception {
		Random random = new Random(seed);
		Trees tree = new Trees(this.directory);
		boolean ascii = seed % 2 == 0; // \b and \w are ASCII in RE2 but Unicode in
										// ripgrep
		for (int i = 0; i < 12; i++) {
			String text = randomText(random);
			tree.file(NAMES.get(random.nextInt(3)) + "/f" + i, ascii ? text.replace('é', 'e') : text);
		}
		List<String> patterns = List.of("foo", "fo+", "^b", "a$", "o.b", "[fb]o", "(foo|bar)", "\\bba", "foo.*bar",
				"o{2}", "\\w+ \\w+", "x?", "é", "^$", "\\.", "b[^a]");
		for (String pattern : patterns) {
			if (!ascii && (pattern.contains("\\b") || pattern.contains("\\w"))) {
				continue;
			}
			LineContext context = new LineContext(random.nextInt(3), random.nextInt(3));
			boolean ignoreCase = random.nextBoolean();
			List<String> options = new ArrayList<>(List.of("-n", "--sort", "path", "--no-heading",
					"-A" + context.after(), "-B" + context.before(), "--no-context-separator", "-e", pattern));
			if (ignoreCase) {
				options.add("-i");
			}
			List<String> expected = rg(this.directory, "", options.toArray(String[]::new));
			GrepReport report = tree.grep(new SearchPattern(pattern, ignoreCase ? Set.of(Flag.IGNORE_CASE) : Set.of()),
					GrepOutput.LINES, context);
			assertThat(Trees.lines(report)).as("seed %d: %s %s", seed, pattern, options)
				.containsExactlyInAnyOrderElementsOf(
						expected.stream().map((line) -> line.startsWith("./") ? line.substring(2) : line).toList());
		}
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void matchingLinesOfRandomPatternsAreThoseOfRipgrep(long seed) throws Exception {
		Random random = new Random(seed);
		Trees tree = new Trees(this.directory);
		boolean ascii = seed % 2 == 0;
		for (int i = 0; i < 12; i++) {
			String end = (i == 3) ? "\r\n" : "\n";
			StringBuilder text = new StringBuilder();
			for (int j = random.nextInt(40); j >= 0; j--) {
				text.append(RandomRegex.line(random, ascii)).append(end);
			}
			if (i == 5) {
				text.append("-".repeat(200_000)).append(RandomRegex.line(random, ascii));
			}
			tree.file("f" + i, text.toString());
		}
		for (int i = 0; i < 40; i++) {
			boolean multiline = i % 4 == 0;
			boolean ignoreCase = random.nextBoolean();
			String pattern = RandomRegex.portable(random, ascii);
			List<String> options = new ArrayList<>(List.of("-c", "--crlf", "--sort", "path", "-e", pattern));
			Set<Flag> flags = EnumSet.noneOf(Flag.class);
			if (multiline) {
				pattern = pattern + "\\n" + RandomRegex.portable(random, ascii);
				options = new ArrayList<>(
						List.of("-cU", "--multiline-dotall", "--sort", "path", "-g!f[35]", "-e", pattern));
				flags.add(Flag.MULTILINE);
			}
			if (ignoreCase) {
				options.add("-i");
				flags.add(Flag.IGNORE_CASE);
			}
			GrepReport report = tree.search()
				.grep(new GrepQuery(tree.root(), new SearchPattern(pattern, flags),
						new FileFilter(multiline ? "!f[35]" : null, null), GrepOutput.COUNTS, LineContext.NONE,
						new SearchSlice(0, 1000)), Trees.NEVER)
				.value();
			GrepReport lines = tree.search()
				.grep(new GrepQuery(tree.root(), new SearchPattern(pattern, flags),
						new FileFilter(multiline ? "!f[35]" : null, null), GrepOutput.LINES, LineContext.NONE,
						new SearchSlice(0, 50_000)), Trees.NEVER)
				.value();
			List<String> counts = counts(report);
			assertThat(counts(lines)).as("seed %d: %s %s", seed, pattern, flags).isEqualTo(counts);
			if (!multiline) { // ripgrep counts matches rather than lines
				assertThat(counts).as("seed %d: %s %s", seed, pattern, options)
					.isEqualTo(rg(this.directory, "", options.toArray(String[]::new)).stream()
						.map((line) -> line.startsWith("./") ? line.substring(2) : line)
						.toList());
			}
			else {
				options.set(0, "-lU");
				assertThat(report.files()).extracting((file) -> file.path().relative())
					.as("seed %d: %s %s", seed, pattern, options)
					.isEqualTo(rg(this.directory, "", options.toArray(String[]::new)).stream()
						.map((line) -> line.startsWith("./") ? line.substring(2) : line)
						.toList());
			}
		}
	}

	private static List<String> counts(GrepReport report) {
		return report.files().stream().map((file) -> file.path().relative() + ":" + file.count()).toList();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void multilineMatchesAreThoseOfRipgrep(long seed) throws Exception {
		Random random = new Random(seed);
		Trees tree = new Trees(this.directory);
		for (int i = 0; i < 8; i++) {
			tree.file("f" + i, randomText(random));
		}
		for (String pattern : List.of("foo\\nbar", "foo.*?bar", "^b.*?$", "o\\s+b", "a\\n\\n", "(?:foo|ba)[^r]*r")) {
			List<String> expected = rg(this.directory, "", "-nU", "--multiline-dotall", "--sort", "path",
					"--no-heading", "-e", pattern);
			assertThat(Trees.lines(tree.grep(pattern, Flag.MULTILINE))).as("seed %d: %s", seed, pattern)
				.isEqualTo(expected.stream().map((line) -> line.startsWith("./") ? line.substring(2) : line).toList());
		}
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void globsSelectTheFilesOfRipgrep(long seed) throws Exception {
		Random random = new Random(seed);
		Trees tree = new Trees(this.directory);
		for (int i = 0; i < 60; i++) {
			String name = NAMES.get(random.nextInt(3)) + "/" + NAMES.get(random.nextInt(3)) + "/"
					+ NAMES.get(3 + random.nextInt(3)) + i % 4 + NAMES.get(3 + random.nextInt(3));
			tree.file(name.substring(random.nextInt(2) * (name.indexOf('/') + 1)), "");
		}
		for (String glob : List.of("*.txt", "a/*.log", "**/b/**", "*a*", "a/**", "*.{txt,log}", "?.txt*", "[ab].*",
				"[!a]*", "**/ab/*", "ab/**/c*", "*[0-2]*.log", "**", "*", "b/*")) {
			List<String> expected = rg(this.directory, "", "--files", "-g", glob).stream()
				.map((path) -> path.startsWith("./") ? path.substring(2) : path)
				.sorted()
				.toList();
			assertThat(tree.glob(glob)).as("seed %d: %s", seed, glob).isEqualTo(expected);
		}
	}

	@Test
	void fileTypesSelectTheFilesOfRipgrep() throws Exception {
		Map<String, String> known = new TreeMap<>();
		for (String line : rg(this.directory, "", "--type-list")) {
			known.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2));
		}
		known.put("python", known.get("py"));
		known.put("javascript", known.get("js"));
		known.put("typescript", known.get("ts"));
		Trees tree = new Trees(this.directory);
		for (String type : FileFilter.types()) {
			assertThat(known).containsKey(type);
		}
		for (String name : List.of("a.java", "a.properties", "a.kt", "b.kts", "c.py", "Makefile", "GNUmakefile",
				"CMakeLists.txt", "x.H", "x.hpp", "x.cpp.in", "Dockerfile.dev", "LICENSE", "MIT-0", "Cargo.lock",
				"a.tsx", "profile", "a.yml", "pom.xml", "a.md", "README", "a.xml.dist", "z.hh.in")) {
			tree.file(name, "x");
		}
		for (String type : List.of("java", "kotlin", "py", "make", "cmake", "c", "cpp", "docker", "license", "lock",
				"ts", "sh", "yaml", "xml", "md", "readme", "h", "toml", "txt")) {
			GrepReport report = tree.search()
				.grep(new GrepQuery(tree.root(), SearchPattern.of("x"), new FileFilter(null, type), GrepOutput.FILES,
						LineContext.NONE, new SearchSlice(0, 100)), Trees.NEVER)
				.value();
			assertThat(report.files()).extracting((file) -> file.path().relative())
				.as(type)
				.containsExactlyElementsOf(rg(this.directory, "", "--files", "-t", type).stream()
					.map((path) -> path.startsWith("./") ? path.substring(2) : path)
					.sorted()
					.toList());
		}
	}

	private static void randomTree(Path top, Random random, int depth) throws IOException {
		Files.createDirectories(top);
		for (int i = random.nextInt(6) + ((depth == 0) ? 2 : 0); i > 0; i--) {
			Path child = top.resolve(NAMES.get(random.nextInt(NAMES.size())));
			if (Files.exists(child)) {
				continue;
			}
			if (depth < 3 && random.nextInt(3) > 0) {
				randomTree(child, random, depth + 1);
			}
			else {
				Files.writeString(child, "x");
			}
		}
		for (String name : List.of(".gitignore", ".ignore")) {
			if (random.nextInt(3) == 0) {
				Files.writeString(top.resolve(name), randomRules(random));
			}
			else if (random.nextInt(9) == 0) {
				Files.writeString(top.resolve("rules" + name), randomRules(random));
				Files.createSymbolicLink(top.resolve(name), Path.of("rules" + name));
			}
		}
	}

	private static String randomRules(Random random) {
		List<String> rules = List.of("*.txt", "/a", "a/", "b", "!b.txt", "ab/*", "**/ab", "a/**", "build", "!build/",
				"*.log", "# a", "", "\\!x", "!.h", "a/**/b", "x*", "x\\ y", "[ab].txt", "/*.java", "foo.java  ", "!a",
				"?b", "/**/b", "\\[a\\]", "*", "!*.java", "!*/", "b/ab");
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(4); i >= 0; i--) {
			text.append(rules.get(random.nextInt(rules.size()))).append('\n');
		}
		return text.toString();
	}

	private static String randomText(Random random) {
		String[] words = { "foo", "bar", "boo", "a", "b", " ", " ", "\n", "\n", "é", "FOO", ".", "ba", "\n\n" };
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(80); i >= 0; i--) {
			text.append(words[random.nextInt(words.length)]);
		}
		return text.toString();
	}

	private static String ignoreFiles(Path top) throws IOException {
		StringBuilder text = new StringBuilder();
		try (var paths = Files.walk(top)) {
			for (Path path : paths.sorted().toList()) {
				text.append(top.relativize(path)).append('\n');
				if (path.getFileName().toString().endsWith("ignore")) {
					text.append(Files.readString(path).indent(8));
				}
			}
		}
		return text.toString();
	}

	private List<String> rg(Path top, String start, String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("rg", "--no-config", "--no-require-git", "--no-ignore-parent",
				"--no-ignore-global", "--no-ignore-exclude", "--color", "never"));
		if (!start.isEmpty()) {
			command.remove("--no-ignore-parent");
		}
		command.addAll(List.of(options));
		if (!command.contains("--type-list")) {
			command.add(start.isEmpty() ? "./" : start);
		}
		Path output = this.scratch.resolve("output");
		Process process = new ProcessBuilder(command).directory(top.toFile())
			.redirectOutput(output.toFile())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		process.waitFor();
		return Files.readString(output, StandardCharsets.UTF_8).lines().toList();
	}

	static LongStream seeds() {
		return LongStream.rangeClosed(1, Long.getLong("kairo.ripgrep.seeds", 3));
	}

}
