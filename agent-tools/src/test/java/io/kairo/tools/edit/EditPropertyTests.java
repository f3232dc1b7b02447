package io.kairo.tools.edit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.tools.CallDeadline;
import io.kairo.tools.Cancellation;
import io.kairo.tools.ToolError;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that random edits of random files, with every charset and line end, change no
 * byte outside the edited text.
 */
class EditPropertyTests {

	private static final int FILES = 40;

	private static final int EDITS = 25;

	static Stream<Arguments> charsets() {
		return Stream
			.of("UTF-8", "UTF-8 3", "windows-1252", "ISO-8859-1", "UTF-16LE 2", "UTF-16BE 2", "UTF-32LE 4",
					"UTF-32BE 4", "Shift_JIS", "GB18030", "EUC-KR")
			.flatMap((name) -> IntStream.of(1, 2, 3).mapToObj((seed) -> Arguments.of(name, seed)));
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("charsets")
	void bytesOutsideEditedTextAreUnchanged(String charset, int seed) {
		Random random = new Random(seed);
		int performed = 0;
		for (int file = 0; file < FILES; file++) {
			RandomFile source = RandomFile.of(charset, random);
			for (int edit = 0; edit < EDITS; edit++) {
				performed += check(source, random) ? 1 : 0;
			}
		}
		assertThat(performed).as("edits with a unique match").isGreaterThan(FILES * EDITS / 4);
	}

	private static boolean check(RandomFile file, Random random) {
		int from = random.nextInt(file.units().size());
		int to = Math.min(file.units().size(), from + 1 + random.nextInt(30));
		String raw = file.text(from, to);
		if (raw.indexOf('\uFFFD') >= 0) {
			return false;
		}
		String old = random.nextBoolean() ? raw : raw.replace("\r\n", "\n");
		String replacement = replacement(old, file, random);
		if (replacement.replace("\r\n", "\n").equals(old.replace("\r\n", "\n"))) {
			return false;
		}
		EditPlan plan = new EditPlan("file", new EditableText(file.bytes(), file.encoding()), Integer.MAX_VALUE,
				new EditTime(new CallDeadline(Duration.ofDays(1), new Cancellation())));
		ToolError problem = perform(plan, new TextEdit(old, replacement, TextEdit.Scope.UNIQUE));
		String all = file.text(0, file.units().size());
		boolean exact = all.contains(old);
		int occurrences = exact ? count(all, old) : count(all.replace("\r\n", "\n"), old.replace("\r\n", "\n"));
		if (occurrences != 1) {
			assertThat(problem).as("%s: %s occurs %d times", file, old, occurrences).isNotNull();
			assertThat(problem.code()).isEqualTo(ToolError.SEVERAL_MATCHES);
			return false;
		}
		if (exact && all.indexOf(old) != file.text(0, from).length()) {
			return false; // the exact match is at another place than the chosen one
		}
		if (problem != null && problem.code().equals(ToolError.UNCERTAIN_CHARSET)) {
			assertThat(file.encoding().charset().name()).doesNotStartWith("UTF-");
			return false; // the bytes happen to be valid in another charset
		}
		assertThat(problem).as("%s: %s", file, old).isNull();
		byte[] result = plan.text().bytes();
		byte[] before = file.bytes(0, from);
		byte[] after = file.bytes(to, file.units().size());
		assertThat(result.length).as("%s", file).isGreaterThanOrEqualTo(before.length + after.length);
		assertThat(Arrays.copyOf(result, before.length)).as("%s before", file).isEqualTo(before);
		assertThat(Arrays.copyOfRange(result, result.length - after.length, result.length)).as("%s after", file)
			.isEqualTo(after);
		String middle = new String(result, before.length, result.length - before.length - after.length,
				file.encoding().charset());
		assertThat(middle.replace("\r\n", "\n")).as("%s: %s -> %s", file, old, replacement)
			.isEqualTo(replacement.replace("\r\n", "\n"));
		if (file.style() == Style.CRLF && all.contains("\n")) {
			assertThat(middle.replace("\r\n", "")).as("%s", file).doesNotContain("\n");
		}
		if (file.style() == Style.LF && all.contains("\n")) {
			assertThat(middle).as("%s", file).doesNotContain("\r");
		}
		return true;
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void linesKeepTheirEndsInFileWithMixedOnes(long seed) {
		Random random = new Random(seed);
		for (int round = 0; round < 200; round++) {
			int lines = 2 + random.nextInt(8);
			StringBuilder before = new StringBuilder();
			StringBuilder after = new StringBuilder();
			StringBuilder old = new StringBuilder();
			StringBuilder replacement = new StringBuilder();
			boolean literal = random.nextBoolean();
			for (int i = 0; i < lines; i++) {
				String end = random.nextBoolean() ? "\r\n" : "\n";
				String line = (i > 0 && random.nextInt(3) > 0) ? "line " + i : "new " + i;
				before.append("line ").append(i).append(end);
				after.append(line).append(end);
				old.append("line ").append(i).append(literal ? end : "\n");
				replacement.append(line).append(literal ? end : "\n");
			}
			EditableText text = new EditableText(before.toString().getBytes(StandardCharsets.UTF_8),
					TextEncoding.UTF_8);
			EditPlan plan = new EditPlan("file", text, Integer.MAX_VALUE,
					new EditTime(new CallDeadline(Duration.ofDays(1), new Cancellation())));
			assertThat(perform(plan, new TextEdit(old.toString(), replacement.toString(), TextEdit.Scope.UNIQUE)))
				.isNull();
			assertThat(plan.text().text()).as("seed %d: %s -> %s", seed, before, replacement)
				.isEqualTo(after.toString());
		}
	}

	@Test
	void unchangedLinesKeepTheirEndsBetweenAddedAndRemovedOnes() {
		String before = "a\r\nb\nc\r\nd\ne\r\nf\n";
		EditPlan plan = new EditPlan("file",
				new EditableText(before.getBytes(StandardCharsets.UTF_8), TextEncoding.UTF_8), Integer.MAX_VALUE,
				new EditTime(new CallDeadline(Duration.ofDays(1), new Cancellation())));
		assertThat(perform(plan, new TextEdit("a\nb\nc\nd\ne", "A\nb\nnew\nnew 2\nc\ne", TextEdit.Scope.UNIQUE)))
			.isNull();
		assertThat(plan.text().text()).isEqualTo("A\r\nb\nnew\nnew 2\nc\r\ne\r\nf\n");
	}

	private static @Nullable ToolError perform(EditPlan plan, TextEdit edit) {
		try {
			plan.perform(edit, 0);
			return null;
		}
		catch (EditRefusal ex) {
			return ex.result().error();
		}
	}

	private static String replacement(String old, RandomFile file, Random random) {
		StringBuilder replacement = new StringBuilder();
		int keep = random.nextInt(old.length() + 1);
		keep = (keep > 0 && Character.isHighSurrogate(old.charAt(keep - 1))) ? keep - 1 : keep;
		replacement.append(random.nextBoolean() ? old.substring(0, keep) : "");
		for (int i = random.nextInt(8); i > 0; i--) {
			String letter = file.letters().get(random.nextInt(file.letters().size()));
			replacement.append((random.nextInt(5) == 0) ? (random.nextBoolean() ? "\n" : "\r\n") : letter);
		}
		return replacement.append(random.nextBoolean() ? old.substring(keep) : "").toString();
	}

	private static int count(String text, String part) {
		int count = 0;
		for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
			count++;
		}
		return count;
	}

	private enum Style {

		LF, CRLF, MIXED

	}

	/**
	 * A random file as a sequence of characters with the bytes of each.
	 */
	private record RandomFile(TextEncoding encoding, Style style, List<String> letters, List<String> units,
			List<byte[]> encoded) {

		static RandomFile of(String name, Random random) {
			String[] parts = name.split(" ");
			Charset charset = Charset.forName(parts[0]);
			List<String> letters = Stream
				.of("a", "b", "  ", "\t", "(", "é", "ß", "“", "漢", "字", "ソ", "表", "한", "😀", "x = 1;", "–")
				.filter(charset.newEncoder()::canEncode)
				.toList();
			Style style = Style.values()[random.nextInt(3)];
			List<String> units = new ArrayList<>();
			List<byte[]> encoded = new ArrayList<>();
			for (int i = 5 + random.nextInt(80); i > 0; i--) {
				boolean newLine = random.nextInt(6) == 0;
				boolean pair = style == Style.CRLF || (style == Style.MIXED && random.nextBoolean());
				String unit = newLine ? (pair ? "\r\n" : "\n") : letters.get(random.nextInt(letters.size()));
				byte[] bytes = unit.getBytes(charset);
				if (random.nextInt(25) == 0 && parts[0].equals("windows-1252")) {
					unit = "\uFFFD";
					bytes = new byte[] { (byte) 0x81 };
				}
				if (random.nextInt(25) == 0 && parts[0].equals("UTF-8")) {
					unit = "\uFFFD";
					bytes = new byte[] { (byte) 0xFF };
				}
				units.add(unit);
				encoded.add(bytes);
			}
			int bom = (parts.length > 1) ? Integer.parseInt(parts[1]) : 0;
			return new RandomFile(new TextEncoding(charset, bom), style, letters, units, encoded);
		}

		String text(int from, int to) {
			return String.join("", this.units.subList(from, to));
		}

		byte[] bytes() {
			return bytes(0, this.units.size());
		}

		byte[] bytes(int from, int to) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			if (from == 0 && this.encoding.bomLength() > 0) {
				bytes.writeBytes("\uFEFF".getBytes(this.encoding.charset()));
			}
			this.encoded.subList(from, to).forEach(bytes::writeBytes);
			return bytes.toByteArray();
		}

		@Override
		public String toString() {
			return this.encoding + " " + this.style + " " + this.units;
		}

	}

}
