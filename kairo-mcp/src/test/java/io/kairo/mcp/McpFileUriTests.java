package io.kairo.mcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link McpFileUri}.
 */
class McpFileUriTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "a.txt|a.txt", "src/App.java|src/App.java", "a b#c?d%.txt|a%20b%23c%3Fd%25.txt",
					"ä/日本.md|%C3%A4/%E6%97%A5%E6%9C%AC.md", "a\\b|a%5Cb", "...|...", "~x-y_z|~x-y_z",
					"😀|%F0%9F%98%80" })
	void pathIsEncodedAndDecoded(String path, String encoded) {
		String uri = "kairo://workspace/" + encoded;
		assertThat(new McpFileUri(path)).hasToString(uri);
		assertThat(McpFileUri.parse(uri).path()).isEqualTo(path);
	}

	@Test
	void otherSpellingsAreAccepted() {
		assertThat(McpFileUri.parse("KAIRO://Workspace/%61%2fä b").path()).isEqualTo("a/ä b");
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false,
			value = { "a.txt,a.txt", "./a.txt,a.txt", "a b /,a b ", "./ a, a", "a\u2003/,a\u2003", "a/b,a/b" })
	void pathIsArgumentOfTools(String listed, String path) {
		assertThat(McpFileUri.ofArgument(listed)).hasValue(new McpFileUri(path));
		assertThat(McpFileUri.ofArgument(new McpFileUri(path).argument())).hasValue(new McpFileUri(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "./", "/", "//", "..", "../a", "/a", "a//", "a//b", "a\n" })
	void otherArgumentsHaveNoUri(String argument) {
		assertThat(McpFileUri.ofArgument(argument)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "..", "a/../b", "%2e%2E/a", "a/%2e%2e", "/etc/passwd", "%2Fetc/passwd", "a//b", "a/",
			"./a", "a%00", "a%0Ab", "%", "%4", "%zz", "%+1", "%FF", "%C0%AE", "%ED%A0%80", "a?b", "a#b" })
	void otherPathsAreRefused(String path) {
		assertThatIllegalArgumentException().isThrownBy(() -> McpFileUri.parse("kairo://workspace/" + path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a.txt", "file:///a.txt", "kairo:workspace/a", "kairo://other/a", "kairo://workspace",
			"kairo://user@workspace/a", "kairo://workspace:1/a" })
	void otherUrisAreRefused(String uri) {
		assertThatIllegalArgumentException().isThrownBy(() -> McpFileUri.parse(uri)).withMessageContaining("{+path}");
	}

	@Test
	void longUriIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> McpFileUri.parse("kairo://workspace/" + "a".repeat(20_000)))
			.withMessageContaining("20018 characters");
	}

}
