package io.kairo.governance.audit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.host.Sha256;
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

	private static String mask(String secret) {
		return Redaction.MASK + secret.length() + " characters, sha256:" + Sha256.hex(secret, 16) + "]";
	}

	@ParameterizedTest
	@ValueSource(strings = { "password", "DB_PASSWORD", "apiKey", "api-key", "x-api_key", "Authorization", "token" })
	void valuesOfSecretNamesAreRemoved(String name) {
		assertThat(this.redaction.apply(Map.of(name, List.of("a", 1)))).containsEntry(name, mask("[a, 1]"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "curl -H 'Authorization: Bearer abcdef0123456789' x | abcdef0123456789",
					"git clone https://bob:hunter22@host/r.git | hunter22",
					"export GH=ghp_0123456789abcdefghijABCDEFGHIJ012345 | ghp_", "AWS=AKIAIOSFODNN7EXAMPLE | AKIA",
					"PASSWORD=\"two words\" make | two words", "token: s3cr3t | s3cr3t",
					"export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG | wJalr",
					"{\"api_key\": \"k3y one\"} | k3y one", "curl -d \"{\\\"api_key\\\": \\\"k3y\\\"}\" | k3y",
					"{'secretAccessKey': 'k3y'} | k3y", "mysql --password hunter2 -e x | hunter2",
					"gh --auth-token 'hunter2' x | hunter2", "curl -u bob:hunter2 x | hunter2",
					"curl --user 'bob:hunter2' x | hunter2", "curl -ubob:hunter2 x | hunter2",
					"x sk-abcdefghijklmnopqrstuvwx y | sk-abc", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig | eyJhb" })
	void secretsInTextsAreRemoved(String text, String secret) {
		assertThat(this.redaction.apply(text)).doesNotContain(secret).contains(Redaction.MASK);
	}

	@Test
	void linesOfAPrivateKeyAreRemovedOneByOne() {
		String line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB";
		String key = "-----BEGIN PRIVATE KEY-----\n%s\n%s\n-----END PRIVATE KEY-----";
		assertThat(this.redaction.apply(key.formatted(line, line))).isEqualTo(key.formatted(mask(line), mask(line)));
		assertThat(this.redaction.apply("{\"key\": \"-----BEGIN PRIVATE KEY-----\\n" + line + "\\n-----END"))
			.doesNotContain(line);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token=\"$(touch x)\"", "token=`touch x`", "echo token=\"\ntouch x\n\"",
			"-----BEGIN PRIVATE KEY-----\ntouch x\n-----END PRIVATE KEY-----", "token=\"a\"; touch x; \"\"",
			"echo 'a token='; touch x; ''", "token=a&&touch x", "token=a|touch x", "--password \"$(touch x)\"",
			"curl -u \"a:$(touch x)\"", "token='\n touch x'", "password: a; touch x", "//a:$(touch x)@b" })
	void commandCannotBeHidden(String text) {
		assertThat(this.redaction.apply(text)).contains("touch x");
	}

	@Test
	void patternOfTheApplicationCannotHideACommandEither() {
		Redaction all = new Redaction(List.of(), List.of("(?s)secret.*"), 1000);
		assertThat(all.apply("secret 'one' two\ntouch x"))
			.isEqualTo(mask("secret ") + "'" + mask("one") + "'" + mask(" two") + "\ntouch x");
	}

	@Test
	void everyRemovedPartHasItsLengthAndDigest() {
		assertThat(this.redaction.apply("token=abc secret=de"))
			.isEqualTo("token=" + mask("abc") + " secret=" + mask("de"));
	}

	@Test
	void argumentsWithNamesThatRedactAlikeAreAllKept() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("abcdef1", 1);
		arguments.put("abcdef2", 2);
		arguments.put("abcdef3", 3);
		assertThat(new Redaction(List.of(), List.of(), 5).apply(arguments).values()).containsExactly(1, 2, 3);
	}

	@Test
	void nestedValuesAreRedacted() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("list", Arrays.asList(Map.of("password", "x"), "token=abc", null, 5, true));
		arguments.put("none", null);
		assertThat(this.redaction.apply(arguments)).isEqualTo(new LinkedHashMap<>() {
			{
				put("list", Arrays.asList(Map.of("password", mask("x")), "token=" + mask("abc"), null, 5, true));
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
