package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.search.SearchPattern.Flag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link WorkspaceSearch#grep}.
 */
class GrepSearchTests {

	@TempDir
	Path directory;

	private Trees tree;

	@BeforeEach
	void openTree() {
		this.tree = new Trees(this.directory);
	}

	@Nested
	class Lines {

		@Test
		void grepReturnsLinesInOrderOfPathsAndNumbers() {
			tree().file("b.txt", "x\nfoo\n").file("a/z.txt", "foo\nx\nfoo").file("a.txt", "foo bar\n");
			assertThat(Trees.lines(tree().grep("foo"))).containsExactly("a.txt:1:foo bar", "a/z.txt:1:foo",
					"a/z.txt:3:foo", "b.txt:2:foo");
		}

		@Test
		void contextOfAdjacentMatchesDoesNotOverlap() {
			tree().file("a.txt", numbered(20).replace("line 5\n", "hit\n").replace("line 8\n", "hit\n"));
			GrepReport report = tree().grep(SearchPattern.of("hit"), GrepOutput.LINES, new LineContext(2, 1));
			assertThat(Trees.lines(report)).containsExactly("a.txt-3-line 3", "a.txt-4-line 4", "a.txt:5:hit",
					"a.txt-6-line 6", "a.txt-7-line 7", "a.txt:8:hit", "a.txt-9-line 9");
		}

		@Test
		void dollarMatchesBeforeLineFeedAndBeforeCarriageReturn() {
			tree().file("a.txt", "foo\r\nfoox\r\n").file("b.txt", "foo\n");
			assertThat(Trees.lines(tree().grep("foo$"))).containsExactly("a.txt:1:foo", "b.txt:1:foo");
		}

		@Test
		void carriageReturnIsTextWhenPatternNamesIt() {
			tree().file("a.txt", "foo\r\n").file("b.txt", "foo\n");
			assertThat(Trees.lines(tree().grep("\\r$"))).containsExactly("a.txt:1:foo\r");
		}

		@Test
		void longLineIsTruncatedAroundTheMatch() {
			tree().file("a.txt", "x".repeat(5000) + "needle" + "y".repeat(5000) + "\n");
			MatchedLine line = tree().grep("needle").files().get(0).lines().get(0);
			assertThat(line.text()).startsWith("…x").contains("needle").endsWith("y…").hasSize(502);
			assertThat(line.cutBytes()).isEqualTo(10_007);
		}

		@Test
		void truncationNeverSplitsSurrogatePair() {
			for (int length = 480; length < 520; length++) {
				tree().file("a.txt", "a".repeat(length - 480) + "😀".repeat(1000) + "needle" + "😀".repeat(1000));
				String text = tree().grep("needle").files().get(0).lines().get(0).text();
				assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
			}
		}

		@Test
		void matchesAndContextAreFoundAcrossBufferBoundaries() {
			StringBuilder text = new StringBuilder();
			for (int i = 1; i <= 60_000; i++) {
				text.append((i % 7919 == 0) ? "needle " : "line ").append(i).append('\n');
			}
			tree().file("a.txt", text.toString());
			String expected = IntStream.rangeClosed(1, 60_000)
				.filter((i) -> i % 7919 == 0)
				.mapToObj((i) -> "a.txt-" + (i - 1) + "-line " + (i - 1) + "\na.txt:" + i + ":needle " + i + "\na.txt-"
						+ (i + 1) + "-line " + (i + 1))
				.collect(Collectors.joining("\n"));
			for (String regex : List.of("needle", "need[l]e")) {
				GrepReport report = tree().grep(SearchPattern.of(regex), GrepOutput.LINES, new LineContext(1, 1));
				assertThat(String.join("\n", Trees.lines(report))).isEqualTo(expected);
			}
		}

		@Test
		void linesMayBeLongerThanTheBuffer() {
			tree().file("a.txt", "x".repeat(300_000) + "needle\nnext\n" + "y".repeat(700_000) + "needle");
			GrepReport report = tree().grep("needle");
			assertThat(report.files().get(0).lines()).extracting(MatchedLine::number).containsExactly(1L, 3L);
			assertThat(report.skipped()).isEqualTo(Skipped.NOTHING);
		}

