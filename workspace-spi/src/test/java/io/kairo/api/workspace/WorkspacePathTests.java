package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link WorkspacePath}.
 */
class WorkspacePathTests {

	private static final Path ROOT = Path.of("/project");

	private static WorkspacePath path(String relative) {
		return new WorkspacePath(ROOT, relative);
	}

	private static void assertRefused(WorkspaceErrorCode code, Runnable call) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(call::run)
			.isInstanceOf(IllegalArgumentException.class)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	@Test
	void pathsAreEqualIfTheirPartsAre() {
		WorkspacePath path = path("kb/foo.md");
		assertThat(path).isEqualTo(new WorkspacePath(Path.of("/project"), "kb/foo.md"))
			.hasSameHashCodeAs(new WorkspacePath(Path.of("/project"), "kb/foo.md"))
			.isNotEqualTo(path("kb/foo.MD"))
			.isNotEqualTo(new WorkspacePath(Path.of("/other"), "kb/foo.md"))
			.isNotEqualTo("kb/foo.md");
	}

	@Nested
	class CanonicalFiles {

		@ParameterizedTest
		@ValueSource(strings = { "kb/foo.md", "./kb/foo.md", "kb//foo.md", "kb/./foo.md", "/kb/foo.md", "kb/foo.md/",
				"//kb//foo.md//", "kb\\foo.md", " kb/foo.md ", "\tkb/foo.md\n", ".\\kb\\.\\foo.md\\", "kb/foo.md/." })
		void spellingsHaveOneCanonicalForm(String spelling) {
			assertThat(WorkspacePath.canonicalize(spelling)).isEqualTo("kb/foo.md");
			assertThat(WorkspacePath.canonicalizeDirectory(spelling)).isEqualTo("kb/foo.md");
		}

		@Test
		void caseIsPreserved() {
			assertThat(WorkspacePath.canonicalize("/KB/Foo.MD")).isEqualTo("KB/Foo.MD");
		}

