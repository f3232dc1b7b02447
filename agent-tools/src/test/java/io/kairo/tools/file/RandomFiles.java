package io.kairo.tools.file;

import java.util.Random;

/**
 * A generator of random paths and contents, including unusual but valid ones.
 */
final class RandomFiles {

	private static final String[] NAMES = { "a", "src", "index.html", "..hidden", "v1..draft.md", ".env", "...", "~",
			"with space", "名前", "naïve", "\uD83D\uDE00", "-rf", "*", "{tenant}", "con", "x".repeat(200), "%2e%2e",
			"workspace", "root" };

	private static final int[] CHARACTERS = { 0, '\n', '\r', '\t', 0x1B, 0x7F, 0x85, 0x2028, 0xFEFF, 0xFFFD, 0xFFFE,
			0x202E, 0x1F600, 0x10FFFF, 'é', '中', 'a', ' ', '%' };

	private final Random random;

	RandomFiles(long seed) {
		this.random = new Random(seed);
	}

	Random random() {
		return this.random;
	}

	/**
	 * Returns a relative path without a {@code ..} segment. Its last segment is unique,
	 * so that it is never the directory of another path.
	 */
	String path() {
		StringBuilder path = new StringBuilder();
		for (int depth = this.random.nextInt(4); depth > 0; depth--) {
			path.append(name()).append(separator());
		}
		return path.append(name()).append(".f").append(this.random.nextInt(1000)).toString();
	}

	/**
	 * Returns a path that is outside the workspace judging by its text alone. It never
	 * begins with {@code /workspace}, the name of the root for commands.
	 */
	String traversal() {
		String path = path().replace("workspace", "w");
		return switch (this.random.nextInt(5)) {
			case 0 -> "../" + path;
			case 1 -> path + "/..";
			case 2 -> name() + separator() + ".." + separator() + path;
			case 3 -> "/" + path;
			default -> (this.random.nextBoolean() ? "\\" : "//") + path;
		};
	}

	String content() {
		if (this.random.nextInt(8) == 0) {
			return this.random.nextBoolean() ? "" : "line of a long file\r\n".repeat(3000);
		}
		StringBuilder content = new StringBuilder();
		for (int length = this.random.nextInt(300); length > 0; length--) {
			content.appendCodePoint(
					(this.random.nextInt(3) == 0) ? character() : CHARACTERS[this.random.nextInt(CHARACTERS.length)]);
		}
		return content.toString();
	}

	/**
	 * Returns a text whose length in UTF-8 is close to a limit at which files are treated
	 * differently, such as the size above which results are cut or versions are not
	 * hashes. Any character may lie across the limit.
	 */
	String longContent() {
		int[] bounds = { 256 << 10, 1 << 20, (1 << 20) + (256 << 10), 3 << 20 };
		int bytes = bounds[this.random.nextInt(bounds.length)] - 2 + this.random.nextInt(5);
		int unusual = 1 + this.random.nextInt(200);
		StringBuilder content = new StringBuilder(bytes);
		while (bytes > 0) {
			int character = (this.random.nextInt(unusual) == 0) ? CHARACTERS[this.random.nextInt(CHARACTERS.length)]
					: (this.random.nextInt(60) == 0) ? '\n' : 'x';
			int length = (character < 0x80) ? 1 : (character < 0x800) ? 2 : (character < 0x10000) ? 3 : 4;
			content.appendCodePoint((length <= bytes) ? character : 'x');
			bytes -= (length <= bytes) ? length : 1;
		}
		return content.toString();
	}

	private int character() {
		int character = this.random.nextInt(Character.MAX_CODE_POINT + 1);
		return (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) ? 'x' : character;
	}

	private String name() {
		return NAMES[this.random.nextInt(NAMES.length)];
	}

	private String separator() {
		return switch (this.random.nextInt(8)) {
			case 0 -> "\\";
			case 1 -> "/./";
			case 2 -> "//";
			default -> "/";
		};
	}

}
