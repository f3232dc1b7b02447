package io.kairo.tools.file;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReadTool}, for ranges of characters.
 */
class ReadCharactersTests {

	@TempDir
	Path directory;

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace() {
		this.tools = new FileToolsFixture(this.directory);
	}

	private ToolResult read(Map<String, Object> arguments) {
		return this.tools.call("Read", arguments);
	}

	@Test
	void cutLineNamesCallThatReadsOn() throws Exception {
		this.tools.put("a.txt", "one\n" + "x".repeat(2000) + "😀".repeat(21_000) + "\nthree\n");
		ToolResult result = read(Map.of("file_path", "a.txt"));
		assertThat(result.text())
			.contains("x… [cut: the line has 86,000 bytes; offset=2, column=2001 reads on]\n     3\tthree\n");
		assertThat(result.complete().next())
			.isEqualTo(Map.of("file_path", "a.txt", "offset", 2L, "limit", 20_000, "column", 2001L));
		ToolResult rest = read(Map.of("file_path", "a.txt", "offset", 2, "column", 2001));
		assertThat(rest.text()).isEqualTo("     2\t" + "😀".repeat(20_000)
				+ "\n(line 2 of 3 from character 2,001 to 22,000; continue with offset=2, column=22001)");
		rest = read(rest.complete().next());
		assertThat(rest.text()).isEqualTo("     2\t" + "😀".repeat(1000)
				+ "\n(line 2 of 3 from character 22,001 to its end; stopped at 1 line, continue with offset=3)");
		assertThat(read(rest.complete().next()).text()).isEqualTo("     3\tthree\n(lines 3-3 of 3; end of file)");
	}

	@Test
	void limitCountsCharacters() throws Exception {
		this.tools.put("a.txt", "one two\r\n");
		assertThat(read(Map.of("file_path", "a.txt", "column", 2, "limit", 4)).text())
			.isEqualTo("     1\tne t\n(line 1 of 1 from character 2 to 5; continue with offset=1, column=6)");
		assertThat(read(Map.of("file_path", "a.txt", "column", 6, "limit", 2)).text())
			.isEqualTo("     1\two\n(line 1 of 1 from character 6 to its end; end of file)");
		assertThat(
				new ReadFileTool().call(Map.of("path", "a.txt", "column", 2, "limit", 4), this.tools.context()).data())
			.containsEntry("content", "ne t");
		assertThat(read(Map.of("file_path", "a.txt", "column", 9)).text())
			.isEqualTo("     1\t\n(line 1 of 1 ends before character 9; end of file)");
		assertThat(read(Map.of("file_path", "a.txt", "column", 0)).text()).startsWith("     1\tone two\n");
	}

	@Test
	void shownFormOfCharactersFitsIntoResult() throws Exception {
		this.tools.put("a.txt", "\u202E".repeat(300_000));
		ToolResult result = read(Map.of("file_path", "a.txt", "column", 2001, "limit", 262_144));
		assertThat(result.text()).hasSizeLessThan(257 << 10).contains("continue with offset=1, column=34769; ");
	}

	@Test
	void carriageReturnAtEndOfFileIsShown() throws Exception {
		this.tools.put("a.txt", "one\r");
		assertThat(read(Map.of("file_path", "a.txt")).text()).startsWith("     1\tone\\u000d\n");
	}

	@Test
	void endlessLineIsReadByCharacters() throws Exception {
		try (RandomAccessFile file = new RandomAccessFile(this.directory.resolve("a.txt").toFile(), "rw")) {
			file.write("x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII));
			file.setLength(1L << 40);
		}
		assertThat(read(Map.of("file_path", "a.txt", "column", 2001, "limit", 3)).text()).startsWith(
				"     1\txxx\n(line 1 from character 2,001 to 2,003; continue with offset=1, " + "column=2004)");
	}

}
