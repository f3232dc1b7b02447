package io.kairo.tools.edit;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A text whose lines are all different, with any line ends.
 *
 * @param charset its charset
 * @param mark its byte order mark
 * @param letter a text that the charset has
 * @param lines its lines
 * @param ends their ends
 */
record RandomText(Charset charset, String mark, String letter, List<String> lines, List<String> ends) {

	private static final List<String> CHARSETS = List.of("UTF-8", "windows-1252", "GBK", "UTF-16LE", "UTF-16BE");

	static RandomText create(Random random, int number) {
		Charset charset = Charset.forName(CHARSETS.get(number % CHARSETS.size()));
		String letter = charset.name().equals("GBK") ? "\u4F60\u597D\uFF0C\u4E16\u754C"
				: charset.name().equals("windows-1252") ? "caf\u00E9 na\u00EFve" : "\u00E9\u4E16\uD83D\uDE00";
		List<String> lines = new ArrayList<>();
		List<String> ends = new ArrayList<>();
		int count = 3 + random.nextInt(30);
		for (int i = 0; i < count; i++) {
			lines.add(" ".repeat(random.nextInt(6)) + letter + " line " + i + "\t".repeat(random.nextInt(2)) + ";");
			ends.add((i == count - 1 && random.nextBoolean()) ? "" : random.nextBoolean() ? "\n" : "\r\n");
		}
		return new RandomText(charset, charset.name().startsWith("UTF-16") ? "\uFEFF" : "", letter, lines, ends);
	}

	byte[] bytes() {
		StringBuilder text = new StringBuilder(this.mark);
		for (int i = 0; i < this.lines.size(); i++) {
			text.append(this.lines.get(i)).append(this.ends.get(i));
		}
		return text.toString().getBytes(this.charset);
	}

}
