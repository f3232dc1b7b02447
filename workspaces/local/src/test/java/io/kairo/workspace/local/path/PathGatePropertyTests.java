package io.kairo.workspace.local.path;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Displays random paths and resolves the results.
 */
class PathGatePropertyTests {

	private static final List<String> NAMES = List.of("a", "b", "sub", "..x", "x..y", "...", "~", " a", "a ", " ",
			"@output", "workspace", "ä", "日本", "😀", "-", "C:", "in", "nested", "a b", "%2e%2e", "added", "primary");

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
	void displayedPathsResolveToThemselves(PathPolicy policy, long seed) {
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
	 * Returns the same entry as a path below the longest root.
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

}