		@ParameterizedTest
		@ValueSource(strings = { "version..draft.md", "..hidden", "hidden..", "...", "kb/..foo/a..b", ".git/config",
				"a b/c  d.txt", "kb/ inner /x", "ünïcode/日本.txt", "~/x", "C:/x", "a:b", "*?" })
		void ordinaryNamesAreUnchanged(String name) {
			assertThat(WorkspacePath.canonicalize(name)).isEqualTo(name);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "   ", "\t", "/", "//", ".", "./", "/./", "\\", ".\\", "/ /", " . ", "/ ./" })
		void pathsThatNameNoFileAreRefused(String nothing) {
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> WorkspacePath.canonicalize(nothing));
		}

		@ParameterizedTest
		@ValueSource(
				strings = { "kb/../foo.md", "..", "../x", "x/..", "/..", "kb\\..\\foo.md", " .. ", "/ ../x", "x/.. /" })
		void parentSegmentsAreRefused(String escaping) {
			assertRefused(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, () -> WorkspacePath.canonicalize(escaping));
			assertRefused(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
					() -> WorkspacePath.canonicalizeDirectory(escaping));
		}

		@ParameterizedTest
		@ValueSource(strings = { "a\0b", "a\nb", "a/\tb/c", "a\u007f", "a\u0085b", "a\u001bb", "\0" })
		void controlCharactersAreRefused(String control) {
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> WorkspacePath.canonicalize(control));
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> WorkspacePath.canonicalizeDirectory(control));
		}

		@Test
		void nullThrowsNullPointerException() {
			assertThatNullPointerException().isThrownBy(() -> WorkspacePath.canonicalize(null));
			assertThatNullPointerException().isThrownBy(() -> WorkspacePath.canonicalizeDirectory(null));
		}

		@Test
		void messageContainsThePathAndARemedy() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> WorkspacePath.canonicalize("kb/../foo.md"))
				.withMessageContaining("'kb/../foo.md'")
				.withMessageContaining("give a path below the workspace root");
		}

	}

	@Nested
	class CanonicalDirectories {

		@ParameterizedTest
		@ValueSource(strings = { "", ".", "/", "./", "//", "/./", " ", "\t ", "\\", "/ /" })
		void rootEquivalentsAreTheRoot(String root) {
			assertThat(WorkspacePath.canonicalizeDirectory(root)).isEmpty();
		}

		@ParameterizedTest
		@CsvSource({ "kb, kb", "kb/, kb", "/kb/sub/, kb/sub", "version..draft, version..draft" })
		void directoriesAreCanonicalizedLikeFiles(String directory, String canonical) {
			assertThat(WorkspacePath.canonicalizeDirectory(directory)).isEqualTo(canonical);
		}

	}

	@Nested
	class CanonicalFormProperties {

		private static final String[] PIECES = { "/", "\\", ".", "..", " ", "a", "B", "ö", "\t", "x.md", "...", "\0" };

		static LongStream seeds() {
			return LongStream.range(0, 300);
		}

		@ParameterizedTest
		@MethodSource("seeds")
		void canonicalFormIsAFixedPointAndAWorkspacePath(long seed) {
			String spelling = spelling(new Random(seed));
			String canonical;
			try {
				canonical = WorkspacePath.canonicalizeDirectory(spelling);
			}
			catch (WorkspacePathException ex) {
				return;
			}
			assertThat(WorkspacePath.canonicalizeDirectory(canonical)).as("seed %d: %s", seed, spelling)
				.isEqualTo(canonical);
			assertThat(path(canonical).relative()).as("seed %d: %s", seed, spelling).isEqualTo(canonical);
			assertThat(ROOT.resolve(canonical).normalize()).as("seed %d: %s", seed, spelling).startsWithRaw(ROOT);
		}

		private static String spelling(Random random) {
			StringBuilder spelling = new StringBuilder();
			random.ints(random.nextInt(9), 0, PIECES.length).forEach((piece) -> spelling.append(PIECES[piece]));
			return spelling.toString();
		}

		@Test
		void canonicalizationTakesLinearTime() {
			assertThat(WorkspacePath.canonicalizeDirectory("/ ".repeat(200_000) + "a")).isEqualTo("a");
			assertThat(WorkspacePath.canonicalizeDirectory("a" + "/ ".repeat(200_000) + "/")).isEqualTo("a");
		}

	}

	@Nested
	class Comparison {

		@Test
		void comparatorIgnoresCase() {
			assertThat(WorkspacePath.PATH_COMPARATOR.compare("Foo.MD", "foo.md")).isZero();
			assertThat(WorkspacePath.PATH_COMPARATOR.compare("a", "B")).isNegative();
		}

		@Test
		void valuesDistinguishCase() {
			assertThat(path("Foo.MD")).isNotEqualTo(path("foo.md"));
		}

		@Test
		void naturalOrderIsByRootThenText() {
			WorkspacePath other = new WorkspacePath(Path.of("/other"), "z");
			assertThat(new TreeSet<>(List.of(path("b"), path("a/b"), path("a"), other))).containsExactly(other,
					path("a"), path("a/b"), path("b"));
		}

		@Test
		void naturalOrderIsConsistentWithEquals() {
			assertThat(path("a").compareTo(path("A"))).isNotZero();
			assertThat(path("a").compareTo(path("a"))).isZero();
		}

	}

	@Nested
	class Construction {

		@ParameterizedTest
		@ValueSource(strings = { "", "a", "a/b", "a b", "..a", " a", "a ", "a\\b" })
		void canonicalTextIsAccepted(String relative) {
			assertThat(path(relative).relative()).isEqualTo(relative);
		}

		@ParameterizedTest
		@ValueSource(strings = { "/", "/a", "a/", "a//b", ".", "./a", "a/.", "..", "../a", "a/..", "a/../b", "a\0b",
				"a\nb" })
		void otherTextIsRefused(String relative) {
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> path(relative));
		}

		@Test
		void rootMustBeAbsolute() {
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> new WorkspacePath(Path.of("work"), "a"));
		}

		@Test
		void nullIsRefused() {
			assertThatNullPointerException().isThrownBy(() -> new WorkspacePath(null, "a"));
			assertThatNullPointerException().isThrownBy(() -> new WorkspacePath(ROOT, null));
		}

	}

	@Nested
	class Navigation {

		@Test
		void rootHasNoNameAndIsItsOwnParent() {
			assertThat(path("").isRoot()).isTrue();
			assertThat(path("").name()).isEmpty();
			assertThat(path("").parent()).isEqualTo(path(""));
		}

		@Test
		void parentDropsTheLastSegment() {
			assertThat(path("a/b/c").parent()).isEqualTo(path("a/b"));
			assertThat(path("a").parent()).isEqualTo(path(""));
		}

		@Test
		void nameIsTheLastSegment() {
			assertThat(path("a/b/c.md").name()).isEqualTo("c.md");
			assertThat(path("c.md").name()).isEqualTo("c.md");
		}

		@Test
		void childAppendsASegment() {
			assertThat(path("").child("a")).isEqualTo(path("a"));
			assertThat(path("a").child("version..draft.md")).isEqualTo(path("a/version..draft.md"));
			assertThat(path("a/b").child("c").parent()).isEqualTo(path("a/b"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "a/b", "/", ".", "..", "a\0" })
		void childIsASingleSegment(String name) {
			assertRefused(WorkspaceErrorCode.INVALID_PATH, () -> path("x").child(name));
		}

		@Test
		void startsWithComparesWholeSegments() {
			assertThat(path("a/b").startsWith(path("a"))).isTrue();
			assertThat(path("a/b").startsWith(path("a/b"))).isTrue();
			assertThat(path("a/b").startsWith(path(""))).isTrue();
			assertThat(path("ab").startsWith(path("a"))).isFalse();
			assertThat(path("a").startsWith(path("a/b"))).isFalse();
			assertThat(path("").startsWith(path("a"))).isFalse();
			assertThat(path("A/b").startsWith(path("a"))).isFalse();
		}

		@Test
		void startsWithNeedsTheSameRoot() {
			assertThat(path("a/b").startsWith(new WorkspacePath(Path.of("/other"), "a"))).isFalse();
			assertThat(path("a/b").startsWith(new WorkspacePath(Path.of("/"), ""))).isFalse();
		}

		@Test
		void hostPathIsBelowTheRoot() {
			assertThat(path("a/b").toPath()).isEqualTo(Path.of("/project/a/b"));
			assertThat(path("").toPath()).isEqualTo(ROOT);
			assertThat(path("a/b")).hasToString("/project/a/b");
		}

	}

	@Nested
	class Quoting {

		@Test
		void controlCharactersBecomeVisible() {
			assertThat(WorkspacePath.quote("a\0b\nc")).isEqualTo("'a\\u0000b\\u000ac'");
		}

		@Test
		void longPathsAreShortenedInTheMiddle() {
			String path = Stream.concat(IntStream.range(0, 300).mapToObj(Integer::toString), Stream.of("end"))
				.reduce("", String::concat);
			assertThat(WorkspacePath.quote(path)).hasSizeLessThan(200)
				.startsWith("'0123")
				.contains("…")
				.endsWith("end'");
		}

	}

}
