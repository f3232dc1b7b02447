package io.kairo.tools.file;

import java.util.ArrayList;
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
import io.kairo.tools.text.EditDistance;
import io.kairo.tools.text.LookAlikes;
import org.jspecify.annotations.Nullable;

/**
 * A search for existing files whose names resemble a missing one.
 */
public final class NearNames {

	private static final int MAX_NAMES = 3;

	/** Characters compared for one question, in about 10 ms. */
	private static final int MAX_COMPARED = 4_000_000;

	private NearNames() {
	}

	/**
	 * Asks whether one of the files with a similar name was meant. For a name that looks
	 * the same, shows the characters that differ. Where there are very many long names,
	 * only the first ones are compared letter by letter.
	 * @param missing the path that does not exist
	 * @param context the context of the call
	 * @return the question, null if no name beside it is similar
	 */
	public static @Nullable String question(WorkspacePath missing, ToolContext context) {
		List<WorkspacePath> near = of(missing, context.files());
		return near.isEmpty() ? null
				: near.stream()
					.map((name) -> "'" + context.display(name) + "'" + difference(missing.name(), name.name()))
					.collect(Collectors.joining(", ", "Did you mean ", "?"));
	}

	private static String difference(String missing, String name) {
		if (missing.equals(name) || !LookAlikes.same(missing, name)) {
			return "";
		}
		String spelled = LookAlikes.spell(name);
		return spelled.equals(name) ? " (you gave '" + LookAlikes.spell(missing) + "')"
				: " (spelled '" + spelled + "')";
	}

	private static List<WorkspacePath> of(WorkspacePath missing, WorkspaceFiles files) {
		if (missing.isRoot()) {
			return List.of();
		}
		WorkspaceResult<FileListing> siblings = files.list(missing.parent(), 1);
		if (!siblings.isOk()) {
			return List.of();
		}
		String wanted = LookAlikes.fold(missing.name().toLowerCase(Locale.ROOT));
		int farthest = Math.max(2, wanted.length() / 3);
		List<Candidate> candidates = new ArrayList<>();
		long compared = 0;
		for (FileInfo sibling : siblings.value().entries()) {
			String name = LookAlikes.fold(sibling.path().name().toLowerCase(Locale.ROOT));
			if (contain(wanted, name)) {
				candidates.add(new Candidate(sibling.path(), wanted.equals(name) ? 0 : 1));
			}
			else if (Math.abs(wanted.length() - name.length()) <= farthest && compared < MAX_COMPARED) {
				compared += (long) wanted.length() * name.length();
				candidates.add(new Candidate(sibling.path(), EditDistance.between(wanted, name)));
			}
		}
		return candidates.stream()
			.filter((candidate) -> candidate.distance() <= farthest)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::path))
			.limit(MAX_NAMES)
			.map(Candidate::path)
			.toList();
	}

	private static boolean contain(String one, String other) {
		return one.equals(other)
				|| (Math.min(one.length(), other.length()) > 2 && (one.contains(other) || other.contains(one)));
	}

	private record Candidate(WorkspacePath path, int distance) {

	}

}
