package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link PathGate} with a plain oracle on strings, for random arguments.
 */
class PathGatePropertyTests {

	private static final List<String> NAMES = List.of("a", "b", "sub", "..x", "x..y", "...", "~", " a", "a ", " ",
			"@output", "workspace", "ä", "日本", "😀", "-", "C:", "in", "nested", "a b", "%2e%2e", "added", "primary");

	private static final List<String> TRICKS = List.of("..", "..", "..", ".", "", "a\\b", "\\", "..\\..", "a\0b", "\n",
			"\ud800", "x".repeat(255), "x".repeat(256), "\u0085", "ü".repeat(128));

	@TempDir
	Path temp;

	List<Path> roots;

	@BeforeEach
	void createRoots() throws IOException {
		this.temp = this.temp.toRealPath();
		this.roots = List.of(TestWorkspaces.directory(this.temp.resolve("primary")),
				TestWorkspaces.directory(this.temp.resolve("added")),
				TestWorkspaces.directory(this.temp.resolve("added/in/nested")),
				TestWorkspaces.directory(this.temp.resolve("primary/sub")));
	}

	static Stream<Arguments> policiesAndSeeds() {
		return Stream.of(PathPolicy.values())
			.flatMap((policy) -> LongStream.range(0, 10).mapToObj((seed) -> Arguments.of(policy, seed)));
	}

	@ParameterizedTest
	@MethodSource("policiesAndSeeds")
	void everyArgumentMeansWhatAPlainReadingOfItMeans(PathPolicy policy, long seed) {
		Random random = new Random(seed);
		WorkspaceFiles files = open(policy);
		int good = 0;
		for (int i = 0; i < 500; i++) {
			WorkspacePath cwd = cwd(policy, random);
			String argument = argument(random);
			String expected = oracle(policy, argument, cwd);
			String actual = actual(files, argument, cwd);
			assertThat(actual).as("seed %d, case %d: %s from %s", seed, i, WorkspacePath.quote(argument), cwd)
				.isEqualTo(expected);
			good += actual.startsWith("/") ? 1 : 0;
		}
		assertThat(good).as("seed %d: good arguments", seed).isBetween(50, 450);
	}

	@ParameterizedTest
	@MethodSource("policiesAndSeeds")
	void everyDisplayedPathLeadsBack(PathPolicy policy, long seed) {
		Random random = new Random(seed);
		WorkspaceFiles files = open(policy);
		for (int i = 0; i < 500; i++) {
			WorkspacePath cwd = cwd(policy, random);
			WorkspacePath path = canonical(policy, random.nextInt(3) == 0 ? below(cwd, random) : cwd(policy, random));
			String displayed = files.display(path, cwd);
			assertThat(files.resolve(displayed, cwd))
				.as("seed %d, case %d: %s from %s, displayed as '%s'", seed, i, path, cwd, displayed)
				.isEqualTo(path);
			assertThat(files.resolve(files.display(path), cwd)).as("seed %d, case %d: %s absolute", seed, i, path)
				.isEqualTo(path);
			assertThat(displayed).doesNotStartWith("@output/");
			if (policy.hidesHost()) {
				assertThat(displayed).doesNotContain(this.temp.toString());
			}
		}
	}

	private WorkspaceFiles open(PathPolicy policy) {
		return TestWorkspaces.open(policy, this.roots.toArray(Path[]::new));
	}

	private WorkspacePath cwd(PathPolicy policy, Random random) {
		Path root = policy.hidesHost() ? this.roots.get(0) : this.roots.get(random.nextInt(this.roots.size()));
		if (policy == PathPolicy.HOST && random.nextInt(5) == 0) {
			root = Path.of("/");
		}
		return canonical(policy, below(new WorkspacePath(root, ""), random));
	}

	private static WorkspacePath below(WorkspacePath start, Random random) {
		WorkspacePath path = start;
		for (int i = random.nextInt(4); i > 0; i--) {
			path = path.child(NAMES.get(random.nextInt(NAMES.size())));
		}
		return path;
	}

