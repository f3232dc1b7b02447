package io.kairo.tools.file;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * A search for existing files whose names resemble a missing one.
 *
 * @since 0.1.0
 */
public final class NearNames {

	private static final int MAX_NAMES = 3;

	private NearNames() {
	}

	/**
	 * Asks whether one of the files with a similar name was meant.
	 * @param missing the path that does not exist
	 * @param context the context of the call
	 * @return the question, null if no name beside it is similar
	 */
	public static @Nullable String question(WorkspacePath missing, ToolContext context) {
		List<WorkspacePath> near = of(missing, context.files());
		return near.isEmpty() ? null
				: near.stream()
					.map((name) -> "'" + context.display(name) + "'")
					.collect(Collectors.joining(", ", "Did you mean ", "?"));
	}

	private static List<WorkspacePath> of(WorkspacePath missing, WorkspaceFiles files) {
		if (missing.isRoot()) {
			return List.of();
		}
		WorkspaceResult<FileListing> siblings = files.list(missing.parent(), 1);
		if (!siblings.isOk()) {
			return List.of();
		}
		String wanted = missing.name().toLowerCase(Locale.ROOT);
		int farthest = Math.max(2, wanted.length() / 3);
		return siblings.value()
			.entries()
			.stream()
			.map(FileInfo::path)
			.map((path) -> new Candidate(path, distance(wanted, path.name().toLowerCase(Locale.ROOT))))
			.filter((candidate) -> candidate.distance() <= farthest)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::path))
			.limit(MAX_NAMES)
			.map(Candidate::path)
			.toList();
	}

	/**
	 * Returns the Levenshtein distance, or 1 where one name contains the other.
	 */
	private static int distance(String one, String other) {
		if (one.equals(other)) {
			return 0;
		}
		if (Math.min(one.length(), other.length()) > 2 && (one.contains(other) || other.contains(one))) {
			return 1;
		}
		int[] previous = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			previous[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int[] current = new int[other.length() + 1];
			current[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int substitution = previous[j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
			}
			previous = current;
		}
		return previous[other.length()];
	}

	private record Candidate(WorkspacePath path, int distance) {

	}

}
