package io.kairo.workspace.local.disk;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import io.kairo.workspace.local.PathPolicy;

/**
 * Creates random arguments, most of which denote an entry of a tree.
 */
final class GateArguments {

	private static final List<String> NAMES = List.of("a", "b", "B", "sub", "..x", "x..y", "...", "~", " a", "a ", " ",
			"@output", "workspace", "\u00e4", "\u65e5\u672c", "-", "C:", "CON", "nul.txt", "dot.", "in", "nested",
			"a b", "%2e%2e", "added", "primary", "primaryish", "missing", "file", ".git", "hooks", "outside", "kept",
			"new");

	private static final List<String> TRICKS = List.of("..", "..", "..", ".", "", "a\\b", "\\", "..\\..", "a\0b", "\n",
			"\ud800", "x".repeat(255), "x".repeat(256), "y".repeat(300), "\u0085", "\u00fc".repeat(128), "\u202e",
			"\u200b");

	private static final List<String> WHOLE = List.of("", " ", "\t", ".", "/", "//", "\\", "..", "/..", "../..",
			"/workspace", "/workspace/", "/workspaces", "workspace", "a/".repeat(2048) + "b", "z".repeat(4097),
			"../".repeat(50), "/proc/self/root", "/dev/null", "file:///etc/passwd");

	private final Random random;

	private final ModelTree tree;

	private final Path base;

	private final List<Path> roots;

	GateArguments(Random random, ModelTree tree, Path base, List<Path> roots) {
		this.random = random;
		this.tree = tree;
		this.base = base;
		this.roots = roots;
	}

	private boolean oneIn(int count) {
		return this.random.nextInt(count) == 0;
	}

	private <T> T any(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

	/**
	 * Creates the absolute path of a current directory, which need not exist.
	 */
	String directory(PathPolicy policy) {
		if (policy == PathPolicy.HOST && oneIn(8)) {
			return oneIn(2) ? "/" : this.base.toString();
		}
		String path = (policy.hidesHost() ? this.roots.get(0) : any(this.roots)).toString();
		for (int i = this.random.nextInt(3); i > 0; i--) {
			path = path + "/" + any(oneIn(4) ? NAMES : known(path));
		}
		return path;
	}

	private List<String> known(String directory) {
		String physical = this.tree.find(directory, List.of(), true).physical();
		List<String> names = this.tree.names(physical);
		return names.isEmpty() ? NAMES : names;
	}

	/**
	 * Creates an argument.
	 * @param cwd the current directory as an absolute path
	 */
	String next(String cwd) {
		if (oneIn(40)) {
			return any(WHOLE);
		}
		String prefix = switch (this.random.nextInt(10)) {
			case 0 -> "/";
			case 1 -> "/workspace/";
			case 2 -> any(this.roots) + "/";
			case 3 -> this.base + "/";
			default -> "";
		};
		String at = prefix.isEmpty() ? cwd
				: (prefix.length() > 12) ? prefix.substring(0, prefix.length() - 1) : this.roots.get(0).toString();
		String separator = oneIn(8) ? any(List.of("\\", "//", "/./")) : "/";
		StringBuilder argument = new StringBuilder(prefix);
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			String name = any(oneIn(16) ? TRICKS : oneIn(6) ? NAMES : known(at));
			argument.append(varied(name)).append((i > 0) ? separator : "");
			at = at + "/" + name;
		}
		if (oneIn(20)) {
			argument.append(any(List.of("/", " ", "//", "/.", "\u2003", "/..")));
		}
		return oneIn(40) ? " " + argument : argument.toString();
	}

	private String varied(String name) {
		return switch (this.random.nextInt(16)) {
			case 0 -> name.toUpperCase(Locale.ROOT);
			case 1 -> name.toLowerCase(Locale.ROOT);
			case 2 -> Normalizer.normalize(name, Normalizer.Form.NFD);
			case 3 -> Normalizer.normalize(name, Normalizer.Form.NFC);
			default -> name;
		};
	}

}
