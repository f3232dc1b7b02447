package io.kairo.workspace.checkpoint;

import java.util.List;
import java.util.function.Predicate;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;

/**
 * The paths whose changes are recorded: those that a policy lets file tools write.
 *
 * @param atRoots protected paths below a root
 * @param anywhere protected paths at any depth, between slashes
 * @param allowed the prefixes that are allowed, none for all
 */
record RecordedPaths(List<String> atRoots, List<String> anywhere,
		List<String> allowed) implements Predicate<WorkspacePath> {

	static RecordedPaths of(WritePolicy policy) {
		return new RecordedPaths(policy.protectedAtRoots(),
				policy.protectedAtAnyDepth().stream().map((path) -> "/" + path + "/").toList(),
				policy.allowedPrefixes());
	}

	@Override
	public boolean test(WorkspacePath path) {
		String relative = path.relative();
		if (this.atRoots.stream().anyMatch((each) -> isBelow(relative, each))) {
			return false;
		}
		if (!this.anywhere.isEmpty()) {
			String slashed = "/" + relative + "/";
			if (this.anywhere.stream().anyMatch(slashed::contains)) {
				return false;
			}
		}
		return this.allowed.isEmpty()
				|| this.allowed.stream().anyMatch((each) -> isBelow(relative, each) || isBelow(each, relative));
	}

	private static boolean isBelow(String path, String above) {
		return above.isEmpty()
				|| (path.startsWith(above) && (path.length() == above.length() || path.charAt(above.length()) == '/'));
	}

}
