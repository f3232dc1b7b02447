package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A generated tree of sources of about 3.5 KB each, always the same, with ignored files.
 */
final class SourceTree {

	/** A word in about one of 3,000 files. */
	static final String RARE = "zymurgy";

	/** A word as rare as the other one. */
	static final String RARE_TOO = "quixotic";

	/** A word in about one of 50 lines. */
	static final String COMMON = "synchronized";

	private static final String[] WORDS = { "int", "String", "final", "value", "index", "count", "buffer", "request",
			"response", "static", "private", "public", "void", "return", "new", "this.files", "list.add", "map.get",
			"if", "else", "for", "while", "null", "true", "0x1f", "// see", "e2e7", "k8s", "i18n" };

	private SourceTree() {
	}

	static Path create(Path tree, int files) throws IOException {
		Random random = new Random(1);
		Files.writeString(tree.resolve(".gitignore"), "build/\n*.log\n/d1/*.tmp\n!keep.log\n");
		for (int i = 0; i < files; i++) {
			Path parent = tree.resolve("d" + (i / 2000)).resolve((i / 50 % 10 == 9) ? "build" : "e" + (i / 50));
			Files.createDirectories(parent);
			String name = "Source" + i + switch (i % 20) {
				case 0 -> ".log";
				case 1, 2, 3 -> ".md";
				default -> ".java";
			};
			Files.writeString(parent.resolve(name), text(random));
		}
		return tree;
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int line = random.nextInt(40, 140); line > 0; line--) {
			text.append("\t".repeat(random.nextInt(4)));
			for (int word = random.nextInt(2, 10); word > 0; word--) {
				text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
			}
			text.append((random.nextInt(50) == 0) ? COMMON + " lock(this)" : "")
				.append((random.nextInt(1000) == 0) ? "a" + random.nextInt(1000, 9999) + "b" : "")
				.append((random.nextInt(270_000) == 0) ? RARE : "")
				.append((random.nextInt(270_000) == 0) ? RARE_TOO : "")
				.append(";\n");
		}
		return text.toString();
	}

}
