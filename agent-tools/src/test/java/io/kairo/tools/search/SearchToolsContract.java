package io.kairo.tools.search;

import java.util.List;
import java.util.Map;

import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the List, Info, Glob and Grep tools for every store.
 */
abstract class SearchToolsContract extends SearchPatternsContract {

	@Nested
	class Glob {

		@Test
		void globFindsFilesAtAnyDepth() {
			ToolResult result = call("Glob", Map.of("pattern", "*.java"));
			assertThat(result.text().lines().toList()).contains("src/Main.java", "src/deep/Other.java")
				.last()
				.asString()
				.startsWith("(2 of 2 files");
			assertThat(result.complete().complete()).isTrue();
		}

		@Test
		void globReportsSkippedFiles() {
			assertThat(call("Glob", Map.of("pattern", "**")).text())
				.contains("not searched: 1 directory ignored by .gitignore or .ignore, 2 files hidden");
		}

		@Test
		void globFindsHiddenAndIgnoredFilesNamedExplicitly() {
			assertThat(call("Glob", Map.of("pattern", ".env")).text()).startsWith(".env\n");
			assertThat(call("Glob", Map.of("pattern", "build/*")).text()).startsWith("build/Main.class\n");
			assertThat(call("Glob", Map.of("pattern", "*", "path", "build")).text()).startsWith("build/Main.class\n");
		}

		@Test
		void globContinuesFromOffset() {
			ToolResult first = call("Glob", Map.of("pattern", "*.java", "limit", 1));
			assertThat(first.complete().complete()).isFalse();
			assertThat(first.text()).contains("continue with offset=1");
			ToolResult second = call("Glob", first.complete().next());
			assertThat(second.complete().complete()).isTrue();
			assertThat(first.text().lines().findFirst()).isNotEqualTo(second.text().lines().findFirst());
		}

		@Test
		void offsetUpToMaximumIsAccepted() {
			Map<String, Object> last = Map.of("pattern", "*.java", "offset", 99_990, "limit", 100);
			assertThat(call("Glob", last).error()).isNull();
			assertThat(call("Grep", Map.of("pattern", "foo", "offset", 99_990, "head_limit", 100)).error()).isNull();
			assertThat(call("Grep", Map.of("pattern", "foo", "offset", 100_000)).text()).contains("too far");
			assertThat(call("Glob", Map.of("pattern", "*", "offset", 100_000)).text()).contains("too far");
		}

		@Test
		void globReportsNoMatches() {
			ToolResult result = call("Glob", Map.of("pattern", "*.py"));
			assertThat(result.error()).isNull();
			assertThat(result.text()).startsWith("(no files match");
			assertThat(call("Glob", Map.of("pattern", "nowhere/*.py")).text()).startsWith("(no files match");
		}

		@ParameterizedTest
		@CsvSource({ "a[b,invalid_arguments,position 2", "{a,invalid_arguments,position 1",
				"../*,path_traversal_blocked,''", "'',invalid_arguments,empty" })
		void globReportsInvalidPattern(String pattern, String code, String message) {
			ToolResult result = call("Glob", Map.of("pattern", pattern));
			assertThat(result.error()).isNotNull();
			assertThat(result.error().code()).isEqualTo(code);
			assertThat(result.error().message()).contains(message);
		}

		@Test
		void globReportsMissingDirectory() {
			ToolResult result = call("Glob", Map.of("pattern", "*", "path", "missing"));
			assertThat(result.error()).extracting(ToolError::code).isEqualTo("file_not_found");
		}

	}

	@Nested
	class Grep {

		@Test
		void grepReturnsFileNamesByDefault() {
			ToolResult result = call("Grep", Map.of("pattern", "foo"));
			assertThat(result.text().lines().toList()).startsWith("readme.md", "src/Main.java", "src/deep/Other.java");
			assertThat(result.text()).contains("(3 files; not searched:");
			assertThat(result.data().get("searched")).isEqualTo(3L);
		}

