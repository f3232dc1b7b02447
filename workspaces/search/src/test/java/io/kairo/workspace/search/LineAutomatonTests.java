package io.kairo.workspace.search;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import io.kairo.workspace.search.SearchPattern.Flag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests that compare {@link LineAutomaton} and {@link LiteralSet} with RE2.
 */
class LineAutomatonTests {

	@ParameterizedTest
	@MethodSource("seeds")
	void everyMatchingLineIsFoundAndEveryFoundLineOfAsciiMatches(long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < 1500; i++) {
			CompiledPattern pattern = pattern(random, random.nextBoolean() ? Set.of(Flag.IGNORE_CASE) : Set.of());
			if (pattern == null) {
				continue;
			}
			LineAutomaton automaton = pattern.automaton();
			for (int j = 0; j < 30; j++) {
				byte[] line = line(random);
				int textEnd = textEnd(pattern, line);
				boolean matches = pattern.matcher().reset(LineText.decode(line, 0, textEnd)).find();
				boolean found = automaton.find(line, 0, line.length) >= 0;
				boolean mayMatch = found
						&& (pattern.literals() == null || pattern.literals().find(line, 0, line.length) >= 0);
				String description = "seed %d: %s in '%s'".formatted(seed, pattern, new String(line, Trees.LATIN_1));
				assertThat(matches && !mayMatch).as(description).isFalse();
				if (isAscii(line)) {
					assertThat(found).as(description).isEqualTo(matches);
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void everyMatchingTextIsFound(long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < 1000; i++) {
			CompiledPattern pattern = pattern(random, Set.of(Flag.MULTILINE));
			if (pattern == null) {
				continue;
			}
			LineAutomaton automaton = pattern.automaton();
			for (int j = 0; j < 20; j++) {
				String text = RandomRegex.line(random, false) + "\n" + RandomRegex.line(random, false)
						+ (random.nextBoolean() ? "\n" : "");
				byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
				boolean found = automaton.find(bytes, 0, bytes.length) >= 0
						&& (pattern.literals() == null || pattern.literals().find(bytes, 0, bytes.length) >= 0);
				assertThat(pattern.matcher().reset(text).find() && !found)
					.as("seed %d: %s in '%s'", seed, pattern, text)
					.isFalse();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a*)*b", "(x+x+)+y", "a{1000}", "(a|b)*a(a|b){300}c", "[^a]{500}[^b]{400}",
			"(?:a?){100}b", "(\\w+\\s*){50}=", "(a?b?x?){900}=", "\\pL{200}\\PL{100}", "(a.{3}){30}b|(b.{2}){40}a" })
	void hostilePatternIsBoundedInTimeAndSize(String regex) {
		Random random = new Random(5);
		byte[] text = new byte[4 << 20];
		for (int i = 0; i < text.length; i++) {
			text[i] = (byte) "aaaabbx =\n".charAt(random.nextInt((i % 50 == 0) ? 10 : 7));
		}
		CompiledPattern pattern = SearchPattern.of(regex).compile();
		LineAutomaton automaton = pattern.automaton();
		assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
			int position = 0;
			while (position < text.length && !automaton.isExhausted()) {
				int found = automaton.find(text, position, text.length);
				position = (found < 0) ? text.length : lineEnd(text, found);
			}
		});
		assertThat(automaton.size()).isLessThan(LineAutomaton.MAX_SIZE + 60_000);
	}

	@Test
	void discardedStatesAreMadeAgain() {
		Random random = new Random(7);
		CompiledPattern pattern = SearchPattern.of("(a|b)*a(a|b){14}c").compile();
		LineAutomaton automaton = pattern.automaton();
		String quiet = "x".repeat(1 << 20) + "\n";
		for (int round = 0; round < 40; round++) {
			assertThat(automaton.find(quiet.getBytes(StandardCharsets.UTF_8), 0, quiet.length()))
				.isEqualTo(automaton.isExhausted() ? 0 : -1);
			for (int i = 0; i < 40; i++) {
				StringBuilder line = new StringBuilder();
				random.ints(200, 0, 60).forEach((c) -> line.append((c == 0) ? 'c' : (c % 2 == 0) ? 'a' : 'b'));
				byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
				if (!automaton.isExhausted()) {
					boolean found = automaton.find(bytes, 0, bytes.length) >= 0;
					assertThat(found || automaton.isExhausted())
						.isEqualTo(automaton.isExhausted() || pattern.matcher().reset(line).find());
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 7, 8, 9, 15, 16, 40 })
	void textIsFoundAtEveryPosition(int length) {
		for (String regex : List.of("foo", "foo|quux", "!", "(?i)xz")) {
			CompiledPattern pattern = SearchPattern.of(regex).compile();
			for (String text : List.of("foo", "quux", "!", "XZ")) {
				for (int i = 0; i <= length; i++) {
					byte[] bytes = ("-".repeat(i) + text + "-".repeat(length - i)).getBytes(StandardCharsets.UTF_8);
					boolean matches = SearchPattern.of(regex).asPredicate().test(new String(bytes, Trees.LATIN_1));
					LiteralSet literals = pattern.literals();
					assertThat(literals).isNotNull();
					assertThat(literals.find(bytes, 0, bytes.length))
						.as("%s in %s", regex, new String(bytes, Trees.LATIN_1))
						.isBetween(matches ? i : -1, matches ? i + 1 : -1);
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 8, 500, 511, 512, 2000 })
	void firstOfSeveralTextsIsFound(int distance) {
		LiteralSet literals = SearchPattern.of("foo|quux").compile().literals();
		assertThat(literals).isNotNull();
		for (List<String> texts : List.of(List.of("foo", "quux"), List.of("quux", "foo"))) {
			byte[] bytes = ("-" + texts.get(0) + "-".repeat(distance) + texts.get(1)).getBytes(StandardCharsets.UTF_8);
			assertThat(literals.find(bytes, 0, bytes.length)).isBetween(1, 2);
		}
	}

	private static CompiledPattern pattern(Random random, Set<Flag> flags) {
		try {
			return new SearchPattern(RandomRegex.any(random), flags).compile();
		}
		catch (SearchPatternException ex) {
			return null;
		}
	}

	private static byte[] line(Random random) {
		String line = RandomRegex.line(random, random.nextBoolean());
		line += random.nextInt(5) == 0 ? "\r" : "";
		line += random.nextInt(9) == 0 ? "\ra" : "";
		Charset charset = (random.nextInt(3) == 0) ? Trees.LATIN_1 : StandardCharsets.UTF_8;
		return (line + (random.nextInt(4) > 0 || line.isEmpty() ? "\n" : "")).getBytes(charset);
	}

	private static int textEnd(CompiledPattern pattern, byte[] line) {
		int end = line.length;
		if (line[end - 1] == '\n') {
			end--;
			end -= (end > 0 && line[end - 1] == '\r' && !pattern.seesCarriageReturns()) ? 1 : 0;
		}
		return end;
	}

	private static boolean isAscii(byte[] line) {
		for (byte b : line) {
			if (b < 0) {
				return false;
			}
		}
		return true;
	}

	private static int lineEnd(byte[] text, int from) {
		int end = from;
		while (end < text.length && text[end] != '\n') {
			end++;
		}
		return Math.min(text.length, end + 1);
	}

	static LongStream seeds() {
		return LongStream.rangeClosed(1, Long.getLong("kairo.random.seeds", 3));
	}

}
