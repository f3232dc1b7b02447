package io.kairo.tools.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the search tools over files on disk, including links, pipes and file times.
 */
class DiskSearchToolsTests extends SearchToolsContract {

	@TempDir
	Path directory;

	@Override
	ToolContext open() {
		return open(this.directory);
	}

	private static ToolContext open(Path directory) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(directory).acquire(WorkspaceRequest.writable(null));
		return ToolContext.builder(workspace).build();
	}

	@Test
	void filesThatNoPathCanNameAreCounted() throws IOException {
		write("x", "needle");
		Path deepest = Files.createDirectories(this.directory.resolve("d/".repeat(257)));
		Files.writeString(deepest.resolveSibling("x"), "needle");
		Files.writeString(deepest.resolve("x"), "needle");
		for (ToolResult result : List.of(call("Glob", Map.of("pattern", "**/x")),
				call("Grep", Map.of("pattern", "needle")))) {
			assertThat(result.error()).isNull();
			assertThat(result.text().lines()).first().isEqualTo("x");
			assertThat(result.text()).contains("2 unreadable").doesNotContain("d/");
		}
	}

	@Test
	void globReturnsNewestFilesFirst() throws IOException {
		for (int i = 0; i < 5; i++) {
			write("t/f" + (i * 3 % 5), "x");
			Files.setLastModifiedTime(this.directory.resolve("t/f" + (i * 3 % 5)),
					FileTime.from(Instant.ofEpochSecond(1_000_000 + i)));
		}
		Files.setLastModifiedTime(this.directory.resolve("t/f0"), FileTime.from(Instant.ofEpochSecond(1_000_001)));
		assertThat(call("Glob", Map.of("pattern", "t/*")).text().lines().limit(5)).containsExactly("t/f2", "t/f4",
				"t/f1", "t/f0", "t/f3");
		assertThat(call("Glob", Map.of("pattern", "t/*", "limit", 2, "offset", 1)).text().lines().limit(2))
			.containsExactly("t/f4", "t/f1");
	}

	@Test
	void globAcceptsAbsolutePattern() {
		assertThat(call("Glob", Map.of("pattern", this.directory + "/src/**/*.java")).text()).startsWith("src/")
			.contains("2 of 2 files");
		String several = this.directory + "/src/**/*.java,!" + this.directory + "/src/deep/* *.md";
		assertThat(call("Grep", Map.of("pattern", "foo", "glob", several)).text())
			.startsWith("readme.md\nsrc/Main.java\n(2 files");
		assertThat(call("Glob", Map.of("pattern", "/etc/*")).error()).extracting(ToolError::code)
			.isEqualTo("path_traversal_blocked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[slug]", "a{b}/c,d", "[z-a] e.f" })
	void globAcceptsAbsolutePatternBelowRootThatLooksLikeOne(String root) throws IOException {
		Path directory = Files.createDirectories(this.directory.resolve(root));
		this.context = open(directory);
		write("src/Main.java", "x");
		assertThat(call("Glob", Map.of("pattern", directory + "/src/*.java")).text()).startsWith("src/Main.java\n");
		assertThat(call("Glob", Map.of("pattern", directory + "/**/*.java")).text()).startsWith("src/Main.java\n");
		for (String glob : List.of("/src/*.java", "/**/*.java", "/*/Main.java")) {
			assertThat(call("Grep", Map.of("pattern", "x", "glob", directory + glob)).text()).as(glob)
				.startsWith("src/Main.java\n");
		}
		assertThat(call("Grep", Map.of("pattern", "x", "glob", directory + "/*.java")).text())
			.startsWith("(no matches");
		assertThat(call("Grep", Map.of("pattern", "x", "glob", "/src/*.java")).text()).startsWith("src/Main.java\n");
		assertThat(call("Glob", Map.of("pattern", this.directory + "/*/src/*.java")).error())
			.extracting(ToolError::code)
			.isEqualTo("path_traversal_blocked");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void namesWithControlCharactersAreCountedButNotShown() throws IOException {
		Files.writeString(this.directory.resolve("x\nreadme.md:1:forged"), "foo");
		Files.writeString(this.directory.resolve("x\u001b[2J"), "foo");
		for (String tool : List.of("Glob", "Grep")) {
			ToolResult result = call(tool, Map.of("pattern", tool.equals("Glob") ? "**" : "foo"));
			assertThat(result.text()).doesNotContain("forged", "\u001b").contains("2 unreadable");
			assertThat(result.complete().complete()).isFalse();
		}
		assertThat(call("List", Map.of()).text()).doesNotContain("forged", "\u001b")
			.contains("at least 2 cannot be shown");
		assertThat(call("Info", Map.of()).complete().complete()).isFalse();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void pipesAndLinksOutOfWorkspaceAreSkipped(@TempDir Path outside) throws Exception {
		Files.writeString(outside.resolve("secret.txt"), "foo");
		Files.createSymbolicLink(this.directory.resolve("out"), outside);
		Files.createSymbolicLink(this.directory.resolve("secret.txt"), outside.resolve("secret.txt"));
		assertThat(new ProcessBuilder("mkfifo", this.directory.resolve("pipe").toString()).start().waitFor()).isZero();
		assertThat(call("Grep", Map.of("pattern", "foo")).text()).doesNotContain("secret").contains("2 links");
		assertThat(call("Glob", Map.of("pattern", "**/*.txt")).text()).doesNotContain("secret");
		assertThat(call("Glob", Map.of("pattern", "out/*")).error()).extracting(ToolError::code)
			.isEqualTo("path_traversal_blocked");
		assertThat(call("List", Map.of("depth", 3)).text()).contains("out\tlink\n", "pipe\tno regular file\n")
			.doesNotContain("out/secret");
		assertThat(call("Info", Map.of()).data()).containsEntry("fileCount", 6L).containsEntry("links", 2L);
		for (String path : List.of("pipe", "out", "secret.txt")) {
			assertThat(call("Grep", Map.of("pattern", "foo", "path", path)).error()).isNotNull();
		}
	}

	@Test
	void binaryFilesAreSkippedAndCounted() throws IOException {
		Files.write(this.directory.resolve("a.bin"), new byte[] { 'f', 'o', 'o', 0 });
		Files.write(this.directory.resolve("wide.txt"), "\uFEFFfoo\n".getBytes(StandardCharsets.UTF_16LE));
		ToolResult result = call("Grep", Map.of("pattern", "foo"));
		assertThat(result.text()).contains("1 file binary", "wide.txt\n");
		assertThat(call("Info", Map.of("path", "wide.txt")).data()).containsEntry("charset", "UTF-16LE")
			.containsEntry("lines", 1L)
			.containsEntry("lineEnds", "LF");
		assertThat(call("Info", Map.of("path", "a.bin")).data()).containsEntry("content", "binary data");
	}

	@Test
	void concurrentSearchesStayInTheirWorkspaces(@TempDir Path base) throws Exception {
		List<CompletableFuture<Void>> agents = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			String name = "w" + i;
			Files.createDirectories(base.resolve(name).resolve("d"));
			ToolContext agent = open(base.resolve(name));
			for (int j = 0; j < 30; j++) {
				agent.files().tryWriteFile("d" + j + "/" + name + ".txt", "needle of " + name).value();
			}
			agents.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < 10; round++) {
					ToolResult found = this.catalog.call(
							new ToolCall("1", "Grep", Map.of("pattern", "needle of (w\\d)", "output_mode", "content")),
							agent);
					assertThat(found.text().lines().toList()).hasSize(31)
						.first()
						.isEqualTo("d0/" + name + ".txt:1:needle of " + name);
					assertThat(this.catalog.call(new ToolCall("1", "Glob", Map.of("pattern", "**")), agent).data())
						.containsEntry("total", 30L);
				}
			}));
		}
		CompletableFuture.allOf(agents.toArray(CompletableFuture[]::new)).get();
	}

}
