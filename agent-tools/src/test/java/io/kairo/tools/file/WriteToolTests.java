package io.kairo.tools.file;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WriteTool}, over files on disk.
 */
class WriteToolTests {

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		this.tools = new FileToolsFixture(directory);
	}

	@Test
	void writeOfLongFileDoesNotCountLines() throws Exception {
		this.tools.put("a.txt", "a\n".repeat(600_000));
		this.tools.read("a.txt");
		ToolResult result = this.tools.write("a.txt", "b\n".repeat(600_000));
		assertThat(result.data()).containsEntry("outcome", "replaced").doesNotContainKey("linesAdded");
	}

	@Nested
	class NewFiles {

		@Test
		void writeCreatesFileAndMissingDirectories() throws Exception {
			ToolResult result = WriteToolTests.this.tools.write("a/b/c.txt", "Grüße\r\nzwei\n");
			assertThat(result.text()).isEqualTo("Created 'a/b/c.txt' (14 bytes).");
			assertThat(WriteToolTests.this.tools.get("a/b/c.txt")).isEqualTo("Grüße\r\nzwei\n");
			assertThat(result.data()).containsEntry("path", "a/b/c.txt")
				.containsEntry("outcome", "created")
				.containsEntry("bytes", 14)
				.containsEntry("version", WriteToolTests.this.tools.read("a/b/c.txt").data().get("version"));
		}

		@Test
		void relativePathResolvesAgainstCurrentDirectoryOfSession() throws Exception {
			WriteToolTests.this.tools.put("sub/x", "");
			ToolContext context = WriteToolTests.this.tools.context();
			context.session().currentDirectory(context.files().root().child("sub"));
			assertThat(WriteToolTests.this.tools.write("a.txt", "x").data()).containsEntry("path", "a.txt");
			assertThat(WriteToolTests.this.tools.get("sub/a.txt")).isEqualTo("x");
			String shown = WriteToolTests.this.tools.write("../up.txt", "x").data().get("path").toString();
			assertThat(WriteToolTests.this.tools.read(shown).error()).isNull();
		}

		@Test
		void writeRejectsUnpairedSurrogate() {
			ToolResult result = WriteToolTests.this.tools.write("a.txt", "ok \uD83D");
			assertThat(result.error().code()).isEqualTo("unmappable_characters");
			assertThat(WriteToolTests.this.tools.directory().resolve("a.txt")).doesNotExist();
		}

		@Test
		void writeRejectsContentAboveLimit() {
			ToolResult result = ToolCatalog.of(List.of(new WriteTool(new WriteOptions(10, 60))), List.of())
				.call(new ToolCall("", "Write", Map.of("file_path", "a.txt", "content", "x".repeat(11))),
						WriteToolTests.this.tools.context());
			assertThat(result.error().code()).isEqualTo("too_large");
			assertThat(WriteToolTests.this.tools.directory().resolve("a.txt")).doesNotExist();
		}

	}

	@Nested
	class Replacing {

		@Test
		void writeReportsAddedAndRemovedLines() throws Exception {
			replaceable("a.txt", "one\ntwo\nthree\n".getBytes());
			ToolResult result = WriteToolTests.this.tools.write("a.txt", "one\n2\n3\n4\n");
			assertThat(result.text()).isEqualTo("Replaced 'a.txt' (10 bytes; 3 lines added, 2 removed).");
		}

		@Test
		void writeLeavesFileWithSameContentUntouched() throws Exception {
			WriteToolTests.this.tools.put("a.txt", "same\r\n");
			Path file = WriteToolTests.this.tools.directory().resolve("a.txt");
			FileTime past = FileTime.fromMillis(1000);
			Files.setLastModifiedTime(file, past);
			ToolResult result = WriteToolTests.this.tools.write("a.txt", "same\n");
			assertThat(result.data()).containsEntry("outcome", "unchanged");
			assertThat(Files.getLastModifiedTime(file)).isEqualTo(past);
		}

		@Test
		void writeKeepsLineEndsOfFile() throws Exception {
			replaceable("a.txt", "one\r\ntwo\r\n".getBytes());
			WriteToolTests.this.tools.write("a.txt", "1\n2\r\n3");
			assertThat(WriteToolTests.this.tools.get("a.txt")).isEqualTo("1\r\n2\r\n3");
			replaceable("b.txt", "one\ntwo\n".getBytes());
			WriteToolTests.this.tools.write("b.txt", "1\r\n2\n");
			assertThat(WriteToolTests.this.tools.get("b.txt")).isEqualTo("1\n2\n");
		}

		@ParameterizedTest
		@ValueSource(strings = { "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE" })
		void writeKeepsByteOrderMarkAndCharset(String charset) throws Exception {
			replaceable("a.txt", "\uFEFFalt\r\n".getBytes(charset));
			WriteToolTests.this.tools.write("a.txt", "neu 漢字\n");
			assertThat(WriteToolTests.this.tools.bytes("a.txt")).isEqualTo("\uFEFFneu 漢字\r\n".getBytes(charset));
			WriteToolTests.this.tools.write("a.txt", "\uFEFFmit Marke\n");
			assertThat(WriteToolTests.this.tools.bytes("a.txt")).isEqualTo("\uFEFFmit Marke\r\n".getBytes(charset));
		}

		@Test
		void writeRejectsCharactersMissingFromCharset() throws Exception {
			byte[] latin = "Größe für später\n".getBytes("windows-1252");
			replaceable("a.txt", latin);
			ToolResult result = WriteToolTests.this.tools.write("a.txt", "ok\nab漢\n");
			assertThat(result.error().code()).isEqualTo("unmappable_characters");
			assertThat(result.text()).contains("windows-1252").contains("in line 2, column 3");
			assertThat(WriteToolTests.this.tools.bytes("a.txt")).isEqualTo(latin);
			WriteToolTests.this.tools.write("a.txt", "kürzer\n");
			assertThat(WriteToolTests.this.tools.bytes("a.txt")).isEqualTo("kürzer\n".getBytes("windows-1252"));
		}

		@Test
		void writeKeepsFileMode() throws Exception {
			replaceable("a.sh", "x".getBytes());
			Path file = WriteToolTests.this.tools.directory().resolve("a.sh");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
			WriteToolTests.this.tools.write("a.sh", "y");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rwxr-x---");
		}

		@Test
		void writeReplacesBinaryFileOnlyWithExpectedVersion() throws Exception {
			WriteToolTests.this.tools.put("a.bin", new byte[] { 0, 1, 2 });
			ToolResult result = WriteToolTests.this.tools.write("a.bin", "text");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("binary data");
			assertThat(WriteToolTests.this.tools
				.call("Write", Map.of("file_path", "a.bin", "content", "text", "expected_version",
						result.data().get("currentVersion")))
				.error()).isNull();
			assertThat(WriteToolTests.this.tools.get("a.bin")).isEqualTo("text");
		}

		private void replaceable(String path, byte[] content) throws Exception {
			WriteToolTests.this.tools.put(path, content);
			WriteToolTests.this.tools.read(path);
		}

	}

	@Nested
	class Refusals {

		@Test
		void writeRejectsDirectory() throws Exception {
			WriteToolTests.this.tools.put("sub/a.txt", "x");
			assertThat(WriteToolTests.this.tools.write("sub", "x").error().code()).isEqualTo("is_a_directory");
			assertThat(WriteToolTests.this.tools.write("sub/a.txt/b", "x").error().code()).isEqualTo("not_a_directory");
		}

		@Test
		void writeThroughLinkOutOfWorkspaceIsBlocked(@TempDir Path outside) throws Exception {
			Files.createSymbolicLink(WriteToolTests.this.tools.directory().resolve("link"), outside.resolve("x"));
			assertThat(WriteToolTests.this.tools.write("link", "x").error().code()).isEqualTo("path_traversal_blocked");
			assertThat(outside).isEmptyDirectory();
		}

		@Test
		void writeRejectsExistingFileWhenAbsentIsExpected() throws Exception {
			WriteToolTests.this.tools.put("a.txt", "x");
			WriteToolTests.this.tools.read("a.txt");
			ToolResult result = WriteToolTests.this.tools.call("Write",
					Map.of("file_path", "a.txt", "content", "y", "expected_version", "absent"));
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("was expected to be absent");
		}

	}

	@Test
	void concurrentWritesStayInTheirWorkspaces() throws Exception {
		FileToolsFixture[] workspaces = new FileToolsFixture[5];
		Thread[] threads = new Thread[5];
		for (int i = 0; i < 5; i++) {
			Path root = Files.createDirectory(this.tools.directory().resolve("w" + i));
			workspaces[i] = new FileToolsFixture(root);
			FileToolsFixture mine = workspaces[i];
			String name = "workspace " + i;
			threads[i] = new Thread(() -> {
				for (int n = 0; n < 20; n++) {
					mine.write("name.txt", name + " " + n + "\n");
					mine.edit("name.txt", name + " " + n, name + " edited " + n);
				}
			});
		}
		for (Thread thread : threads) {
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		for (int i = 0; i < 5; i++) {
			assertThat(workspaces[i].get("name.txt")).isEqualTo("workspace " + i + " edited 19\n");
			assertThat(this.tools.directory().resolve("w" + i))
				.isDirectoryContaining((path) -> path.endsWith("name.txt"));
		}
	}

}
