package io.kairo.tools.file;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReadTool}, over files on disk.
 */
class ReadToolTests {

	private final ToolCatalog catalog = ToolCatalog.of(java.util.List.of(new ReadTool()), java.util.List.of());

	@TempDir
	Path directory;

	private ToolContext context;

	@BeforeEach
	void openWorkspace() {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.directory)
			.acquire(WorkspaceRequest.writable(null));
		this.context = ToolContext.builder(workspace).build();
	}

	@Test
	void cancelledReadReturnsErrorAndRecordsNoVersion() throws Exception {
		Files.write(this.directory.resolve("a.txt"), new byte[] { 'x', '\n' });
		this.context.cancellation().cancel();
		ToolResult result = this.catalog.call(new ToolCall("", "Read", Map.of("file_path", "a.txt")), this.context);
		assertThat(result.error()).extracting(ToolError::code).isEqualTo("cancelled");
		assertThat(this.context.session()
			.ledger()
			.version(this.context.files().resolve("a.txt", this.context.session().currentDirectory()))).isNull();
	}

	@Nested
	class Bounds {

		private static final byte[] START = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);

		@Test
		@Timeout(30)
		void endlessLineIsCut() throws Exception {
			endless(1L << 40);
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(result.text()).startsWith("     1\tone\n     2\txxxxxx")
				.contains("… [cut: the line has at least 268,")
				.endsWith("(lines 1-2 of more than 1; stopped after a line of more than 268,435,456 bytes, in line 2: "
						+ "use a command to see more; 1 line cut at 2,000 characters)");
			assertThat(result.complete().complete()).isFalse();
			assertThat(result.data()).containsEntry("totalLines", -1L);
		}

		@Test
		@Timeout(30)
		void linesBehindEndlessLineAreNotReached() throws Exception {
			endless(1L << 40);
			ToolResult result = read(Map.of("file_path", "a.txt", "offset", 7));
			assertThat(result.error()).isNull();
			assertThat(result.text()).startsWith("(line 7 was not reached; stopped after a line of more than ");
		}

		@Test
		@Timeout(30)
		void readEndsAtTheDeadline() throws Exception {
			endless(1L << 40);
			ToolContext context = ReadToolTests.this.context;
			ToolResult result = new ReadTool(ReadOptions.defaults().withDeadline(Duration.ofNanos(1)))
				.call(Map.of("file_path", "a.txt"), context);
			assertThat(result.text()).startsWith("     1\tone\n     2\txxxxxx")
				.contains("stopped after 0.0 seconds, in line 2");
			ToolResult file = new ReadFileTool(ReadOptions.defaults().withDeadline(Duration.ofNanos(1)))
				.call(Map.of("path", "a.txt", "offset", 1), context);
			assertThat(file.text()).contains("stopped after 0.0 seconds, in line 2");
			assertThat(file.complete().complete()).isFalse();
		}

		private void endless(long size) throws Exception {
			try (RandomAccessFile file = new RandomAccessFile(ReadToolTests.this.directory.resolve("a.txt").toFile(),
					"rw")) {
				file.write("one\n".getBytes(StandardCharsets.US_ASCII));
				file.write(START);
				file.setLength(size);
			}
		}

	}

	@Nested
	class Pages {

		@Test
		void readReturnsWholeSmallFileWithGutterAndFooter() throws Exception {
			write("a.txt", "one\ntwo\n");
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(result.text()).isEqualTo("     1\tone\n     2\ttwo\n(lines 1-2 of 2; end of file)");
			assertThat(result.complete().complete()).isTrue();
			assertThat(result.data()).containsEntry("totalLines", 2L)
				.containsEntry("charset", "UTF-8")
				.containsEntry("path", "a.txt");
			assertThat(result.data().get("version")).asString().startsWith("sha256:");
		}

		@Test
		void rangeShowsItsPositionAndNextOffset() throws Exception {
			write("a.txt", FileToolsFixture.lines(10));
			ToolResult result = read(Map.of("file_path", "a.txt", "offset", 4, "limit", 3));
			assertThat(result.text()).isEqualTo("     4\tline 4\n     5\tline 5\n     6\tline 6\n"
					+ "(lines 4-6 of 10; stopped at 3 lines, continue with offset=7)");
			assertThat(result.complete().complete()).isFalse();
			assertThat(result.complete().next()).isEqualTo(Map.of("file_path", "a.txt", "offset", 7L, "limit", 3));
			assertThat(read(result.complete().next()).text()).startsWith("     7\tline 7\n");
		}

		@Test
		void rangeUpToEndOfFileIsComplete() throws Exception {
			write("a.txt", FileToolsFixture.lines(10));
			assertThat(read(Map.of("file_path", "a.txt", "offset", 8, "limit", 3)).text())
				.endsWith("(lines 8-10 of 10; end of file)");
		}

		@Test
		void readReturnsTwoThousandLinesByDefault() throws Exception {
			write("a.txt", FileToolsFixture.lines(2001));
			assertThat(read(Map.of("file_path", "a.txt")).text())
				.endsWith("(lines 1-2,000 of 2,001; stopped at 2,000 lines, continue with offset=2001)");
		}

		@Test
		void offsetBeyondEndShowsNumberOfLines() throws Exception {
			write("a.txt", FileToolsFixture.lines(3));
			ToolResult result = read(Map.of("file_path", "a.txt", "offset", 9));
			assertThat(result.error()).isNull();
			assertThat(result.text()).isEqualTo("(no line 9: the file has 3 lines)");
		}

		@Test
		void readReportsEmptyFile() throws Exception {
			write("a.txt", "");
			assertThat(read(Map.of("file_path", "a.txt")).text()).isEqualTo("(the file is empty)");
		}

		@Test
		void readReturnsRangeOfLargeFile() throws Exception {
			try (OutputStream out = new BufferedOutputStream(
					Files.newOutputStream(ReadToolTests.this.directory.resolve("big.log")))) {
				for (int i = 1; i <= 400_000; i++) {
					out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
				}
			}
			ToolResult result = read(Map.of("file_path", "big.log", "offset", 399_999, "limit", 5));
			assertThat(result.text())
				.isEqualTo("399999\tline 399999\n400000\tline 400000\n(lines 399,999-400,000 of 400,000; end of file)");
			assertThat(result.data().get("version")).asString().startsWith("stat:");
		}

		@Test
		void readRecordsVersionInSession() throws Exception {
			write("a.txt", "one");
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(ReadToolTests.this.context.session()
				.ledger()
				.version(ReadToolTests.this.context.files().root().child("a.txt")))
				.isEqualTo(result.data().get("version"));
		}

	}

	@Nested
	class ControlCharacters {

		private static final String LINE = "a\u001B]52;c;aGk=\u0007\u202Eb";

		@Test
		void controlCharactersAreShownInVisibleForm() throws Exception {
			write("a.txt", "one\ttwo\n" + LINE + "\r\n");
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(result.text()).startsWith("     1\tone\ttwo\n     2\ta\\u001b]52;c;aGk=\\u0007\\u202eb\n(")
				.contains("1 line with control characters, shown as \\uXXXX: to edit such a line, give the character "
						+ "itself, which is \\uXXXX in JSON, or a part of the line without it");
			assertThat(result.complete().complete()).isTrue();
			assertThat(result.data()).containsEntry("lineEnds", "CRLF");
		}

		@Test
		void visibleFormCountsTowardsMaximumOfCharacters() throws Exception {
			write("a.txt", ("\u202E".repeat(1000) + "\n").repeat(200));
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(result.text()).hasSizeLessThan(257 << 10).contains("stopped at 262,144 characters");
		}

		@Test
		void shownLineIsEditedByItsCharacters() throws Exception {
			FileToolsFixture tools = new FileToolsFixture(ReadToolTests.this.directory);
			tools.put("a.txt", LINE + "\n");
			assertThat(tools.read("a.txt").text()).contains("a\\u001b");
			assertThat(tools.edit("a.txt", LINE, "clean").error()).isNull();
			assertThat(tools.get("a.txt")).isEqualTo("clean\n");
		}

		@Test
		void readFileReturnsCharactersThemselves() throws Exception {
			write("a.txt", LINE + "\n");
			ToolResult result = new ReadFileTool(ReadOptions.defaults()).call(Map.of("path", "a.txt"),
					ReadToolTests.this.context);
			assertThat(result.data()).containsEntry("content", LINE + "\n");
			assertThat(result.text()).startsWith("     1\t" + LINE + "\n(lines 1-1 of 1; end of file)");
		}

	}

	@Nested
	class Encodings {

		@ParameterizedTest
		@ValueSource(strings = { "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-8" })
		void readDecodesTextWithByteOrderMark(String charset) throws Exception {
			String text = "Grüße\n漢字 😀\n".repeat(60_000);
			Files.write(ReadToolTests.this.directory.resolve("a.txt"), ("\uFEFF" + text).getBytes(charset));
			ToolResult result = read(Map.of("file_path", "a.txt", "offset", 119_999));
			assertThat(result.text())
				.isEqualTo("119999\tGrüße\n120000\t漢字 😀\n(lines 119,999-120,000 of 120,000; " + "end of file)");
			assertThat(result.data()).containsEntry("charset", charset);
		}

		@Test
		void readDecodesLatinText() throws Exception {
			Files.write(ReadToolTests.this.directory.resolve("a.txt"),
					"Größe für später\r\n".getBytes(StandardCharsets.ISO_8859_1));
			ToolResult result = read(Map.of("file_path", "a.txt"));
			assertThat(result.text()).startsWith("     1\tGröße für später\n");
			assertThat(result.data()).containsEntry("lineEnds", "CRLF");
		}

		@Test
		void readReportsReplacedBytes() throws Exception {
			byte[] bytes = ("x".repeat(99) + "\n").repeat(20_000).getBytes(StandardCharsets.UTF_8);
			bytes[bytes.length - 2] = (byte) 0xE9;
			Files.write(ReadToolTests.this.directory.resolve("a.txt"), bytes);
			assertThat(read(Map.of("file_path", "a.txt", "offset", 20_000)).text())
				.contains("some bytes are no UTF-8 and are shown as \uFFFD");
		}

		@Test
		void readResultDoesNotDependOnLocale() throws Exception {
			write("a.txt", FileToolsFixture.lines(5000));
			Locale before = Locale.getDefault();
			Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
			try {
				assertThat(read(Map.of("file_path", "a.txt", "offset", 4999, "limit", 1)).text())
					.isEqualTo("  4999\tline 4999\n(lines 4,999-4,999 of 5,000; stopped at 1 line, continue with "
							+ "offset=5000)");
			}
			finally {
				Locale.setDefault(before);
			}
		}

		@Test
		void readRejectsImageAndNamesItsType() throws Exception {
			Files.write(ReadToolTests.this.directory.resolve("a.png"),
					new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 26, '\n' });
			ToolResult result = read(Map.of("file_path", "a.png"));
			assertThat(result.error().code()).isEqualTo("unsupported_file_type");
			assertThat(result.text()).contains("'a.png' is a PNG image of 8 bytes");
		}

	}

	@Nested
	class Paths {

		@Test
		void relativePathResolvesAgainstWorkspaceNotJvmDirectory() throws Exception {
			write("pom.xml", "mine\n");
			assertThat(read(Map.of("file_path", "pom.xml")).text()).contains("mine");
		}

		@Test
		void relativePathResolvesAgainstCurrentDirectoryOfSession() throws Exception {
			write("sub/a.txt", "below\n");
			ToolContext context = ReadToolTests.this.context;
			context.session().currentDirectory(context.files().root().child("sub"));
			assertThat(read(Map.of("file_path", "a.txt")).text()).contains("below");
		}

		@ParameterizedTest
		@ValueSource(strings = { "/etc/passwd", "../../../../../../etc/passwd", "sub/../../outside" })
		void pathOutsideWorkspaceIsBlocked(String path) {
			ToolResult result = read(Map.of("file_path", path));
			assertThat(result.error().code()).isEqualTo("path_traversal_blocked");
			assertThat(result.text()).doesNotContain("root:");
		}

		@Test
		void linkOutOfWorkspaceIsBlocked() throws Exception {
			Files.createSymbolicLink(ReadToolTests.this.directory.resolve("link"), Path.of("/etc/passwd"));
			assertThat(read(Map.of("file_path", "link")).error().code()).isEqualTo("path_traversal_blocked");
		}

		@Test
		void missingFileErrorSuggestsSimilarName() throws Exception {
			write("src/Application.java", "x");
			write("src/other.txt", "x");
			ToolResult result = read(Map.of("file_path", "src/Aplication.java"));
			assertThat(result.error().code()).isEqualTo("file_not_found");
			assertThat(result.text()).endsWith("Did you mean 'src/Application.java'?");
		}

		@Test
		void readListsDirectory() throws Exception {
			write("sub/b.txt", "x");
			write("sub/inner/c.txt", "x");
			ToolResult result = read(Map.of("file_path", "sub"));
			assertThat(result.text()).isEqualTo("sub/b.txt\nsub/inner/\n('sub' is a directory with 2 entries)");
			assertThat(read(Map.of("file_path", "sub/inner/")).text()).startsWith("sub/inner/c.txt\n");
		}

		@Test
		void readListsLargeDirectoryInPages() throws Exception {
			for (int i = 100; i < 120; i++) {
				write("many/" + i, "x");
			}
			ToolResult result = read(Map.of("file_path", "many", "offset", 5, "limit", 3));
			assertThat(result.text()).isEqualTo("many/104\nmany/105\nmany/106\n('many' is a directory with 20 entries; "
					+ "stopped at entry 7, continue with offset=8)");
			assertThat(read(result.complete().next()).text()).startsWith("many/107\n");
		}

		@Test
		void concurrentReadsStayInTheirWorkspaces() throws Exception {
			Thread[] threads = new Thread[5];
			String[] seen = new String[5];
			for (int i = 0; i < 5; i++) {
				write("w" + i + "/name.txt", "workspace " + i + "\n");
				Workspace workspace = new LocalDirectoryWorkspaceProvider(ReadToolTests.this.directory)
					.acquire(WorkspaceRequest.writable("w" + i));
				int number = i;
				threads[i] = new Thread(() -> seen[number] = ReadToolTests.this.catalog
					.call(new ToolCall("", "Read", Map.of("file_path", "name.txt")),
							ToolContext.builder(workspace).build())
					.text());
			}
			for (Thread thread : threads) {
				thread.start();
			}
			for (Thread thread : threads) {
				thread.join();
			}
			for (int i = 0; i < 5; i++) {
				assertThat(seen[i]).startsWith("     1\tworkspace " + i + "\n");
			}
		}

	}

	private ToolResult read(Map<String, Object> arguments) {
		return this.catalog.call(new ToolCall("", "Read", arguments), this.context);
	}

	private void write(String path, String content) throws Exception {
		Path file = this.directory.resolve(path);
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
	}

}