		@Test
		void grepShowsLinesWithContext() {
			ToolResult result = call("Grep",
					Map.of("pattern", "int foo", "output_mode", "content", "-A", 1, "-B", 1, "-n", true));
			assertThat(result.text()).startsWith("""
					src/Main.java-1-class Main {
					src/Main.java:2:	int foo;
					src/Main.java-3-}
					--
					src/deep/Other.java-2-	int Foo;
					src/deep/Other.java:3:	int foo;
					src/deep/Other.java-4-}
					(6 lines""");
		}

		@Test
		void grepAcceptsContextUnderEveryAlias() {
			for (String name : List.of("-C", "C", "context")) {
				assertThat(call("Grep", Map.of("pattern", "about", "output_mode", "content", name, 1)).text())
					.startsWith("readme.md:1:about foo\nreadme.md-2-and more\n(2 lines");
			}
		}

		@Test
		void grepOmitsLineNumbersOnRequest() {
			assertThat(call("Grep", Map.of("pattern", "about", "output_mode", "content", "-n", false)).text())
				.startsWith("readme.md:about foo\n");
		}

		@Test
		void grepCountsMatchingLines() {
			assertThat(call("Grep", Map.of("pattern", "foo", "output_mode", "count", "-i", true)).text())
				.startsWith("readme.md:1\nsrc/Main.java:1\nsrc/deep/Other.java:2\n(3 files");
		}

		@Test
		void grepFiltersFilesByGlobTypeAndPath() {
			assertThat(call("Grep", Map.of("pattern", "foo", "glob", "*.md")).text()).startsWith("readme.md\n(1 file");
			assertThat(call("Grep", Map.of("pattern", "foo", "glob", "!*.md")).text()).startsWith("src/Main.java\n");
			assertThat(call("Grep", Map.of("pattern", "foo", "glob", "src/*")).text())
				.startsWith("src/Main.java\n(1 file");
			assertThat(call("Grep", Map.of("pattern", "foo", "type", "md")).text()).startsWith("readme.md\n(1 file");
			assertThat(call("Grep", Map.of("pattern", "foo", "path", "src/deep")).text())
				.startsWith("src/deep/Other.java\n(1 file");
		}

		@Test
		void grepSearchesHiddenAndIgnoredFilesNamedExplicitly() {
			assertThat(call("Grep", Map.of("pattern", "foo", "path", ".env")).text()).startsWith(".env\n");
			assertThat(call("Grep", Map.of("pattern", "foo", "path", "build")).text()).startsWith("build/Main.class\n");
			assertThat(call("Grep", Map.of("pattern", "foo", "glob", ".env")).text()).startsWith(".env\n");
		}

		@Test
		void grepContinuesFromOffset() {
			ToolResult page = call("Grep",
					Map.of("pattern", "foo", "-i", true, "output_mode", "content", "head_limit", 1));
			StringBuilder lines = new StringBuilder();
			for (int i = 0; i < 4; i++) {
				lines.append(page.text().lines().findFirst().orElseThrow()).append('\n');
				assertThat(page.complete().complete()).isEqualTo(i == 3);
				page = (i < 3) ? call("Grep", page.complete().next()) : page;
			}
			assertThat(lines).hasToString("readme.md:1:about foo\nsrc/Main.java:2:\tint foo;\n"
					+ "src/deep/Other.java:2:\tint Foo;\nsrc/deep/Other.java:3:\tint foo;\n");
		}

		@Test
		void grepMatchesAcrossLines() {
			assertThat(call("Grep", Map.of("pattern", "Main.*foo", "multiline", true, "output_mode", "content")).text())
				.startsWith("src/Main.java:1:class Main {\nsrc/Main.java:2:\tint foo;\n(2 lines");
		}

		@ParameterizedTest
		@CsvSource({ "pattern,(?=a)b,look-ahead", "pattern,(a)\\1,back reference", "pattern,(,never closed",
				"glob,a[,position 2", "type,klingon,java", "output_mode,all,content" })
		void grepReportsInvalidArguments(String name, String value, String message) {
			Map<String, Object> arguments = new java.util.HashMap<>(Map.of("pattern", "x"));
			arguments.put(name, value);
			ToolResult result = call("Grep", arguments);
			assertThat(result.error()).extracting(ToolError::code).isEqualTo("invalid_arguments");
			assertThat(result.text()).contains(message);
		}

