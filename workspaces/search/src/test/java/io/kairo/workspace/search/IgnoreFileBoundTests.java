package io.kairo.workspace.search;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for ignore files that are too long or too many.
 */
class IgnoreFileBoundTests {

	@TempDir
	Path directory;

	@Test
	void beginningOfLongIgnoreFileApplies() {
		Trees tree = new Trees(this.directory).file("first.txt", "x")
			.file("last.txt", "x")
			.file(".gitignore", "first.txt\n" + "#".repeat(256 << 10) + "\nlast.txt\n");
		assertThat(tree.glob("*.txt")).containsExactly("last.txt");
		assertThat(tree.globReport("*.txt").skipped().cutIgnoreFiles()).isEqualTo(1);
	}

	@Test
	void rulesBeyondBudgetOfSearchAreNotApplied() {
		Trees tree = new Trees(this.directory).file(".gitignore", "x\n".repeat(19_999))
			.file("a/.gitignore", "first.txt\nlast.txt\n")
			.file("a/first.txt", "x")
			.file("a/last.txt", "x");
		GlobReport report = tree.globReport("*.txt");
		assertThat(report.files()).extracting((file) -> file.path().name()).containsExactly("last.txt");
		assertThat(report.skipped().cutIgnoreFiles()).isEqualTo(1);
		assertThat(report.skipped().ignoredFiles()).isEqualTo(1);
	}

	@Test
	void longRulesBeyondBudgetOfSearchAreNotApplied() {
		String rule = "x".repeat(4096) + "\n";
		Trees tree = new Trees(this.directory).file("a/b/c/d/.gitignore", rule.repeat(4) + "last.txt\n")
			.file("a/b/c/d/last.txt", "x");
		for (String above : List.of("", "a/", "a/b/", "a/b/c/")) {
			tree.file(above + ".gitignore", rule.repeat(63));
		}
		GlobReport report = tree.globReport("**/*.txt");
		assertThat(report.files()).extracting((file) -> file.path().name()).containsExactly("last.txt");
		assertThat(report.skipped().cutIgnoreFiles()).isEqualTo(1);
	}

	@Test
	void longPathsOfIgnoreFilesCount() {
		String deep = ("d".repeat(250) + "/").repeat(14);
		Trees tree = new Trees(this.directory);
		for (int i = 0; i < 400; i++) {
			tree.file(deep + i + "/.gitignore", "a.txt\n").file(deep + i + "/a.txt", "x");
		}
		GlobReport report = tree.globReport("*.txt");
		int applied = (1 << 20) / (deep.length() + 3);
		assertThat(report.files()).hasSizeBetween(1, 400 - applied);
		assertThat(report.skipped().cutIgnoreFiles()).isEqualTo(report.files().size());
		assertThat(report.skipped().ignoredFiles()).isEqualTo(400 - report.files().size());
	}

	@Test
	void ruleOfExcessiveLengthIsNotApplied() {
		Trees tree = new Trees(this.directory).file("a.txt", "x").file(".gitignore", "*".repeat(4097) + "\n");
		assertThat(tree.glob("*.txt")).containsExactly("a.txt");
		assertThat(tree.globReport("*.txt").skipped().cutIgnoreFiles()).isEqualTo(1);
	}

	@Test
	void manyLongIgnoreFilesEndAtTheDeadline() {
		Trees tree = new Trees(this.directory);
		StringBuilder path = new StringBuilder();
		String rules = ("*a".repeat(60) + "b\n").repeat((1 << 20) / 122);
		for (int i = 0; i < 30; i++) {
			tree.file(path + ".gitignore", rules);
			path.append("d/");
		}
		for (int i = 0; i < 50; i++) {
			tree.file(path + "a".repeat(200) + i + ".txt", "x");
		}
		WorkspaceSearch search = new WorkspaceSearch(tree.files,
				SearchLimits.DEFAULTS.withDeadline(Duration.ofMillis(300)));
		GlobQuery query = new GlobQuery(tree.files.resolve(path + ".", tree.root()), "*.txt", new SearchSlice(0, 100));
		assertTimeoutPreemptively(Duration.ofSeconds(3),
				() -> assertThat(search.glob(query, Trees.NEVER).value().end()).isEqualTo(SearchEnd.DEADLINE));
	}

}
