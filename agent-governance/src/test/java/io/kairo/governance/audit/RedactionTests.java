package io.kairo.governance.audit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Redaction}.
 */
class RedactionTests {

	private final Redaction redaction = new Redaction(Redaction.NAMES, Redaction.PATTERNS, 4096);

	@ParameterizedTest
	@ValueSource(strings = { "password", "DB_PASSWORD", "apiKey", "api-key", "x-api_key", "Authorization", "token" })
	void valuesOfSecretNamesAreRemoved(String name) {
		assertThat(this.redaction.apply(Map.of(name, List.of("a", 1)))).containsEntry(name, Redaction.MASK);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "curl -H 'Authorization: Bearer abcdef0123456789' x | abcdef0123456789",
					"git clone https://bob:hunter22@host/r.git | hunter22",
					"export GH=ghp_0123456789abcdefghijABCDEFGHIJ012345 | ghp_", "AWS=AKIAIOSFODNN7EXAMPLE | AKIA",
					"PASSWORD=\"two words\" make | two words", "token: s3cr3t | s3cr3t",
					"x sk-abcdefghijklmnopqrstuvwx y | sk-abc", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig | eyJhb" })
	void secretsInTextsAreRemoved(String text, String secret) {
		assertThat(this.redaction.apply(text)).doesNotContain(secret).contains(Redaction.MASK);
	}

	@Test
	void privateKeyOfSeveralLinesIsRemoved() {
		String key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----";
		assertThat(this.redaction.apply("before\n" + key + "\nafter")).isEqualTo("before\n[redacted]\nafter");
	}

	@Test
	void nestedValuesAreRedacted() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("list", Arrays.asList(Map.of("password", "x"), "token=abc", null, 5, true));
		arguments.put("none", null);
		assertThat(this.redaction.apply(arguments)).isEqualTo(new LinkedHashMap<>() {
			{
				put("list", Arrays.asList(Map.of("password", Redaction.MASK), Redaction.MASK, null, 5, true));
				put("none", null);
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ls -la src", "The tokens of the lexer", "secretary", "grep -rn password docs",
			"ask-me-about-this-and-that-thing" })
	void otherTextsAreKept(String text) {
		assertThat(this.redaction.apply(text)).isEqualTo(text);
	}

	@Test
	void longTextsAreCut() {
		Redaction brief = new Redaction(List.of(), List.of(), 5);
		assertThat(brief.apply("123456789")).isEqualTo("12345[4 more characters]");
	}

	@Test
	void textThatIsCutHasNoPartOfASecret() {
		String secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
		Redaction brief = new Redaction(Redaction.NAMES, Redaction.PATTERNS, 10);
		assertThat(brief.apply("x " + secret)).doesNotContain("ghp");
	}

	@Test
	void hostileTextTakesLinearTime() {
		String text = "a:".repeat(500_000);
		Redaction nested = new Redaction(List.of(), List.of("(a*:*)*b"), 10);
		assertThat(nested.apply(text)).startsWith("a:a:");
	}

	@Test
	void badPatternIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Redaction(List.of(), List.of("(x"), 10))
			.withMessageContaining("'(x'");
	}

	@Test
	void blankNameIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Redaction(List.of("_"), List.of(), 10))
			.withMessageContaining("match all arguments");
	}

}