		@Test
		void longContextIsKeptAcrossBufferBoundaries() {
			String filler = "f".repeat(50_000) + "\n";
			tree().file("a.txt", filler.repeat(5) + "hit\n");
			GrepReport report = tree().grep(SearchPattern.of("hit"), GrepOutput.LINES, new LineContext(5, 0));
			assertThat(report.files().get(0).lines()).extracting(MatchedLine::number)
				.containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
		}

	}

	@Nested
	class Multiline {

		@Test
		void multilineMatchSpansLines() {
			tree().file("a.txt", "a\nstart\nmiddle\nend\nb\n");
			assertThat(Trees.lines(tree().grep("start.*end", Flag.MULTILINE))).containsExactly("a.txt:2:start",
					"a.txt:3:middle", "a.txt:4:end");
		}

		@Test
		void multilinePatternMatchesLineEndsOfTheFile() {
			tree().file("a.txt", "one\r\ntwo\r\n");
			assertThat(Trees.lines(tree().grep("one\\ntwo$", Flag.MULTILINE))).containsExactly("a.txt:1:one",
					"a.txt:2:two");
			assertThat(Trees.lines(tree().grep("one\\r\\ntwo", Flag.MULTILINE))).containsExactly("a.txt:1:one\r",
					"a.txt:2:two\r");
		}

		@Test
		void multilineAnchorsMatchAtLineBoundaries() {
			tree().file("a.txt", "xfoo\nfoo\nfoox");
			assertThat(Trees.lines(tree().grep("^foo$", Flag.MULTILINE))).containsExactly("a.txt:2:foo");
		}

		@Test
		void emptyMultilineMatchCountsForItsLine() {
			tree().file("a.txt", "a\n\nb\n");
			assertThat(Trees.lines(tree().grep("^$", Flag.MULTILINE))).containsExactly("a.txt:2:");
			assertThat(Trees.lines(tree().grep("x*", Flag.MULTILINE))).hasSize(3);
		}

		@Test
		void contextOfAdjacentMultilineMatchesIsReturnedOnce() {
			tree().file("a.txt", numbered(9));
			GrepReport report = tree().grep(new SearchPattern("line 3\\nline 4|line 6", Set.of(Flag.MULTILINE)),
					GrepOutput.LINES, new LineContext(1, 2));
			assertThat(Trees.lines(report)).containsExactly("a.txt-2-line 2", "a.txt:3:line 3", "a.txt:4:line 4",
					"a.txt-5-line 5", "a.txt:6:line 6", "a.txt-7-line 7", "a.txt-8-line 8");
		}

	}

	@Nested
	class Charsets {

		@Test
		void unicodePatternMatchesUtf8AndWindows1252Text() {
			tree().file("utf8.txt", "caf\u00e9\n")
				.file("latin1.txt", "caf\u00e9 \u00fc\n".getBytes(StandardCharsets.ISO_8859_1))
				.file("decomposed.txt", "cafe\u0301\n");
			assertThat(Trees.lines(tree().grep("caf\u00e9"))).containsExactly("latin1.txt:1:caf\u00e9 \u00fc",
					"utf8.txt:1:caf\u00e9");
			assertThat(Trees.lines(tree().grep("CAF\u00c9", Flag.IGNORE_CASE))).hasSize(2);
			assertThat(Trees.lines(tree().grep("^caf.$"))).containsExactly("utf8.txt:1:caf\u00e9");
		}

		@Test
		void replacementCharacterInTheFileIsOrdinaryText() {
			tree().file("a.txt", "x\uFFFD\n");
			assertThat(Trees.lines(tree().grep("x"))).containsExactly("a.txt:1:x\uFFFD");
		}

		@Test
		void byteOrderMarkIsNotPartOfTheText() {
			for (String charset : List.of("UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
				tree().file(charset, "\uFEFFfoo\r\nb\u00e4r\r\n".getBytes(Charset.forName(charset)));
			}
			assertThat(Trees.lines(tree().grep("^foo$"))).containsExactly("UTF-16BE:1:foo", "UTF-16LE:1:foo",
					"UTF-32BE:1:foo", "UTF-32LE:1:foo", "UTF-8:1:foo");
			assertThat(tree().grep("^b\u00e4r$").files()).hasSize(5);
			assertThat(tree().grep("foo\\nb\u00e4r", Flag.MULTILINE).files()).hasSize(5);
		}

		@Test
		void filesWithNulByteAreSkippedAsBinary() {
			tree().file("a.bin", "foo\0bar").file("b.bin", "x\n".repeat(200_000) + "foo\0").file("c.txt", "foo");
			GrepReport report = tree().grep("foo");
			assertThat(Trees.lines(report)).containsExactly("c.txt:1:foo");
			assertThat(report.skipped().binary()).isEqualTo(2);
			assertThat(tree().grep("foo", Flag.MULTILINE).skipped().binary()).isEqualTo(2);
			assertThat(report.searched()).isEqualTo(1);
		}

	}

