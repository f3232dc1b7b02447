package io.kairo.tools.edit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.tools.CallDeadline;
import io.kairo.tools.Cancellation;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for random edits whose text is distorted as a {@link MatchLevel} tolerates: the
 * level is found, the replacement is as requested, and no other byte changes.
 */
class EditMatchLevelPropertyTests {

	private static final int FILES = 100;

	static Stream<Arguments> cases() {
		return Stream.of(Distortion.values())
			.flatMap((distortion) -> Stream.of("UTF-8", "windows-1252", "UTF-16LE")
				.flatMap((charset) -> IntStream.of(1, 2)
					.mapToObj((seed) -> Arguments.of(distortion, Charset.forName(charset), seed))));
	}

	@ParameterizedTest(name = "{0}, {1}, seed {2}")
	@MethodSource("cases")
	void matchLevelIsFoundAndNoOtherByteChanges(Distortion distortion, Charset charset, int seed) {
		Random random = new Random(seed);
		for (int round = 0; round < FILES; round++) {
			check(new Lines(charset, random), distortion, random, "seed " + seed + " round " + round);
		}
	}

	private static @Nullable MatchLevel perform(EditPlan plan, TextEdit edit) {
		try {
			return plan.perform(edit, 0).level();
		}
		catch (EditRefusal ex) {
			return null;
		}
	}

	private static void check(Lines file, Distortion distortion, Random random, String description) {
		int from = random.nextInt(file.texts.size() - 1);
		int to = from + 2 + random.nextInt(Math.min(5, file.texts.size() - from - 1));
		List<String> part = file.texts.subList(from, to);
		List<String> wanted = new ArrayList<>(part);
		wanted.set(random.nextInt(wanted.size()), "    changed \"it\" " + random.nextInt(100));
		EditPlan plan = new EditPlan("file", new EditableText(file.bytes(), new TextEncoding(file.charset, 0)),
				Integer.MAX_VALUE, new EditTime(new CallDeadline(Duration.ofDays(1), new Cancellation())));
		TextEdit edit = new TextEdit(String.join("\n", distortion.apply(part, from)) + "\n",
				String.join("\n", distortion.apply(wanted, from)) + "\n", TextEdit.Scope.UNIQUE);
		String as = description + ": " + file.texts;
		assertThat(perform(plan, edit)).as(as).isEqualTo(distortion.level);
		byte[] result = plan.text().bytes();
		byte[] before = file.bytes(0, from);
		byte[] after = file.bytes(to, file.texts.size());
		assertThat(Arrays.copyOf(result, before.length)).as(as).isEqualTo(before);
		assertThat(Arrays.copyOfRange(result, result.length - after.length, result.length)).as(as).isEqualTo(after);
		String middle = new String(result, before.length, result.length - before.length - after.length, file.charset);
		List<String> lines = middle.lines().toList();
		assertThat(lines).as(as).hasSameSizeAs(wanted);
		for (int i = 0; i < lines.size(); i++) {
			assertThat(distortion.seen(lines.get(i))).as(as).isEqualTo(distortion.seen(wanted.get(i)));
			if (wanted.get(i).equals(part.get(i))) {
				assertThat(lines.get(i)).as("a line that stays, " + as).isEqualTo(part.get(i));
			}
		}
	}

	/**
	 * A change that a model makes to the lines that it has read.
	 */
	private enum Distortion {

		NUMBERED(MatchLevel.LINE_NUMBERS, (line, number) -> Gutter.number(number + 1, line)),

		SPACE_ADDED(MatchLevel.TRAILING_SPACE, (line, number) -> line + "  "),

		INDENTED(MatchLevel.INDENTATION, (line, number) -> line.isEmpty() ? line : "\t" + line),

		CURLY(MatchLevel.LOOK_ALIKES, (line, number) -> line.replace('"', '\u201D').replace('-', '\u2013'));

		private final MatchLevel level;

		private final BiFunction<String, Integer, String> change;

		Distortion(MatchLevel level, BiFunction<String, Integer, String> change) {
			this.level = level;
			this.change = change;
		}

		List<String> apply(List<String> lines, int first) {
			return IntStream.range(0, lines.size())
				.mapToObj((i) -> this.change.apply(lines.get(i), first + i))
				.toList();
		}

		/**
		 * Returns the part of a line that distortion does not change.
		 */
		String seen(String line) {
			return line.replace('\u201D', '"').replace('\u2013', '-').strip();
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * A random file whose lines are all different.
	 */
	private static final class Lines {

		private final Charset charset;

		private final List<String> texts = new ArrayList<>();

		private final List<String> ends = new ArrayList<>();

		Lines(Charset charset, Random random) {
			this.charset = charset;
			int style = random.nextInt(3);
			for (int i = 3 + random.nextInt(40); i > 0; i--) {
				String quoted = "\"" + random.nextInt(1000) + "\" - é";
				this.texts.add(" ".repeat(random.nextInt(9)) + "line" + i + " " + quoted);
				boolean pair = style == 1 || (style == 2 && random.nextBoolean());
				this.ends.add(pair ? "\r\n" : "\n");
			}
		}

		byte[] bytes() {
			return bytes(0, this.texts.size());
		}

		byte[] bytes(int from, int to) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			for (int i = from; i < to; i++) {
				bytes.writeBytes((this.texts.get(i) + this.ends.get(i)).getBytes(this.charset));
			}
			return bytes.toByteArray();
		}

	}

}
