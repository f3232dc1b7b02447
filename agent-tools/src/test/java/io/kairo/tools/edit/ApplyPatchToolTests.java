package io.kairo.tools.edit;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ApplyPatchTool}, over files on disk.
 */
class ApplyPatchToolTests {

	private FileToolsFixture tools;

	private ToolCatalog catalog;

	@BeforeEach
	void openWorkspace(@TempDir Path directory, @TempDir Path state) {
		TrashStore trash = new TrashStore(state.resolve("trash"), TrashOptions.defaults());
		this.catalog = ToolCatalog.of(List.of(new ApplyPatchTool(EditOptions.defaults(), trash, ToolNaming.CLAUDE)),
				List.of());
		this.tools = new FileToolsFixture(directory);
	}

	private ToolResult patch(String patch) {
		return patch(patch, false);
	}

	private ToolResult patch(String patch, boolean dryRun) {
		return this.catalog.call(new ToolCall("", "ApplyPatch", Map.of("patch", patch, "dry_run", dryRun)),
				this.tools.context());
	}

	private void refused(String patch, String code, String... parts) throws IOException {
		Map<String, String> before = tree();
		ToolResult result = patch(patch);
		assertThat(result.error()).as(result.text()).isNotNull();
		assertThat(result.error().code()).as(result.text()).isEqualTo(code);
		assertThat(result.error().nextStep() != null || result.error().message().contains(": ")).as(result.text())
			.isTrue();
		assertThat(List.of(parts)).allSatisfy((part) -> assertThat(result.text()).contains(part));
		assertThat(tree()).isEqualTo(before);
	}

	private void done(String patch) {
		ToolResult result = patch(patch);
		assertThat(result.error()).as(result.text()).isNull();
	}

