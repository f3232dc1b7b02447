package io.kairo.workspace.local.disk;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.ModelTree.Found;

/**
 * Predicts the results of reading and writing a path by a plain model of the tree.
 */
final class OpenOracle {

	private final ModelTree tree;

	private final List<String> confined;

	private final boolean caseInsensitive;

	private final List<String> guarded = new ArrayList<>();

	/** Protected paths of two names, at any depth. */
	private final List<String> anyDepth = new ArrayList<>();

	private final List<String> allowed = new ArrayList<>();

	OpenOracle(ModelTree tree, GateOracle gate, NameMatching matching, List<String> guarded, List<String> allowed) {
		this.tree = tree;
		this.confined = (gate.policy() == PathPolicy.HOST) ? List.of()
				: gate.roots().stream().map(Path::toString).toList();
		this.caseInsensitive = matching == NameMatching.CASE_INSENSITIVE;
		for (Path root : gate.roots()) {
			for (String name : guarded) {
				if (name.startsWith("**")) {
					this.anyDepth.add(fold(name.substring(2)));
					continue;
				}
				String path = root + "/" + name;
				this.guarded.add(fold(path));
				this.guarded.add(fold(where(path, tree.find(path, List.of(), false))));
				this.guarded.add(fold(where(path, find(path))));
			}
			for (String name : allowed) {
				String path = root + "/" + name;
				this.allowed.add(path);
				this.allowed.add(this.caseInsensitive ? where(path, find(path)) : path);
			}
		}
	}

	/**
	 * Returns whether a path stays inside the model.
	 */
	boolean knows(String path) {
		Found found = find(path);
		return found.error() != null || this.tree.knows(found.physical());
	}

	private Found find(String path) {
		return this.tree.find(path, this.confined, this.caseInsensitive);
	}

	private static String where(String path, Found found) {
		return (found.error() != null) ? path : found.physical();
	}

	private static String fold(String path) {
		return Normalizer.normalize(path, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
	}

	String read(String path) {
		Found found = find(path);
		if (found.error() != null) {
			return found.error();
		}
		return switch (found.kind()) {
			case FILE -> "content " + found.physical();
			case MISSING -> "file_not_found";
			default -> special(found);
		};
	}

	/**
	 * Returns the result of a write that expects another version.
	 */
	String write(String path) {
		Found found = find(path);
		if (found.error() != null) {
			return found.error();
		}
		if (found.kind() != ModelTree.Kind.FILE && found.kind() != ModelTree.Kind.MISSING) {
			return special(found);
		}
		String folded = fold(found.physical());
		boolean isGuarded = this.guarded.stream()
			.anyMatch((guard) -> ModelTree.isBelow(folded, guard) || ModelTree.isBelow(guard, folded));
		boolean isNested = this.anyDepth.stream()
			.anyMatch((names) -> (folded + "/").contains(names + "/")
					|| folded.endsWith(names.substring(0, names.lastIndexOf('/'))));
		boolean isAllowed = this.allowed.stream().anyMatch((prefix) -> ModelTree.isBelow(found.physical(), prefix));
		return (isGuarded || isNested || !isAllowed) ? "protected_path" : "stale_read";
	}

	private static String special(Found found) {
		return (found.kind() == ModelTree.Kind.DIRECTORY) ? "is_a_directory" : "unsupported_file_type";
	}

}
