package io.kairo.workspace.local;

import java.util.ArrayList;
import java.util.List;

import io.kairo.workspace.local.AnyDepthPaths.Relation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AnyDepthPaths}.
 */
class AnyDepthPathsTests {

	private final AnyDepthPaths paths = new AnyDepthPaths(List.of(".git/hooks", ".git/a/b", "x/x/y", "x/z", "\u00c4"));

	private static List<String> names(String path) {
		return List.of(path.split("/"));
	}

	@ParameterizedTest
	@CsvSource({ ".git, ABOVE", "a/.git, ABOVE", "a/.git/hooks, WITHIN", "a/.git/hooks/b/c, WITHIN",
			".git/hooks/.git, WITHIN", ".git/a, ABOVE", ".git/a/b, WITHIN", ".git/a/c, NONE", ".git/x, ABOVE",
			".git/.git/hooks, WITHIN", "x/x/x/y, WITHIN", "x/x/z, WITHIN", "x/x, ABOVE", "x/x/x/x, ABOVE", "y, NONE",
			"a/\u00e4/b, WITHIN", "git/hooks, NONE" })
	void relationIsTheClosestAtAnyDepth(String path, Relation relation) {
		assertThat(this.paths.relation(names(path))).isEqualTo(relation);
	}

	@ParameterizedTest
	@CsvSource({ "lib/hooks, WITHIN", "lib/hooks/x, WITHIN", "lib/a, ABOVE", "lib/a/b, WITHIN", "lib/a/c, NONE",
			"lib/HEAD, NONE", "other/hooks, NONE", "lib, NONE" })
	void pathsInRepositoryOfAnotherNameAreRelated(String path, Relation relation) {
		assertThat(this.paths.relation(names(path), (depth) -> depth == 1 && path.startsWith("lib")))
			.isEqualTo(relation);
	}

	@Test
	void repositoriesAreLookedForOnlyBehindNamesOfProtectedPaths() {
		List<Integer> looked = new ArrayList<>();
		this.paths.relation(names("src/main/hooks/java/a/b"), (depth) -> !looked.add(depth));
		assertThat(looked).containsExactly(2, 4);
		assertThat(this.paths.relation(names("a/b"), (depth) -> true)).isEqualTo(Relation.WITHIN);
		assertThat(new AnyDepthPaths(List.of("x")).relation(names("hooks"), (depth) -> true)).isEqualTo(Relation.NONE);
	}

	@Test
	void repositoriesAreCoveredByPathsBelowTheirDirectory() {
		assertThat(this.paths.coverRepositories()).isTrue();
		assertThat(new AnyDepthPaths(List.of(".env")).coverRepositories()).isFalse();
		assertThat(new AnyDepthPaths(List.of()).isEmpty()).isTrue();
		AnyDepthPaths all = new AnyDepthPaths(List.of(".git"));
		assertThat(all.relation(names("lib/any"), (depth) -> depth == 1)).isEqualTo(Relation.WITHIN);
	}

}