	private Map<String, String> tree() throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> files = Files.walk(this.tools.directory())) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				tree.put(this.tools.directory().relativize(file).toString(),
						Files.readString(file, StandardCharsets.ISO_8859_1));
			}
		}
		return tree;
	}

	private static String envelope(String sections) {
		return "*** Begin Patch\n" + sections + "*** End Patch\n";
	}

	@Nested
	class Envelopes {

		@Test
		void patchAddsChangesMovesAndDeletesFiles() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", FileToolsFixture.lines(9));
			tests.tools.put("old.txt", "one\ntwo\n");
			tests.tools.put("gone.txt", "x\n");
			ToolResult result = tests.patch(envelope("""
					*** Update File: a.txt
					@@
					 line 4
					-line 5
					+five
					 line 6
					*** Add File: dir/new.txt
					+first

					+third
					*** Delete File: gone.txt
					*** Update File: old.txt
					*** Move to: moved/new.txt
					@@
					-two
					+2
					"""));
			assertThat(result.error()).as(result.text()).isNull();
			assertThat(tests.tools.get("a.txt")).isEqualTo(FileToolsFixture.lines(9).replace("line 5", "five"));
			assertThat(tests.tools.get("dir/new.txt")).isEqualTo("first\n\nthird\n");
			assertThat(tests.tools.get("moved/new.txt")).isEqualTo("one\n2\n");
			assertThat(tests.tree()).containsOnlyKeys("a.txt", "dir/new.txt", "moved/new.txt");
			assertThat(result.text()).startsWith("Changed 4 files, 2 hunks.")
				.contains("     5\tfive", "Created 'dir/new.txt' (13 bytes)", "Deleted 'gone.txt'",
						"Moved 'old.txt' to 'moved/new.txt' and edited it:");
		}

		@Test
		void anchorChoosesBlock() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			String code = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 1\n";
			tests.tools.put("a.py", code);
			String change = "-        return 1\n+        return 2\n";
			tests.refused(envelope("*** Update File: a.py\n@@\n" + change), "several_matches", "lines 3, 6");
			tests.done(envelope("*** Update File: a.py\n@@ class A:\n@@     def g(self):\n" + change));
			assertThat(tests.tools.get("a.py")).isEqualTo(code.substring(0, code.length() - 2) + "2\n");
		}

		@Test
		void anchorWhoseBlockLacksLinesChoosesNoOther() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.py", "def f():\n    x()\n\ndef g():\n    y()\n\ndef h():\n    y()\n");
			tests.refused(envelope("*** Update File: a.py\n@@ def f():\n-    y()\n+    z()\n"), "several_matches");
		}

		@Test
		void hunkOfAddedLinesGoesAfterAnchorOrToEnd() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "one\r\ntwo\r\nthree");
			tests.refused(envelope("*** Update File: a.txt\n@@\n+x\n"), "no_match", "its place");
			tests.done(envelope("*** Update File: a.txt\n@@ one\n+x\n"));
			assertThat(tests.tools.get("a.txt")).isEqualTo("one\r\nx\r\ntwo\r\nthree");
			tests.done(envelope("*** Update File: a.txt\n@@\n+y\n*** End of File\n"));
			assertThat(tests.tools.get("a.txt")).isEqualTo("one\r\nx\r\ntwo\r\nthree\r\ny");
		}

		@Test
		void endOfFileChoosesLastPlace() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "x\ny\nx\n");
			tests.done(envelope("*** Update File: a.txt\n@@\n-x\n+z\n*** End of File\n"));
			assertThat(tests.tools.get("a.txt")).isEqualTo("x\ny\nz\n");
		}

		@Test
		void linesBetweenChangesKeepTheirBytes() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "one\r\n\u201Cquoted\u201D  \ntwo\n\tthree\r\nfour");
			tests.done(envelope("*** Update File: a.txt\n@@\n-one\n+1\n \"quoted\"\n-two\n+2\n \tthree\n"));
			assertThat(tests.tools.get("a.txt")).isEqualTo("1\r\n\u201Cquoted\u201D  \n2\n\tthree\r\nfour");
		}

		@Test
		void otherIndentationAndPastedLineNumbersAreTolerated() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.py", "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 1\n");
			tests.done(envelope("*** Update File: a.py\n@@\n def f(self):\n \tif x:\n-\t\treturn 1\n+\t\treturn 2\n"));
			assertThat(tests.tools.get("a.py")).isEqualTo("class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 2\n");
			tests.done(envelope(
					"*** Update File: a.py\n@@\n      3\t\t\tif x:\n-     4\t\t\t\treturn 2\n+     4\t\t\t\treturn 3\n"));
			assertThat(tests.tools.get("a.py")).isEqualTo("class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 3\n");
		}

		@Test
		void earlierSectionsAreSeenByLaterOnes() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "one\n");
			tests.done(envelope("""
					*** Update File: a.txt
					*** Move to: b.txt
					@@
					-one
					+two
					*** Add File: a.txt
					+new
					*** Update File: b.txt
					@@
					-two
					+three
					"""));
			assertThat(tests.tree()).isEqualTo(Map.of("a.txt", "new\n", "b.txt", "three\n"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "windows-1252", "GBK", "UTF-16LE" })
		void fileKeepsCharsetAndMode(String charset) throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			String text = charset.equals("GBK") ? "\u4F60\u597D\uFF0C\u4E16\u754C\u3002\u8FD9\u662F\u4E2D\u6587\n"
					: "caf\u00E9\nna\u00EFve\n";
			String mark = charset.startsWith("UTF-16") ? "\uFEFF" : "";
			byte[] before = (mark + text + "old\nlast").getBytes(Charset.forName(charset));
			tests.tools.put("a.txt", before);
			Path file = tests.tools.directory().resolve("a.txt");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
			tests.done(envelope("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-old\n+new\n last\n"));
			assertThat(tests.tools.bytes("b.txt"))
				.isEqualTo((mark + text + "new\nlast").getBytes(Charset.forName(charset)));
			assertThat(PosixFilePermissions
				.toString(Files.getPosixFilePermissions(tests.tools.directory().resolve("b.txt"))))
				.isEqualTo("rwxr-x---");
		}

		@Test
		void dryRunWritesNothingAndCanBeApplied() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", FileToolsFixture.lines(20));
			tests.tools.put("b.txt", "x\n");
			Map<String, String> before = tests.tree();
			ToolResult shown = tests.patch(
					envelope("*** Update File: a.txt\n@@\n-line 5\n+five\n@@\n-line 15\n*** Add File: c/d.txt\n+new\n"
							+ "*** Delete File: b.txt\n"),
					true);
			assertThat(shown.error()).as(shown.text()).isNull();
			assertThat(tests.tree()).isEqualTo(before);
			tests.done((String) shown.data().get("diff"));
			assertThat(tests.tree()).containsOnlyKeys("a.txt", "c/d.txt");
			assertThat(tests.tools.get("a.txt"))
				.isEqualTo(FileToolsFixture.lines(20).replace("line 5\n", "five\n").replace("line 15\n", ""));
		}

	}

	@Nested
	class UnifiedDiffs {

		@Test
		void wrongCountsAndBareBlankLinesAreTolerated() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "one\n\ntwo\nthree\n\nfour\nfive\n");
			tests.done("""
					--- a/a.txt
					+++ b/a.txt
					@@ -90,1 +90,7 @@ heading
					 one

					-two
					+2
					@@ -1 +1 @@
					 three

					-four
					+4
					 five

					""");
			assertThat(tests.tools.get("a.txt")).isEqualTo("one\n\n2\nthree\n\n4\nfive\n");
		}

		@ParameterizedTest
		@ValueSource(strings = { "--- a/x.txt\n+++ b/x.txt\n", "--- x.txt\n+++ x.txt\n",
				"diff --git a/x.txt b/x.txt\nindex 1..2 100644\n--- a/x.txt\n+++ b/x.txt\n",
				"Here is the patch:\n\n--- a/x.txt\t2026-01-01 10:00\n+++ b/x.txt\t2026-01-01 10:01\n",
				"```diff\n--- a/x.txt\n+++ b/x.txt\n", "--- \"a/x.txt\"\n+++ \"b/x.txt\"\n" })
		void headersMayHavePrefixesAndDates(String header) throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("x.txt", "a\nb\n");
			tests.done(header + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + (header.startsWith("`") ? "```\n" : ""));
			assertThat(tests.tools.get("x.txt")).isEqualTo("a\nc\n");
		}

		@Test
		void crlfPatchAppliesToLfFileAndTheOtherWayRound() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("lf.txt", "a\nb\nc\n");
			tests.tools.put("crlf.txt", "a\r\nb\r\nc\r\n");
			String patch = "--- a/NAME\n+++ b/NAME\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+b2\n c\n";
			tests.done(patch.replace("NAME", "lf.txt").replace("\n", "\r\n"));
			tests.done(patch.replace("NAME", "crlf.txt"));
			assertThat(tests.tools.get("lf.txt")).isEqualTo("a\nB\nb2\nc\n");
			assertThat(tests.tools.get("crlf.txt")).isEqualTo("a\r\nB\r\nb2\r\nc\r\n");
		}

		@Test
		void gitHeadersRenameAddAndDelete() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("old name.txt", "a\nb\n");
			tests.tools.put("gone.txt", "x\n");
			tests.done("""
					diff --git a/old name.txt b/new.txt
					similarity index 50%
					rename from old name.txt
					rename to new.txt
					--- a/old name.txt
					+++ b/new.txt
					@@ -1,2 +1,2 @@
					 a
					-b
					+c
					diff --git a/added.txt b/added.txt
					new file mode 100644
					index 0000000..1
					--- /dev/null
					+++ b/added.txt
					@@ -0,0 +1 @@
					+new
					\\ No newline at end of file
					diff --git a/empty b/empty
					new file mode 100644
					diff --git a/gone.txt b/gone.txt
					deleted file mode 100644
					--- a/gone.txt
					+++ /dev/null
					@@ -1 +0,0 @@
					-x
					--\s
					2.39.0
					""");
			assertThat(tests.tree()).isEqualTo(Map.of("new.txt", "a\nc\n", "added.txt", "new", "empty", ""));
		}

		@Test
		void marksAddAndRemoveFinalLineEnd() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "a\nb");
			String mark = "\\ No newline at end of file\n";
			tests.done("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n" + mark + "+b\n");
			assertThat(tests.tools.get("a.txt")).isEqualTo("a\nb\n");
			tests.done("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + mark);
			assertThat(tests.tools.get("a.txt")).isEqualTo("a\nc");
			tests.done("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-c\n+d\n+e\n");
			assertThat(tests.tools.get("a.txt")).as("without marks").isEqualTo("a\nd\ne");
			tests.done("--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,2 @@\n a\n d\n-e\n");
			assertThat(tests.tools.get("a.txt")).isEqualTo("a\nd");
		}

		@Test
		void statedLineChoosesAmongSamePlaces() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "x\ny\nx\ny\nx\ny\n");
			tests.done("--- a/a.txt\n+++ b/a.txt\n@@ -3,2 +3,2 @@\n-x\n+z\n y\n");
			assertThat(tests.tools.get("a.txt")).isEqualTo("x\ny\nz\ny\nx\ny\n");
			tests.refused("--- a/a.txt\n+++ b/a.txt\n@@ -2,2 +3,2 @@\n-x\n+z\n y\n", "several_matches", "lines 1, 5");
		}

		@Test
		void linesOfOtherPatchesAreText() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.md", "*** Begin Patch\n-- x\n*** End Patch\n");
			tests.done("--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n *** Begin Patch\n--- x\n+-- y\n *** End Patch\n");
			assertThat(tests.tools.get("a.md")).isEqualTo("*** Begin Patch\n-- y\n*** End Patch\n");
			tests.done(envelope("*** Update File: a.md\n--- y\n+++ z\n *** End Patch\n"));
			assertThat(tests.tools.get("a.md")).isEqualTo("*** Begin Patch\n++ z\n*** End Patch\n");
		}

		@Test
		void removedLineThatLooksLikeHeaderIsRemoved() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.sql", "-- one\nselect 1;\n-- two\n");
			tests.done("--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,3 @@\n--- one\n+++ 1\n select 1;\n -- two\n");
			assertThat(tests.tools.get("a.sql")).isEqualTo("++ 1\nselect 1;\n-- two\n");
		}

	}

	@Nested
	class Refusals {

		@Test
		void failureInLaterFileNamesHunkAndNearestCandidateAndChangesNothing() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			StringBuilder patch = new StringBuilder();
			for (String name : List.of("a.txt", "b.txt", "c.txt")) {
				tests.tools.put(name, FileToolsFixture.lines(100));
				patch.append("*** Update File: ").append(name).append('\n');
				for (int i = 1; i <= 7; i++) {
					String old = (name.equals("c.txt") && i == 7) ? "line 7o" : "line " + 10 * i;
					patch.append("@@\n-").append(old).append("\n+changed ").append(i).append('\n');
				}
			}
			tests.refused(envelope(patch.toString()), "no_match", "File 3 of the patch ('c.txt'): hunk 7: ",
					"Expected:\nline 7o\n", "\tline 7");
		}

		@Test
		void hunksOutOfOrderOrOverlappingAreRefused() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", FileToolsFixture.lines(9));
			tests.refused(envelope("*** Update File: a.txt\n@@\n-line 5\n+5\n@@\n-line 2\n+2\n"), "no_match", "hunk 2",
					"line 2", "in the order of the file");
			tests.refused(envelope("*** Update File: a.txt\n@@\n line 4\n-line 5\n+5\n@@\n-line 5\n+V\n"), "no_match",
					"overlap");
		}

		@Test
		void addAndMoveReplaceNothing() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "a\n");
			tests.tools.put("b.txt", "b\n");
			tests.tools.put("dir/x", "x\n");
			tests.refused(envelope("*** Add File: a.txt\n+x\n"), "file_exists", "'a.txt' exists");
			tests.refused(envelope("*** Update File: a.txt\n*** Move to: b.txt\n"), "file_exists", "'b.txt' exists");
			tests.refused("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n", "file_exists");
			tests.refused(envelope("*** Update File: a.txt\n*** Move to: a.txt\n"), "invalid_arguments", "own path");
			tests.refused(envelope("*** Update File: a.txt\n*** Move to: a.txt/b\n"), "invalid_arguments", "below it");
			tests.refused(envelope("*** Update File: dir\n*** Move to: dir/sub\n"), "is_a_directory");
			tests.refused(envelope("*** Delete File: dir\n"), "is_a_directory");
			tests.refused(envelope("*** Delete File: a.txt\n*** Update File: a.txt\n@@\n-a\n+b\n"), "file_not_found",
					"earlier change");
		}

		@ParameterizedTest
		@ValueSource(strings = { "*** Begin Patch\n*** Add File: ../out.txt\n+x\n*** End Patch\n",
				"*** Begin Patch\n*** Delete File: /etc/hostname\n*** End Patch\n",
				"*** Begin Patch\n*** Update File: a.txt\n*** Move to: ../../out.txt\n*** End Patch\n",
				"--- a/../out.txt\n+++ b/../out.txt\n@@ -1 +1 @@\n-x\n+y\n",
				"--- /dev/null\n+++ b/../out.txt\n@@ -0,0 +1 @@\n+y\n",
				"diff --git a/a.txt b/a.txt\nrename from a.txt\nrename to ../out.txt\n",
				"diff --git a/../out b/../out\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+y\n" })
		void pathOutsideWorkspaceIsBlocked(String patch) throws Exception {
			ApplyPatchToolTests.this.tools.put("a.txt", "a\n");
			Map<String, String> before = tree();
			ToolResult result = patch(patch);
			assertThat(result.error()).isNotNull();
			assertThat(result.error().code()).isEqualTo("path_traversal_blocked");
			assertThat(tree()).isEqualTo(before);
		}

		@Test
		void malformedPatchesSayWhatIsWrong() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "a\n");
			tests.refused("nothing", "invalid_arguments", "changes no file");
			tests.refused("*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n", "invalid_arguments", "cut off");
			tests.refused(envelope("*** Add File: b.txt\nx\n"), "invalid_arguments", "Line 3 of the patch, 'x'");
			tests.refused(envelope("*** Update File: a.txt\n"), "invalid_arguments", "without changes");
			tests.refused(envelope("*** Rename File: a.txt\n"), "invalid_arguments", "is in no section");
			tests.refused("@@ -1 +1 @@\n-a\n+b\n", "invalid_arguments", "without a name");
			tests.refused("--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+b\n", "invalid_arguments", "rename from");
			tests.refused("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n", "invalid_arguments",
					"chmod");
			tests.refused("diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n", "invalid_arguments",
					"Binary files");
			tests.refused(envelope("*** Update File: a.txt\n@@\n a\n"), "no_change");
			tests.refused(envelope("*** Update File: b.txt\n@@\n-a\n+b\n"), "file_not_found", "a.txt");
		}

		@Test
		void elidedLinesAreRecognised() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.js", "f() {\n  one();\n  two();\n}\n");
			tests.refused(envelope("*** Update File: a.js\n@@\n f() {\n-  one();\n+  // ... existing code ...\n"),
					"elided_lines", "'// ... existing code ...'");
			tests.refused(envelope("*** Update File: a.js\n@@\n f() {\n // ... existing code ...\n-}\n+};\n"),
					"no_match", "stands for lines");
		}

		@Test
		void staleFileIsNotPatched() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "a\nb\n");
			tests.tools.put("b.txt", "x\n");
			tests.tools.read("a.txt");
			tests.tools.put("a.txt", "a\nb\nc\n");
			tests.refused(envelope("*** Update File: b.txt\n@@\n-x\n+y\n*** Update File: a.txt\n@@\n-a\n+A\n"),
					"stale_read", "File 2 of the patch ('a.txt'): ", "+c");
			tests.refused(envelope("*** Delete File: a.txt\n"), "stale_read");
		}

		@Test
		void deletionOfOtherContentIsRefused() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "a\nb\n");
			tests.refused("--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "no_match", "more lines");
		}

		@Test
		@Timeout(60)
		void hugePatchesAreRefused() throws Exception {
			ApplyPatchToolTests tests = ApplyPatchToolTests.this;
			tests.tools.put("a.txt", "x\n");
			tests.refused(envelope("*** Add File: b.txt\n+" + "x".repeat(100_000_000) + "\n"), "too_large",
					"characters", "4,194,304");
			tests.refused(envelope("*** Update File: a.txt\n" + "@@\n".repeat(1_000_000) + "-x\n+y\n"), "too_large",
					"lines");
			tests.refused(envelope("*** Update File: a.txt\n" + "@@\n-x\n+y\n".repeat(60_000)), "no_match", "hunk 2");
			StringBuilder adds = new StringBuilder();
			for (int i = 0; i < 1001; i++) {
				adds.append("*** Add File: new").append(i).append("\n+x\n");
			}
			tests.refused(envelope(adds.toString()), "too_large", "1,001 files");
		}

	}

}