		@Test
		void grepEscapesControlCharacters() {
			write("evil.txt", "evil\rreadme.md:1:forged \u001b[2Jforged\u2028x\u202ey\n");
			assertThat(call("Grep", Map.of("pattern", "^evil", "output_mode", "content")).text().lines().findFirst())
				.hasValue("evil.txt:1:evil\\u000dreadme.md:1:forged \\u001b[2Jforged\\u2028x\\u202ey");
		}

		@Test
		void grepCutsLongResult() {
			write("long.txt", ("needle " + "x".repeat(400) + "\n").repeat(400));
			ToolResult result = call("Grep", Map.of("pattern", "needle", "output_mode", "content", "head_limit", 0));
			assertThat(result.text().length()).isBetween(100_000, 101_000);
			int shown = ((Number) result.data().get("results")).intValue();
			assertThat(result.complete().next()).containsEntry("offset", shown);
			ToolResult rest = call("Grep", result.complete().next());
			assertThat(shown + ((Number) rest.data().get("results")).intValue()).isEqualTo(400);
		}

		@Test
		void grepReportsCutLines() {
			write("long.txt", "y".repeat(3000) + "needle" + "z".repeat(3000));
			ToolResult result = call("Grep", Map.of("pattern", "needle", "output_mode", "content"));
			assertThat(result.text()).contains("needle", "… [cut: the line has 6,006 bytes]",
					"1 line cut at 500 characters");
			assertThat(result.complete().complete()).isFalse();
		}

		@Test
		void cancelledToolReturnsError() {
			SearchToolsContract.this.context.cancellation().cancel();
			assertThat(call("Grep", Map.of("pattern", "foo")).error()).extracting(ToolError::code)
				.isEqualTo("cancelled");
			assertThat(call("Glob", Map.of("pattern", "*")).error()).extracting(ToolError::code).isEqualTo("cancelled");
			assertThat(call("List", Map.of()).error()).extracting(ToolError::code).isEqualTo("cancelled");
			assertThat(call("Info", Map.of()).error()).extracting(ToolError::code).isEqualTo("cancelled");
		}

	}

	@Nested
	class Listing {

		@Test
		void listShowsSizesAndOmitsHiddenFiles() {
			assertThat(call("List", Map.of()).text())
				.isEqualTo("build/\nreadme.md\t19 bytes\nsrc/\n(3 entries in '.'; 2 hidden not shown)");
		}

		@Test
		void listDescendsToRequestedDepth() {
			assertThat(call("List", Map.of("path", "src", "depth", 2)).text())
				.isEqualTo("src/Main.java\t25 bytes\nsrc/deep/\nsrc/deep/Other.java\t36 bytes\n(3 entries in 'src')");
		}

		@Test
		void listShowsHiddenAndOmitsIgnoredFilesOnRequest() {
			ToolResult result = call("List", Map.of("hidden", true, "ignore", List.of("*.md", "build/")));
			assertThat(result.text())
				.isEqualTo(".env\t6 bytes\n.gitignore\t7 bytes\nsrc/\n(3 entries in '.'; 2 left out by ignore)");
			assertThat(result.complete().complete()).isTrue();
		}

		@Test
		void listAcceptsSingleIgnoredNameAndJsonText() {
			for (String ignore : List.of("*.md", "[\"*.md\"]")) {
				assertThat(call("List", Map.of("ignore", ignore)).text()).contains("1 left out by ignore");
			}
		}

		@Test
		void listContinuesFromOffset() {
			ToolResult first = call("List", Map.of("limit", 2));
			assertThat(first.text()).contains("stopped at entry 2, continue with offset=2");
			assertThat(call("List", first.complete().next()).text()).startsWith("src/\n");
		}

