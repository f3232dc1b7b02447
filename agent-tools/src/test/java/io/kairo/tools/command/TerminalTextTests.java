package io.kairo.tools.command;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TerminalText}.
 */
class TerminalTextTests {

	@Nested
	class Progress {

		@Test
		void overwrittenLineIsRenderedInItsLastState() {
			assertThat(seen(" 10%\r 50%\r100%\ndone\n")).isEqualTo("100%\ndone\n");
		}

		@Test
		void shorterLineKeepsRestOfOverwrittenLine() {
			assertThat(seen("abcdef\rxy\n")).isEqualTo("xycdef\n");
		}

		@Test
		void eraseToEndOfLineRemovesRest() {
			assertThat(seen("abcdef\rxy\u001b[K\n")).isEqualTo("xy\n");
		}

		@Test
		void eraseOfWholeLineRemovesEverything() {
			assertThat(seen("abcdef\u001b[2Kxy\n")).isEqualTo("xy\n");
		}

		@Test
		void carriageReturnAndLineFeedEndLine() {
			assertThat(seen("one\r\ntwo\r\n")).isEqualTo("one\ntwo\n");
		}

		@Test
		void backspaceOverwritesPreviousCharacter() {
			assertThat(seen("ab\b\bcd\n")).isEqualTo("cd\n");
		}

		@Test
		void lastLineIsRenderedWithoutLineFeed() {
			assertThat(seen("one\rtwo")).isEqualTo("two");
		}

		@Test
		void unterminatedLineIsPassedOnInParts() {
			assertThat(seen("x".repeat(200_000))).hasSize(200_000);
		}

	}

	@Nested
	class EscapeSequences {

		@ParameterizedTest
		@ValueSource(strings = { "\u001b[1;31mred\u001b[0m", "\u001b]8;;http://x\u001b\\red\u001b]8;;\u0007",
				"\u001b]52;c;ZXZpbA==\u0007red", "\u001b(Bred", "\u001b7red\u001b8", "\u001bP1$r\u001b\\red",
				"\u009b31mred", "\u001b[?25lred\u001b[?25h", "red\u0007", "\u202ered\u202c", "re\u2066d\u2069",
				"\u001b[38;2;1;2;3mred", "\u001b]0;title\u009cred" })
		void escapeSequencesAreRemoved(String printed) {
			assertThat(seen(printed)).isEqualTo("red");
		}

		@Test
		void malformedSequenceEndsWithLine() {
			assertThat(seen("\u001b[31\nnext\n")).isEqualTo("\nnext\n");
		}

		@ParameterizedTest
		@ValueSource(strings = { "\u001bP", "\u0090", "\u001b]0;title", "\u001b^", "\u001b_" })
		void unterminatedControlStringEndsWithLine(String start) {
			assertThat(seen("before" + start + "lost\nnext\n")).isEqualTo("before\nnext\n");
		}

		@Test
		void controlStringLengthIsCapped() {
			assertThat(seen("\u001bP" + "x".repeat(5000))).hasSize(5000 - 4097);
		}

		@Test
		void eraseOfScreenBelowRemovesRestOfLine() {
			assertThat(seen("downloading 10%\r\u001b[Jok\n")).isEqualTo("ok\n");
		}

		@Test
		void cursorForwardInsertsSpaces() {
			assertThat(seen("a\u001b[3Cb\n")).isEqualTo("a   b\n");
		}

		@Test
		void cursorForwardIsCappedAtTerminalWidth() {
			assertThat(seen("a\u001b[65535Cb\u001b[65535Cc\nd\n")).isEqualTo("a" + " ".repeat(510) + "bc\nd\n");
		}

		@Test
		void cursorMovesWithinLineWiderThanTerminal() {
			assertThat(seen("x".repeat(1000) + "\r\u001b[900Cy\u001b[900Cz"))
				.isEqualTo("x".repeat(900) + "y" + "x".repeat(99) + "z");
		}

		@ParameterizedTest
		@ValueSource(strings = { "\u001b[65535Cx", "\u001b[65535Cx\n", "\u001b[511Cx\n" })
		void repeatedCursorMovesDoNotInflateText(String printed) {
			long[] count = { 0 };
			TerminalText terminal = new TerminalText((c) -> count[0]++);
			terminal.write(printed.repeat(20_000).getBytes(StandardCharsets.UTF_8));
			terminal.end();
			assertThat(count[0]).isBetween(1L, 64L * 1024 + 17L * 20_000 * printed.length());
		}

		@Test
		void wideTableColumnsAreRenderedInEveryLine() {
			assertThat(seen("name\u001b[100Cvalue\n".repeat(10_000)))
				.isEqualTo(("name" + " ".repeat(100) + "value\n").repeat(10_000));
		}

		@ParameterizedTest
		@ValueSource(strings = { "1234567", "1;2", "?5" })
		void invalidCursorParameterCountsAsDefault(String parameter) {
			assertThat(seen("a\u001b[" + parameter + "Cb")).isEqualTo("a b");
		}

		@Test
		void tabsAreKept() {
			assertThat(seen("a\tb\n")).isEqualTo("a\tb\n");
		}

	}

	@Nested
	class Decoding {

		@ParameterizedTest
		@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
		void decodingIsIndependentOfChunkBoundaries(long seed) {
			SplittableRandom random = new SplittableRandom(seed);
			String text = "aé漢😀\u001b[31mβ\u001b[0m\r\n".repeat(50);
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			StringBuilder seen = new StringBuilder();
			TerminalText terminal = new TerminalText(seen::appendCodePoint);
			for (int from = 0; from < bytes.length;) {
				int length = Math.min(random.nextInt(1, 6), bytes.length - from);
				terminal.write(java.util.Arrays.copyOfRange(bytes, from, from + length));
				from += length;
			}
			terminal.end();
			assertThat(seen.toString()).as("seed " + seed).isEqualTo("aé漢😀β\n".repeat(50));
		}

		@Test
		void undecodableBytesAreReplaced() {
			StringBuilder seen = new StringBuilder();
			TerminalText terminal = new TerminalText(seen::appendCodePoint);
			terminal.write(new byte[] { 'a', (byte) 0xFF, 'b', (byte) 0xE2, (byte) 0x82 });
			terminal.end();
			assertThat(seen.toString()).isEqualTo("a\uFFFDb\uFFFD");
		}

	}

	private static String seen(String printed) {
		StringBuilder seen = new StringBuilder();
		TerminalText terminal = new TerminalText(seen::appendCodePoint);
		terminal.write(printed.getBytes(StandardCharsets.UTF_8));
		terminal.end();
		return seen.toString();
	}

}
