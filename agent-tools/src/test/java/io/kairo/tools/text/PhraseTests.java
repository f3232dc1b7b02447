package io.kairo.tools.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Phrase}.
 */
class PhraseTests {

	/** A noun in the plural after a number in parentheses, or before its verb. */
	private static final Pattern ALWAYS_PLURAL = Pattern
		.compile("\\(%,d (bytes|lines|files|entries)\\b|\"%,d (changes are|(bytes|commands) (were|of|run))\\b");

	@ParameterizedTest
	@CsvSource({ "0, byte, 0 bytes", "1, byte, 1 byte", "2000, byte, '2,000 bytes'", "1, entry, 1 entry",
			"2, directory, 2 directories" })
	void nounAgreesWithItsNumber(long count, String noun, String phrase) {
		assertThat(Phrase.count(count, noun)).isEqualTo(phrase);
	}

	@Test
	void verbAgreesWithTheNumber() {
		assertThat(Phrase.count(1, "change is", "changes are")).isEqualTo("1 change is");
		assertThat(Phrase.count(1000, "change is", "changes are")).isEqualTo("1,000 changes are");
	}

	@Test
	void noTextOfAToolHasAPluralForAnyNumber() throws IOException {
		try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
			List<Path> files = sources.filter((file) -> file.toString().endsWith(".java")).toList();
			assertThat(files).isNotEmpty().allSatisfy((file) -> {
				String text = Files.readString(file);
				assertThat(ALWAYS_PLURAL.matcher(text).results().map((found) -> found.group()).toList()).isEmpty();
			});
		}
	}

}