		@Test
		void listRejectsFilesMissingPathsAndInvalidArguments() {
			assertThat(call("List", Map.of("path", "readme.md")).error()).extracting(ToolError::code)
				.isEqualTo("not_a_directory");
			assertThat(call("List", Map.of("path", "missing")).error()).extracting(ToolError::code)
				.isEqualTo("file_not_found");
			assertThat(call("List", Map.of("depth", 0)).error()).extracting(ToolError::code)
				.isEqualTo("invalid_arguments");
			assertThat(call("List", Map.of("ignore", List.of("a["))).text()).contains("position 2");
		}

	}

	@Nested
	class Info {

		@Test
		void infoCountsWorkspaceExactly() {
			ToolResult result = call("Info", Map.of());
			assertThat(result.data()).containsEntry("fileCount", 6L)
				.containsEntry("dirCount", 3L)
				.containsEntry("totalSize", 97L)
				.containsKey("lastModified");
			assertThat(result.complete().complete()).isTrue();
		}

		@Test
		void infoDescribesTextFile() {
			write("dos.txt", "\uFEFFa\r\nb\r\nc");
			assertThat(call("Info", Map.of("path", "dos.txt")).data()).containsEntry("type", "file")
				.containsEntry("size", 10L)
				.containsEntry("charset", "UTF-8")
				.containsEntry("byteOrderMark", true)
				.containsEntry("lines", 3L)
				.containsEntry("lineEnds", "CRLF")
				.containsEntry("endsWithLineEnd", false)
				.containsKeys("version", "modified");
		}

		@ParameterizedTest
		@CsvSource({ "'',0,none", "a,1,none", "'a\n',1,LF", "'a\nb',2,LF", "'a\r\nb\n',2,mixed", "'a\rb',1,CR",
				"'a\r\n',1,CRLF" })
		void infoReportsLineEnds(String text, long lines, String style) {
			write("ends.txt", text);
			assertThat(call("Info", Map.of("path", "ends.txt")).data()).containsEntry("lines", lines)
				.containsEntry("lineEnds", style);
		}

		@Test
		void infoDescribesDirectory() {
			assertThat(call("Info", Map.of("path", "src")).data()).containsEntry("type", "directory")
				.containsEntry("entries", 2L);
		}

		@Test
		void infoSuggestsSimilarNameForMissingFile() {
			ToolResult result = call("Info", Map.of("path", "readme.txt"));
			assertThat(result.error()).extracting(ToolError::code).isEqualTo("file_not_found");
			assertThat(result.text()).contains("Did you mean 'readme.md'?");
		}

	}

	@Test
	void pathsInResultsAreValidArgumentsInAnyDirectory() {
		this.context.session().currentDirectory(this.context.files().resolve("src", this.context.files().root()));
		assertThat(call("Grep", Map.of("pattern", "foo")).text()).startsWith("Main.java\ndeep/Other.java\n(2 files");
		for (String tool : List.of("Glob", "Grep", "List")) {
			Map<String, Object> arguments = tool.equals("List") ? Map.of("path", ".", "depth", 3)
					: Map.of("pattern", tool.equals("Glob") ? "**" : "foo", "path", ".");
			ToolResult result = call(tool, arguments);
			List<String> paths = result.text()
				.lines()
				.filter((line) -> !line.startsWith("("))
				.map((line) -> line.replaceFirst("\t.*", "").replaceFirst("/$", ""))
				.toList();
			assertThat(paths).hasSizeGreaterThanOrEqualTo(2)
				.allSatisfy((path) -> assertThat(call("Info", Map.of("path", path)).error()).isNull());
		}
	}

	@Test
	void searchToolsAreReadOnlyAndDeclareTheirParameters() {
		assertThat(this.catalog.definitions()).allSatisfy((definition) -> {
			assertThat(definition.annotations()).isEqualTo(ToolAnnotations.READ_ONLY);
			assertThat(definition.inputSchema()).containsKey("properties");
		});
		assertThat(this.catalog.definitions().get(3).inputSchema().get("properties")).asString()
			.contains("-A=", "-B=", "-C=", "-n=", "-i=", "head_limit=", "output_mode=");
	}

}
