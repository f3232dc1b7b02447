package io.kairo.workspace.search;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link PathGlob}.
 */
class PathGlobTests {

	@Nested
	class Matches {

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "*.java a.java", "*.java a/b/c.java", "a/*.java a/b.java", "/*.java a.java",
						"**/*.java a.java", "**/*.java a/b/c.java", "a/**/b a/b", "a/**/b a/x/y/b", "a/** a/b",
						"a/** a/b/c", "a/ a/b/c", "a/**/** a/b", "./a a", "a//b a/b", "?.txt x.txt", "?.txt é.txt",
						"?.txt 😀.txt", "*.{a,b} x.b", "*.{a,b{c,d}} x.bd", "{a,b/c}/*.x b/c/d.x",
						"{src,test}/** test/x", "x{,y} x", "x{,y} xy", "[a-c]x bx", "[!a-c]x dx", "[^a-c]x dx",
						"[]]x ]x", "[a-]x -x", "[\\]]x ]x", "\\*x *x", "\\{a\\} {a}", "a** abc", "*a*b*c* xxaxxbxxc",
						".* .env", "**/.env a/.env", ".github/** .github/w/x.yml", "**/.github/* a/.github/x", "* a" })
		void globMatchesPath(String glob, String path) {
			assertThat(glob(glob).matches(List.of(path.split("/")))).isTrue();
		}

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "*.java a.javax", "*.java java", "a/*.java a/b/c.java", "/*.java a/b.java",
						"a/*.java x/a/b.java", "a/** a", "a/** b/a", "?.txt xy.txt", "*.{a,b} x.c", "[a-c]x dx",
						"[!a-c]x ax", "\\*x ax", "*.JAVA a.java", "* .env", "** .git/config", "**/*.java .a/b.java",
						"?env .env", "[.]env .env", "a/*/b a/b", "*a*b xb" })
		void globDoesNotMatchPath(String glob, String path) {
			assertThat(glob(glob).matches(List.of(path.split("/")))).isFalse();
		}

		@ParameterizedTest
		@MethodSource("io.kairo.workspace.search.PathGlobTests#seeds")
		void matchesAgreeWithTheJdkForPathsWithoutDots(long seed) {
			Random random = new Random(seed);
			for (int i = 0; i < 300; i++) {
				String glob = randomGlob(random);
				String path = randomPath(random);
				PathMatcher oracle = FileSystems.getDefault().getPathMatcher("glob:" + glob);
				assertThat(glob("/" + glob).matches(List.of(path.split("/"))))
					.as("seed %d: %s against %s", seed, glob, path)
					.isEqualTo(oracle.matches(Path.of(path)));
			}
		}

		private String randomGlob(Random random) {
			String[] parts = { "a", "b", "ab", "*", "?", "[ab]", "[!a]", "{a,b}", "{ab,b}", "*b", "a?" };
			StringBuilder glob = new StringBuilder();
			for (int i = random.nextInt(3); i >= 0; i--) {
				for (int j = random.nextInt(3); j >= 0; j--) {
					glob.append(parts[random.nextInt(parts.length)]);
				}
				glob.append((i > 0) ? "/" : "");
			}
			return glob.toString().replaceAll("\\*\\*+", "*");
		}

		private String randomPath(Random random) {
			StringBuilder path = new StringBuilder();
			for (int i = random.nextInt(3); i >= 0; i--) {
				for (int j = random.nextInt(3); j >= 0; j--) {
					path.append("abc".charAt(random.nextInt(3)));
				}
				path.append((i > 0) ? "/" : "");
			}
			return path.toString();
		}

	}

	@Nested
	class Names {

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "[slug] [slug]", "app/[slug]/*.tsx app/[slug]/page.tsx", "**/[[...rest]]/* a/[[...rest]]/x",
						"a{b}.txt a{b}.txt", "a{b}.txt ab.txt", "a{b,c}/*.{ts,tsx} a{b,c}/x.tsx",
						"{a}/[b]/{c} {a}/[b]/c", "[user-id]/*.js [user-id]/x.js", "a[b/*.{c,d} a[b/x.d", "x} x}",
						"a\\b a\\b", "[!a] [!a]" })
		void globMatchesNameThatIsSpelledLikeIt(String glob, String path) {
			assertThat(glob(glob).matches(List.of(path.split("/")))).isTrue();
		}

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "[slug] slug", "a{b}.txt a.txt", "[user-id] u", "[user-id]/* user-id/x", "a\\b ab" })
		void globDoesNotMatchOtherNames(String glob, String path) {
			assertThat(glob(glob).matches(List.of(path.split("/")))).isFalse();
		}

		@Test
		void rulesOfIgnoreFilesMatchNoNameThatIsOnlySpelledLikeThem() {
			assertThat(SegmentPattern.of("[slug]").matches("[slug]")).isFalse();
			assertThat(SegmentPattern.ofSpelling("[slug]").matches("[slug]")).isTrue();
		}

	}

	@Nested
	class Lists {

		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "*.ts,*.tsx|*.ts,*.tsx;*.ts;*.tsx", "*.ts, *.tsx|*.ts, *.tsx;*.ts;*.tsx",
						"a/*.ts b/*.ts|a/*.ts b/*.ts;a/*.ts;b/*.ts", "!*.md,!*.txt|!*.md;!*.txt",
						"*.{ts,tsx}|*.{ts,tsx}", "[a, ].b|[a, ].b", "a\\,b|a\\,b", "my file.txt|my file.txt",
						"a/b c/d.e|a/b c/d.e", "a.b c.d|a.b c.d;a.b;c.d", "a b.c, d e.f|a b.c, d e.f;a b.c;d e.f",
						"!my file.txt|!my file.txt", "[z-a],b.c|[z-a],b.c" })
		void globsAreSeparatedByCommasAndSpaces(String globs, String expected) {
			assertThat(GlobSyntax.list(globs)).containsExactly(expected.split(";"));
		}

	}

	@Nested
	class Pruning {

		@ParameterizedTest
		@CsvSource(delimiter = ' ', value = { "src/**/*.java src", "src/**/*.java src/main", "*.java any/where",
				"a/b/c.x a/b", "{a,b}/x b", ".github/** .github" })
		void directoryThatMayContainMatchesIsEntered(String glob, String directory) {
			assertThat(glob(glob).mayMatchBelow(List.of(directory.split("/")))).isTrue();
		}

		@ParameterizedTest
		@CsvSource(delimiter = ' ', value = { "src/**/*.java test", "/*.java a", "a/b/c.x a/c", "a/b/c.x a/b/c.x",
				"**/*.java .git", "{a,b}/x c" })
		void directoryThatCannotContainMatchesIsNotEntered(String glob, String directory) {
			assertThat(glob(glob).mayMatchBelow(List.of(directory.split("/")))).isFalse();
		}

		@ParameterizedTest
		@MethodSource("io.kairo.workspace.search.PathGlobTests#seeds")
		void directoriesAboveMatchesAreAlwaysEntered(long seed) {
			Random random = new Random(seed);
			String[] names = { "a", "b", "*", "**", "?", "{a,b}", ".a" };
			for (int i = 0; i < 500; i++) {
				String glob = IntStream.rangeClosed(0, random.nextInt(4))
					.mapToObj((n) -> names[random.nextInt(names.length)])
					.reduce((one, other) -> one + "/" + other)
					.orElseThrow();
				List<String> path = IntStream.rangeClosed(0, random.nextInt(4))
					.mapToObj((n) -> new String[] { "a", "b", ".a" }[random.nextInt(3)])
					.toList();
				PathGlob compiled = glob(glob);
				if (compiled.matches(path)) {
					for (int depth = 1; depth < path.size(); depth++) {
						assertThat(compiled.mayMatchBelow(path.subList(0, depth)))
							.as("seed %d: %s below %s of %s", seed, glob, path.subList(0, depth), path)
							.isTrue();
					}
				}
			}
		}

	}

	@Nested
	class SyntaxErrors {

		@ParameterizedTest
		@CsvSource(delimiter = ' ', value = { "a[b 2", "a[b/c] 2", "{a,b 1", "x{a,{b} 2", "a} 2", "a\\ 2", "[z-a] 1",
				"x[!] 2", "src\\main 4", "\\d+ 1", "a[\\w] 3" })
		void syntaxErrorNamesItsPosition(String glob, int position) {
			assertThat(glob(glob).mistake()).hasMessageContaining("position " + position);
		}

		@Test
		void emptyLongAndAscendingGlobsAreRejected() {
			for (String glob : List.of("", " ", "a".repeat(5000), "*/../a", "{a,b}".repeat(12))) {
				assertThatExceptionOfType(SearchPatternException.class).isThrownBy(() -> glob(glob));
			}
		}

		@Test
		void randomGlobsAreMatchedOrRejectedWithPatternException() {
			Random random = new Random(7);
			for (int i = 0; i < 20_000; i++) {
				StringBuilder glob = new StringBuilder();
				for (int j = random.nextInt(9); j >= 0; j--) {
					glob.append("a*?[]{},\\!-/.".charAt(random.nextInt(13)));
				}
				assertThatNoException().as(glob.toString()).isThrownBy(() -> {
					try {
						glob(glob.toString()).matches(List.of("a", "b"));
					}
					catch (SearchPatternException ex) {
						assertThat(ex).hasMessageStartingWith("The glob ");
					}
				});
			}
		}

	}

	@Test
	void globWithManyStarsMatchesInBoundedTime() {
		PathGlob glob = glob("**/*a*a*a*a*a*a*a*a*a*a*b/**/**/*a*a*a*a*b");
		List<String> path = IntStream.range(0, 100).mapToObj((i) -> "a".repeat(250)).toList();
		assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertThat(glob.matches(path)).isFalse());
	}

	private static PathGlob glob(String glob) {
		return PathGlob.of(List.of(glob));
	}

	static IntStream seeds() {
		return IntStream.rangeClosed(1, 10);
	}

}
