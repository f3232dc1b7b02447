package io.kairo.workspace.search;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import com.google.re2j.Matcher;
import io.kairo.workspace.search.SearchPattern.Flag;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link SearchPattern}.
 */
class SearchPatternTests {

	@Test
	void predicateFindsPatternInLine() {
		assertThat(SearchPattern.of("b+$").asPredicate()).accepts("abb").rejects("abba", "");
		assertThat(new SearchPattern("B", Set.of(Flag.IGNORE_CASE)).asPredicate()).accepts("abc");
	}

	@Nested
	class InvalidPatterns {

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "a(?=b) look-ahead 2", "(?!x)y look-ahead 1", "(?<=a)b look-behind 1",
						"a(?<!b) look-behind 2", "(a)\\1 reference 4", "(?<n>a)\\k<n> reference 8", "(?>a) atomic 1",
						"a++ possessive 3", "a*+ possessive 3", "(?#x)a comment 1", "[ab '[' 1", "x(a)) ')' 5" })
		void unsupportedConstructIsNamedWithItsPosition(String regex, String what, int position) {
			assertThatExceptionOfType(SearchPatternException.class).isThrownBy(() -> SearchPattern.of(regex))
				.withMessageContaining(what)
				.withMessageContaining("position " + position);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "(a", "*a", "a{2,1}", "a{1001}", "[z-a]", "\\", "a**", "\\h", "a\\nb", "a\nb",
				"\\x0ab", "\\x{0A}" })
		void invalidPatternIsRejected(String regex) {
			assertThatExceptionOfType(SearchPatternException.class).isThrownBy(() -> SearchPattern.of(regex))
				.withMessageStartingWith("The pattern ");
		}

		@ParameterizedTest
		@ValueSource(strings = { "((a{1000}){1000}){1000}", "(((x+){999}){999}y){999}", "(a|b{500}){500}" })
		void patternsThatWouldExhaustMemoryAreRejected(String regex) {
			assertTimeoutPreemptively(Duration.ofSeconds(10),
					() -> assertThatExceptionOfType(SearchPatternException.class)
						.isThrownBy(() -> SearchPattern.of(regex))
						.withMessageContaining("repeats too much"));
		}

		@Test
		void deeplyNestedAndLongPatternsAreRejected() {
			assertThatExceptionOfType(SearchPatternException.class)
				.isThrownBy(() -> SearchPattern.of("(".repeat(3000) + "a" + ")".repeat(3000)))
				.withMessageContaining("nests");
			assertThatExceptionOfType(SearchPatternException.class)
				.isThrownBy(() -> SearchPattern.of("a".repeat(20_000)))
				.withMessageContaining("20000");
		}

		@Test
		void randomPatternsCompileOrAreRejectedWithPatternException() {
			Random random = new Random(11);
			String alphabet = "ab\\[](){}|*+?.^$:<=!,0123nrQEx-";
			for (int i = 0; i < 50_000; i++) {
				StringBuilder regex = new StringBuilder();
				for (int j = random.nextInt(10); j >= 0; j--) {
					regex.append(alphabet.charAt(random.nextInt(alphabet.length())));
				}
				try {
					new SearchPattern(regex.toString(), Set.of(Flag.MULTILINE));
				}
				catch (SearchPatternException ex) {
					assertThat(ex).as(regex.toString()).hasMessageStartingWith("The pattern ");
				}
			}
		}

	}

	@Nested
	class RequiredLiterals {

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "foo foo", "foo.*barbaz barbaz", "foox+bar foox", "foo?bar bar", "fo*barx barx",
						"a{0}bcd bcd", "ab{2}c ab", "foo(bar)?x foo", "\\.java$ .java", "^import\\s import",
						"\\bfoo\\b foo", "[a-z]+Exception\\( Exception(", "interface{} interface{}", "\\Qa.b\\E a.b",
						"(?:xx|yy)zzz zzz", "fooé foo", "a\\x41bc bc" })
		void requiredLiteralIsFound(String regex, String literal) {
			assertThat(SearchPattern.of(regex).compile().literal()).isEqualTo(literal);
		}

		@ParameterizedTest
		@ValueSource(strings = { "foo|bar", "(?i)foo", "a?", "[abc]", "(foo)", "é", "\\d", "a*b*" })
		void patternWithoutRequiredLiteralHasNone(String regex) {
			assertThat(SearchPattern.of(regex).compile().literal()).isNull();
		}

		@Test
		void caseInsensitivePatternHasNoRequiredLiteral() {
			assertThat(new SearchPattern("foo", Set.of(Flag.IGNORE_CASE)).compile().literal()).isNull();
		}

		@ParameterizedTest
		@MethodSource("io.kairo.workspace.search.SearchPatternTests#seeds")
		void requiredLiteralIsInEveryMatch(long seed) {
			Random random = new Random(seed);
			String[] parts = { "a", "b", "ab", "a?", "b*", "a+", "(ab)?", "(a|b)", "[ab]", "a{0,2}", "b{2}", ".", "|",
					"(b)+", "\\.", "\\w", "^", "$", "(?:a){0}", "ba??", "(?i:a)", "\\Qab\\E", "\\x61" };
			for (int i = 0; i < 500; i++) {
				StringBuilder regex = new StringBuilder();
				for (int j = random.nextInt(5); j >= 0; j--) {
					regex.append(parts[random.nextInt(parts.length)]);
				}
				CompiledPattern pattern;
				try {
					pattern = SearchPattern.of(regex.toString()).compile();
				}
				catch (SearchPatternException ex) {
					continue;
				}
				String literal = pattern.literal();
				for (int k = 0; k < 30 && literal != null; k++) {
					String text = randomText(random);
					Matcher matcher = pattern.matcher().reset(text);
					boolean found = matcher.find();
					assertThat(found && !text.contains(literal))
						.as("seed %d: %s has literal %s, matches %s", seed, regex, literal, text)
						.isFalse();
					assertThat(pattern.isLiteralOnly() && found != text.contains(literal))
						.as("seed %d: %s is literal", seed, regex)
						.isFalse();
				}
			}
		}

		@ParameterizedTest
		@MethodSource("io.kairo.workspace.search.SearchPatternTests#seeds")
		void matchesAgreeWithTheRegularExpressionsOfTheJdk(long seed) {
			Random random = new Random(seed);
			for (int i = 0; i < 200; i++) {
				String regex = randomText(random).replace("A", "[ab]").replace(".", "\\.").replace("c", "a+")
						+ randomText(random).replace("A", "(a|bb)").replace(".", ".").replace("c", "b?");
				if (regex.isEmpty()) {
					continue;
				}
				String text = randomText(random) + randomText(random);
				assertThat(SearchPattern.of(regex).compile().matcher().reset(text).find())
					.as("seed %d: %s in %s", seed, regex, text)
					.isEqualTo(Pattern.compile(regex).matcher(text).find());
			}
		}

		private String randomText(Random random) {
			StringBuilder text = new StringBuilder();
			for (int j = random.nextInt(6); j > 0; j--) {
				text.append("abAc.".charAt(random.nextInt(5)));
			}
			return text.toString();
		}

	}

	static LongStream seeds() {
		return LongStream.rangeClosed(1, 10);
	}

}