	/**
	 * The same place as a path of the longest root.
	 */
	private WorkspacePath canonical(PathPolicy policy, WorkspacePath path) {
		Path host = path.toPath();
		Path longest = path.root();
		for (Path root : policy.hidesHost() ? List.<Path>of() : this.roots) {
			if (host.startsWith(root) && root.getNameCount() > longest.getNameCount()) {
				longest = root;
			}
		}
		return new WorkspacePath(longest, longest.relativize(host).toString());
	}

	private String argument(Random random) {
		List<String> names = new ArrayList<>();
		for (int i = random.nextInt(6); i >= 0; i--) {
			List<String> source = (random.nextInt(5) == 0) ? TRICKS : NAMES;
			names.add(source.get(random.nextInt(source.size())));
		}
		String separator = (random.nextInt(6) == 0) ? "\\" : "/";
		return switch (random.nextInt(8)) {
			case 0 -> "/";
			case 1 -> "/workspace/";
			case 2 -> this.roots.get(random.nextInt(this.roots.size())) + "/";
			case 3 -> this.temp + "/";
			default -> "";
		} + String.join(separator, names);
	}

	private static String actual(WorkspaceFiles files, String argument, WorkspacePath cwd) {
		try {
			WorkspacePath path = files.resolve(argument, cwd);
			return path.root() + ":" + path.relative();
		}
		catch (WorkspacePathException ex) {
			return ex.code().code();
		}
	}

	private String oracle(PathPolicy policy, String argument, WorkspacePath cwd) {
		boolean logical = policy == PathPolicy.LOGICAL || policy == PathPolicy.RELATIVE_ONLY;
		String text = logical ? argument.replace('\\', '/') : argument;
		if (policy == PathPolicy.LOGICAL) {
			text = text.strip();
		}
		boolean tooLong = text.getBytes(StandardCharsets.UTF_8).length > 4096
				|| Stream.of(text.split("/")).anyMatch((name) -> name.getBytes(StandardCharsets.UTF_8).length > 255);
		if (text.isBlank() || tooLong || text.contains("\ud800")
				|| text.chars().anyMatch((c) -> c < 32 || (c >= 127 && c < 160))) {
			return "invalid_path";
		}
		return logical ? logicalOracle(policy, text, cwd) : hostOracle(policy, text, cwd);
	}

	private String logicalOracle(PathPolicy policy, String text, WorkspacePath cwd) {
		String whole;
		if ((text + "/").startsWith("/workspace/")) {
			whole = text.substring("/workspace".length());
		}
		else if (text.startsWith("/")) {
			if (policy == PathPolicy.RELATIVE_ONLY) {
				return "path_traversal_blocked";
			}
			whole = text;
		}
		else {
			whole = cwd.relative() + "/" + text;
		}
		List<String> names = List.of(whole.split("/"));
		if (names.contains("..")) {
			return "path_traversal_blocked";
		}
		return this.roots.get(0) + ":"
				+ String.join("/", names.stream().filter((name) -> !name.isEmpty() && !name.equals(".")).toList());
	}

	private String hostOracle(PathPolicy policy, String text, WorkspacePath cwd) {
		boolean absolute = text.startsWith("/");
		Deque<String> names = new ArrayDeque<>();
		for (String name : (absolute ? text : cwd + "/" + text).split("/")) {
			if (name.equals("..")) {
				names.pollLast();
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				names.addLast(name);
			}
		}
		String whole = "/" + String.join("/", names);
		String longest = "";
		for (Path root : this.roots) {
			if ((whole + "/").startsWith(root + "/") && root.toString().length() > longest.length()) {
				longest = root.toString();
			}
		}
		if (!longest.isEmpty()) {
			return longest + ":" + (whole.equals(longest) ? "" : whole.substring(longest.length() + 1));
		}
		boolean belowCwd = cwd.toString().equals("/") || (whole + "/").startsWith(cwd + "/");
		return (policy == PathPolicy.HOST && (absolute || belowCwd)) ? "/:" + whole.substring(1)
				: "path_traversal_blocked";
	}

}
