package io.kairo.workspace.search;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

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
	class RequiredTexts {

		@ParameterizedTest
		@CsvSource(delimiter = ' ',
				value = { "foo foo", "foo.*barbaz barbaz", "fozx+bar fozx", "foo?bar bar", "fo*barx barx",
						"a{0}bcd bcd", "ab{2}cde bcde", "foo(bar)?x foo", "\\.java$ .java", "\\bfoo\\b foo",
						"[a-z]+Exception\\( Exception(", "\\Qa.b\\E a.b", "(?:xx|yy)xyz xxxyz,yyxyz", "fooé foo",
						"a\\x41bc bc", "foo|bar foo,bar", "fo+bar obar", "(foo|bar)\\w+ foo,bar", "(foo)+ foo",
						"(?:x(?:foo|\\d+bar)) foo,bar", "(?i)foo foo", "(?i)bask+x ba", "[Ff]oo foo" })
		void requiredTextsAreFound(String regex, String texts) {
			List<String> found = RequiredLiterals.of(RegexParser.parse(regex, 0));
			assertThat(found).isNotNull();
			assertThat(found.stream()
				.map((text) -> text.chars()
					.map((c) -> c & 0xFF)
					.mapToObj(Character::toString)
					.collect(Collectors.joining())))
				.containsExactlyInAnyOrder(texts.split(","));
		}

		@ParameterizedTest
		@ValueSource(strings = { "foo|b?", "(?i)s", "a?", "[abc]", "é", "\\d", "a*b*", "e", "(a|b)c|d+", "foo||bar" })
		void patternWithoutRareRequiredTextHasNone(String regex) {
			assertThat(SearchPattern.of(regex).compile().literals()).isNull();
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
