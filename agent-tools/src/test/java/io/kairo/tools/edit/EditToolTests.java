package io.kairo.tools.edit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link EditTool}, over files on disk.
 */
class EditToolTests {

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		this.tools = new FileToolsFixture(directory);
	}

	@Nested
	class Replacing {

		@Test
		void editReplacesUniqueTextAndShowsItsLines() throws Exception {
			EditToolTests.this.tools.put("a.txt", FileToolsFixture.lines(9));
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "line 5\n", "five\nfive and a half\n");
			assertThat(EditToolTests.this.tools.get("a.txt"))
				.isEqualTo(FileToolsFixture.lines(9).replace("line 5\n", "five\nfive and a half\n"));
			assertThat(result.text()).isEqualTo("""
					Edited 'a.txt': 1 replacement.
					     2	line 2
					     3	line 3
					     4	line 4
					     5	five
					     6	five and a half
					     7	line 6
					     8	line 7
					     9	line 8""");
			assertThat(result.data()).containsEntry("replacements", 1)
				.containsEntry("match", "exact")
				.containsEntry("outcome", "edited");
			assertThat(result.data().get("version"))
				.isEqualTo(EditToolTests.this.tools.read("a.txt").data().get("version"));
		}

		@Test
		void controlCharactersAreShownInVisibleForm() throws Exception {
			String line = "a\u001B]52;c;aGk=\u0007\u202Eb";
			EditToolTests.this.tools.put("a.txt", "x\n" + line + "\r\n");
			ToolResult unmatched = EditToolTests.this.tools.edit("a.txt", line.replace('\u202E', ' '), "y");
			ToolResult shown = EditToolTests.this.tools.edit("a.txt", "x", "y", Map.of("dry_run", true));
			ToolResult edited = EditToolTests.this.tools.edit("a.txt", "x", "y");
			for (ToolResult result : List.of(unmatched, shown, edited)) {
				assertThat(result.text()).contains("a\\u001b]52;c;aGk=\\u0007\\u202eb");
				assertThat(result.text().codePoints()).doesNotContain(0x1B, 0x07, 0x202E);
			}
			assertThat(unmatched.text()).contains("the file has '\\u202e' (U+202E)");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("y\n" + line + "\r\n");
		}

		@Test
		void editRejectsTextFoundTwiceAndShowsItsLines() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x\ny\nx\n");
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "x", "z");
			assertThat(result.error().code()).isEqualTo("several_matches");
			assertThat(result.text()).contains("2 times, in lines 1, 3").contains("replace_all");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("x\ny\nx\n");
		}

		@Test
		void overlappingMatchesAreNotUnique() throws Exception {
			EditToolTests.this.tools.put("a.txt", "aaa");
			assertThat(EditToolTests.this.tools.edit("a.txt", "aa", "b").error().code()).isEqualTo("several_matches");
		}

		@Test
		void replaceAllReplacesEveryOccurrence() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x\ny x\n" + FileToolsFixture.lines(20) + "x\n");
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "x", "zz", Map.of("replace_all", true));
			assertThat(EditToolTests.this.tools.get("a.txt"))
				.isEqualTo("zz\ny zz\n" + FileToolsFixture.lines(20) + "zz\n");
			assertThat(result.data()).containsEntry("replacements", 3);
			assertThat(result.text()).contains("3 replacements").contains("     2\ty zz\n").contains("    23\tzz");
		}

		@Test
		void replaceAllRejectsTooManyOccurrences() throws Exception {
			String content = "x,".repeat(100_001);
			EditToolTests.this.tools.put("a.txt", content);
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "x", "y", Map.of("replace_all", true));
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(result.text()).contains("more than 100,000 times").contains("sed");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo(content);
		}

		@Test
		void replaceAllRejectsTooManyOccurrencesWithOtherLineEnds() throws Exception {
			String content = "x\r\ny\r\n".repeat(100_001);
			EditToolTests.this.tools.put("a.txt", content);
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "x\ny", "z", Map.of("replace_all", true));
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo(content);
		}

		@Test
		@Timeout(60)
		void repetitiveTextIsSearchedInLinearTime() throws Exception {
			EditToolTests.this.tools.put("a.txt", "a".repeat(2_000_000));
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "a".repeat(400_000) + "b", "c");
			assertThat(result.error().code()).isEqualTo("no_match");
		}

		@Test
		void unpairedSurrogateNeverMatches() throws Exception {
			EditToolTests.this.tools.put("a.txt", "a\uD83D\uDE00b\n");
			assertThat(EditToolTests.this.tools.edit("a.txt", "\uD83D", "x").error().code()).isEqualTo("no_match");
			assertThat(EditToolTests.this.tools.edit("a.txt", "\uDE00b", "x").error().code()).isEqualTo("no_match");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("a\uD83D\uDE00b\n");
		}

		@Test
		void longDiffOfDryRunIsCutAndReportedAsIncomplete() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x\n".repeat(20_000));
			ToolResult many = EditToolTests.this.tools.edit("a.txt", "x", "y",
					Map.of("replace_all", true, "dry_run", true));
			assertThat(many.text()).hasSizeLessThan(40_000).contains("lines of the diff left out");
			assertThat(many.complete().complete()).isFalse();
			EditToolTests.this.tools.put("b.txt", "x".repeat(1000) + "\n");
			assertThat(EditToolTests.this.tools.edit("b.txt", "x".repeat(1000), "y", Map.of("dry_run", true))
				.complete()
				.complete()).isFalse();
		}

		@Test
		void snippetOfManyChangesIsCapped() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x\n".repeat(1000));
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "x", "y", Map.of("replace_all", true));
			assertThat(result.text().lines()).hasSizeLessThan(45);
			assertThat(result.text()).contains("1,000 replacements").contains("more changes, from line");
		}

		@Test
		void lastLineWithoutLineEndStaysUnterminated() throws Exception {
			EditToolTests.this.tools.put("a.txt", "one\ntwo");
			EditToolTests.this.tools.edit("a.txt", "two", "three");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("one\nthree");
		}

		@Test
		void editCanBeFollowedByEditAndWrite() throws Exception {
			EditToolTests.this.tools.put("a.txt", "one\ntwo\n");
			EditToolTests.this.tools.read("a.txt");
			EditToolTests.this.tools.edit("a.txt", "one", "1");
			assertThat(EditToolTests.this.tools.edit("a.txt", "two", "2").error()).isNull();
			assertThat(EditToolTests.this.tools.write("a.txt", "all\n").error()).isNull();
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("all\n");
		}

		@Test
		void editKeepsFileMode() throws Exception {
			EditToolTests.this.tools.put("a.sh", "one\n");
			Path file = EditToolTests.this.tools.directory().resolve("a.sh");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
			EditToolTests.this.tools.edit("a.sh", "one", "two");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rwxr-x---");
		}

		@Test
		void dryRunShowsDiffAndWritesNothing() throws Exception {
			EditToolTests.this.tools.put("a.txt", FileToolsFixture.lines(3));
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "line 2", "two", Map.of("dry_run", true));
			assertThat(result.text()).startsWith("--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n line 1\n-line 2\n+two\n");
			assertThat(result.data().get("diff")).asString().contains("+two");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo(FileToolsFixture.lines(3));
		}

	}

	@Nested
	class Creating {

		@Test
		void emptyOldStringCreatesFile() throws Exception {
			ToolResult result = EditToolTests.this.tools.edit("new/a.txt", "", "hello\n");
			assertThat(result.data()).containsEntry("outcome", "created");
			assertThat(EditToolTests.this.tools.get("new/a.txt")).isEqualTo("hello\n");
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "text" })
		void emptyOldStringRejectsExistingFile(String content) throws Exception {
			EditToolTests.this.tools.put("a.txt", content);
			assertThat(EditToolTests.this.tools.edit("a.txt", "", "hello").error().code()).isEqualTo("file_exists");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo(content);
		}

		@Test
		void dryRunCreatesNothing() {
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "", "hello\n", Map.of("dry_run", true));
			assertThat(result.text()).contains("+hello");
			assertThat(EditToolTests.this.tools.directory().resolve("a.txt")).doesNotExist();
		}

	}

	@Nested
	class Refusals {

		@Test
		void editRejectsIdenticalStrings() throws Exception {
			EditToolTests.this.tools.put("a.txt", "one");
			assertThat(EditToolTests.this.tools.edit("a.txt", "one", "one").error().code())
				.isEqualTo("invalid_arguments");
		}

		@Test
		void missingFileErrorSuggestsSimilarName() throws Exception {
			EditToolTests.this.tools.put("src/Main.java", "x");
			ToolResult result = EditToolTests.this.tools.edit("src/Mian.java", "x", "y");
			assertThat(result.error().code()).isEqualTo("file_not_found");
			assertThat(result.text()).contains("Did you mean 'src/Main.java'?");
		}

		@Test
		void editRejectsBinaryFile() throws Exception {
			EditToolTests.this.tools.put("a.bin", new byte[] { 'x', 0, 1, 2 });
			assertThat(EditToolTests.this.tools.edit("a.bin", "x", "y").error().code())
				.isEqualTo("unsupported_file_type");
		}

		@Test
		void editRejectsDirectory() throws Exception {
			EditToolTests.this.tools.put("sub/a.txt", "x");
			assertThat(EditToolTests.this.tools.edit("sub", "x", "y").error().code()).isEqualTo("is_a_directory");
		}

		@Test
		void editRejectsTooLargeFileAndSuggestsCommand() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x".repeat(101));
			ToolResult result = ToolCatalog.of(List.of(new EditTool(new EditOptions(100, 40, 60))), List.of())
				.call(new ToolCall("", "Edit", Map.of("file_path", "a.txt", "old_string", "y", "new_string", "z")),
						EditToolTests.this.tools.context());
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(result.text()).contains("101 bytes").contains("sed");
		}

		@Test
		void editThatGrowsFileBeyondMaximumIsRefused() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x".repeat(60));
			ToolResult result = edit(new EditOptions(100, 40, 60),
					Map.of("old_string", "x", "new_string", "12", "replace_all", true));
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(result.text()).contains("'a.txt' has 60 bytes", "more than the 100", "in 60 places")
				.contains("Nothing was written");
			assertThat(EditToolTests.this.tools.get("a.txt")).isEqualTo("x".repeat(60));
			assertThat(edit(new EditOptions(120, 40, 60),
					Map.of("old_string", "x", "new_string", "12", "replace_all", true))
				.error()).isNull();
		}

		@Test
		void searchEndsAtTheDeadline() throws Exception {
			EditToolTests.this.tools.put("a.txt", "x\n".repeat(10_000));
			ToolResult result = edit(new EditOptions(1 << 20, 40, 60, Duration.ofNanos(1)),
					Map.of("old_string", "y", "new_string", "z"));
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(result.text()).contains("old_string was not found in 'a.txt' within 0.0 seconds",
					"Nothing was written");
		}

		@Test
		void waitForOtherCallsCountsTowardsTheDeadline() throws Exception {
			Duration timeout = Duration.ofMillis(900);
			EditToolTests.this.tools.put("a.txt", "x\n".repeat(10_000));
			ToolContext context = EditToolTests.this.tools.context();
			Thread caller = Thread.currentThread();
			CountDownLatch begun = new CountDownLatch(1);
			Thread other = new Thread(() -> context.session().inTurn(List.of(context.resolve("a.txt")), () -> {
				begun.countDown();
				await().until(() -> Stream.of(caller.getStackTrace())
					.anyMatch((frame) -> frame.getMethodName().equals("inTurn")));
				CallDeadline later = new CallDeadline(timeout, context.cancellation());
				await().until(later::isOver);
				return "";
			}));
			other.start();
			begun.await();
			ToolResult result = edit(new EditOptions(1 << 20, 40, 60, timeout),
					Map.of("old_string", "y", "new_string", "z"));
			assertThat(result.text()).contains("within 0.9 seconds, with the wait for other calls");
			other.join();
		}

		private ToolResult edit(EditOptions options, Map<String, Object> arguments) {
			Map<String, Object> all = new HashMap<>(arguments);
			all.put("file_path", "a.txt");
			return new EditTool(options).call(all, EditToolTests.this.tools.context());
		}

		@Test
		void charsetIsDetectedFromWholeFile() throws Exception {
			String ascii = "plain text\n".repeat(120_000);
			EditToolTests.this.tools.put("a.txt",
					(ascii + "Gr\u00F6\u00DFe f\u00FCr sp\u00E4ter\n").getBytes("windows-1252"));
			assertThat(EditToolTests.this.tools.edit("a.txt", "f\u00FCr", "\u00FCber").error()).isNull();
			assertThat(EditToolTests.this.tools.bytes("a.txt"))
				.isEqualTo((ascii + "Gr\u00F6\u00DFe \u00FCber sp\u00E4ter\n").getBytes("windows-1252"));
		}

		@Test
		void editNamesCharactersMissingFromCharset() throws Exception {
			byte[] content = "Größe für später\n".getBytes("windows-1252");
			EditToolTests.this.tools.put("a.txt", content);
			ToolResult result = EditToolTests.this.tools.edit("a.txt", "für", "für\n漢 für");
			assertThat(result.error().code()).isEqualTo("unmappable_characters");
			assertThat(result.text()).contains("'漢' (U+6F22) in line 2, column 1").contains("iconv");
			assertThat(EditToolTests.this.tools.bytes("a.txt")).isEqualTo(content);
		}

		@Test
		void pathOutsideWorkspaceIsBlocked() {
			assertThat(EditToolTests.this.tools.edit("../x", "", "y").error().code())
				.isEqualTo("path_traversal_blocked");
		}

	}

	@Nested
	class Charsets {

		@ParameterizedTest
		@CsvSource({ "GB18030, \u6630", "Big5, \u5919", "windows-31j, \u86ED" })
		void matchWithinCharacterOfAnotherCharsetIsRefused(String charset, String endsWithLetterG) throws Exception {
			byte[] content = ("k = " + endsWithLetterG + ";\n").getBytes(charset);
			assertThat(content).contains('g');
			EditToolTests.this.tools.put("a.txt", content);
			for (boolean dryRun : new boolean[] { true, false }) {
				ToolResult result = EditToolTests.this.tools.edit("a.txt", "g", "h", Map.of("dry_run", dryRun));
				assertThat(result.error()).isNotNull();
				assertThat(result.error().code()).isEqualTo("uncertain_charset");
				assertThat(result.error().nextStep()).contains("whole lines").contains("iconv -f ");
			}
			assertThat(EditToolTests.this.tools.bytes("a.txt")).isEqualTo(content);
			assertThat(EditToolTests.this.tools.edit("a.txt", "k =", "l =").error()).isNull();
			assertThat(EditToolTests.this.tools.bytes("a.txt"))
				.isEqualTo(("l = " + endsWithLetterG + ";\n").getBytes(charset));
		}

		@Test
		void matchNextToLetterOfWindowsTextIsEdited() throws Exception {
			byte[] content = "Größe für später, während Caf\u00E9 zu\n".getBytes("windows-1252");
			EditToolTests.this.tools.put("a.txt", content);
			assertThat(EditToolTests.this.tools.edit("a.txt", "r sp", "r das Sp").error()).isNull();
			assertThat(EditToolTests.this.tools.edit("a.txt", "hrend", "hlend").error()).isNull();
			assertThat(EditToolTests.this.tools.bytes("a.txt"))
				.isEqualTo("Größe für das Später, wählend Caf\u00E9 zu\n".getBytes("windows-1252"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE" })
		void editKeepsByteOrderMarkAndCharset(String charset) throws Exception {
			EditToolTests.this.tools.put("a.txt", "\uFEFFGrüße\r\n漢字 😀\r\n".getBytes(charset));
			assertThat(EditToolTests.this.tools.edit("a.txt", "Grüße\n漢字", "Grüße\n😀 und 漢字").error()).isNull();
			assertThat(EditToolTests.this.tools.bytes("a.txt"))
				.isEqualTo("\uFEFFGrüße\r\n😀 und 漢字 😀\r\n".getBytes(charset));
		}

		@Test
		void bytesAcrossTwoCharactersDoNotMatch() throws Exception {
			EditToolTests.this.tools.put("a.txt", "\uFEFF\u4E61\u624E".getBytes(StandardCharsets.UTF_16BE));
			assertThat(EditToolTests.this.tools.edit("a.txt", "\u6162", "x").error().code()).isEqualTo("no_match");
		}

		@Test
		void editKeepsLatinCharset() throws Exception {
			EditToolTests.this.tools.put("a.txt", "Größe für später\n".getBytes(StandardCharsets.ISO_8859_1));
			EditToolTests.this.tools.edit("a.txt", "für", "über");
			assertThat(EditToolTests.this.tools.bytes("a.txt"))
				.isEqualTo("Größe über später\n".getBytes(StandardCharsets.ISO_8859_1));
		}

	}

}