	@Nested
	class Limits {

		@Test
		void consecutiveSlicesReturnAllLines() {
			for (int i = 0; i < 40; i++) {
				tree().file("d" + i % 7 + "/f" + i, "foo 1\nx\nfoo 2\nfoo 3\n");
			}
			List<String> all = Trees.lines(tree().grep("foo"));
			assertThat(all).hasSize(120);
			for (int limit : new int[] { 1, 7, 50, 119, 120, 121 }) {
				StringBuilder pages = new StringBuilder();
				for (int offset = 0; offset < 120; offset += limit) {
					GrepReport page = slice(GrepOutput.LINES, offset, limit);
					assertThat(page.end()).isEqualTo((offset + limit < 120) ? SearchEnd.LIMIT : SearchEnd.EVERYTHING);
					pages.append(String.join("\n", Trees.lines(page))).append('\n');
				}
				assertThat(pages.toString().strip()).isEqualTo(String.join("\n", all));
			}
		}

		@Test
		void filesAndCountsAreSlicedByFile() {
			for (int i = 10; i < 40; i++) {
				tree().file("f" + i, "foo\nfoo\n");
			}
			GrepReport files = slice(GrepOutput.FILES, 5, 3);
			assertThat(files.files()).extracting((file) -> file.path().name()).containsExactly("f15", "f16", "f17");
			assertThat(files.end()).isEqualTo(SearchEnd.LIMIT);
			GrepReport counts = slice(GrepOutput.COUNTS, 28, 10);
			assertThat(counts.files()).extracting((file) -> file.path().name() + "=" + file.count())
				.containsExactly("f38=2", "f39=2");
			assertThat(counts.end()).isEqualTo(SearchEnd.EVERYTHING);
		}

		@Test
		void largeFilesAreSkippedUnlessNamed() {
			tree().file("big.txt", "foo\n" + "x\n".repeat(2000)).file("small.txt", "foo\n");
			WorkspaceSearch search = new WorkspaceSearch(tree().files,
					new SearchLimits(Duration.ofSeconds(20), 1000, 500));
			GrepReport report = search.grep(query("foo", ""), Trees.NEVER).value();
			assertThat(Trees.lines(report)).containsExactly("small.txt:1:foo");
			assertThat(report.skipped().tooLarge()).isEqualTo(1);
			assertThat(Trees.lines(search.grep(query("foo", "big.txt"), Trees.NEVER).value()))
				.containsExactly("big.txt:1:foo");
		}

		@Test
		void fileWithOneHugeLineIsSkippedAsTooLarge() throws IOException {
			try (var file = new java.io.RandomAccessFile(GrepSearchTests.this.directory.resolve("a.log").toFile(),
					"rw")) {
				byte[] part = "a".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
				for (int i = 0; i < 40; i++) {
					file.write(part);
				}
			}
			GrepReport report = tree().search().grep(query("foo|b$", "a.log"), Trees.NEVER).value();
			assertThat(report.files()).isEmpty();
			assertThat(report.skipped().tooLarge()).isEqualTo(1);
		}

		@Test
		void expensivePatternEndsAtTheDeadline() {
			Random random = new Random(3);
			tree().file("a.txt",
					random.ints(15 << 20, 'a', 'c')
						.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
						.toString());
			WorkspaceSearch search = new WorkspaceSearch(tree().files,
					SearchLimits.DEFAULTS.withDeadline(Duration.ofMillis(300)));
			for (Flag[] flags : new Flag[][] { {}, { Flag.MULTILINE } }) {
				assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
					GrepReport report = search
						.grep(new GrepQuery(tree().root(), new SearchPattern("(a|b)*a(a|b){30}[cd]", Set.of(flags)),
								FileFilter.ALL, GrepOutput.LINES, LineContext.NONE, new SearchSlice(0, 10)),
								Trees.NEVER)
						.value();
					assertThat(report.end()).isEqualTo(SearchEnd.DEADLINE);
				});
			}
		}

		@Test
		void manyMatchesThatEachScanFarAheadEndAtTheDeadline() {
			tree().file("a.txt", "a\n".repeat(1 << 20));
			WorkspaceSearch search = new WorkspaceSearch(tree().files,
					SearchLimits.DEFAULTS.withDeadline(Duration.ofMillis(300)));
			assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertThat(search
				.grep(new GrepQuery(tree().root(), new SearchPattern("a(.*z)?", Set.of(Flag.MULTILINE)), FileFilter.ALL,
						GrepOutput.COUNTS, LineContext.NONE, new SearchSlice(0, 10)), Trees.NEVER)
				.value()
				.end()).isEqualTo(SearchEnd.DEADLINE));
		}

		@Test
		void clockIsCheckedWhileFewLongLinesAreMatched() {
			tree().file("f", ("abc ÿx ".repeat(1000) + "\n").repeat(100));
			AtomicInteger asked = new AtomicInteger();
			tree().search().grep(query("[à-ö]x", ""), () -> asked.incrementAndGet() < 0);
			assertThat(asked.get()).as("number of checks of the clock").isGreaterThan(10);
		}

		@Test
		void cancellationEndsTheSearch() {
			for (int i = 0; i < 200; i++) {
				tree().file("d" + i + "/f", "foo\n");
			}
			AtomicInteger asked = new AtomicInteger();
			GrepReport report = tree().search().grep(query("foo", ""), () -> asked.incrementAndGet() > 100).value();
			assertThat(report.end()).isEqualTo(SearchEnd.CANCELLED);
			assertThat(report.results()).isLessThan(100);
		}

	}

	@Nested
	class Paths {

		@Test
		void grepReturnsErrorForMissingPath() {
			assertThat(failure("missing")).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void namedPathIsSearchedEvenIfIgnoredOrHidden() {
			tree().file(".gitignore", "*.log\n").file("a.log", "foo\n").file(".env", "foo\n").file("b/.x/c", "foo\n");
			for (String path : List.of("a.log", ".env", "b/.x")) {
				assertThat(tree().search().grep(query("foo", path), Trees.NEVER).value().files()).hasSize(1);
			}
			assertThat(tree().grep("foo").files()).isEmpty();
		}

		@Test
		void linksAreSkippedAndNotFollowed(@TempDir Path outside) throws IOException {
			Files.writeString(outside.resolve("secret"), "foo");
			tree().file("a.txt", "foo");
			Files.createSymbolicLink(GrepSearchTests.this.directory.resolve("out"), outside);
			Files.createSymbolicLink(GrepSearchTests.this.directory.resolve("secret"), outside.resolve("secret"));
			GrepReport report = tree().grep("foo");
			assertThat(Trees.lines(report)).containsExactly("a.txt:1:foo");
			assertThat(report.skipped().links()).isEqualTo(2);
			assertThat(failure("out")).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(failure("secret")).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		private WorkspaceErrorCode failure(String path) {
			return ((WorkspaceResult.Failure<GrepReport>) tree().search().grep(query("foo", path), Trees.NEVER)).code();
		}

	}

	private Trees tree() {
		return this.tree;
	}

	private GrepReport slice(GrepOutput output, int offset, int limit) {
		return this.tree.search()
			.grep(new GrepQuery(this.tree.root(), SearchPattern.of("foo"), FileFilter.ALL, output, LineContext.NONE,
					new SearchSlice(offset, limit)), Trees.NEVER)
			.value();
	}

	private GrepQuery query(String regex, String path) {
		return new GrepQuery(path.isEmpty() ? this.tree.root() : this.tree.files.resolve(path, this.tree.root()),
				SearchPattern.of(regex), FileFilter.ALL, GrepOutput.LINES, LineContext.NONE, new SearchSlice(0, 1000));
	}

	private static String numbered(int lines) {
		return IntStream.rangeClosed(1, lines).mapToObj((i) -> "line " + i + "\n").collect(Collectors.joining());
	}

}
