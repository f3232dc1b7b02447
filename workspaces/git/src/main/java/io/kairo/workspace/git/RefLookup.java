package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.eclipse.jgit.errors.AmbiguousObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/**
 * Looks up refs in a store.
 */
final class RefLookup {

	private RefLookup() {
	}

	/**
	 * Resolves a ref to a commit. Looks for each name of the ref, then for a commit by
	 * its id or an abbreviation of it.
	 * @return the commit, or null if the store does not have it
	 * @throws WorkspaceException if a short id is ambiguous, or the ref is not a commit
	 */
	static @Nullable FoundCommit find(Path store, RequestedRef wanted) throws IOException {
		try (Repository repository = new IsolatedRepository(store, null)) {
			for (String name : wanted.names()) {
				Ref ref = repository.exactRef(name);
				if (ref != null && ref.getObjectId() != null) {
					return commit(repository, ref.getObjectId(), ref.isSymbolic() ? ref.getTarget().getName() : name,
							wanted);
				}
			}
			if (wanted.kind() == RequestedRef.Kind.COMMIT) {
				return commit(repository, ObjectId.fromString(String.valueOf(wanted.text())), null, wanted);
			}
			ObjectId abbreviated = wanted.mayBeShortCommit() ? abbreviated(repository, wanted) : null;
			return (abbreviated != null) ? commit(repository, abbreviated, null, wanted) : null;
		}
	}

	private static @Nullable ObjectId abbreviated(Repository repository, RequestedRef wanted) throws IOException {
		try {
			return repository.resolve(wanted.text() + "^{commit}");
		}
		catch (AmbiguousObjectException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.REF_NOT_FOUND,
					"Several commits begin with " + wanted.described() + ": write more of the id", null);
		}
		catch (IncorrectObjectTypeException ex) {
			return null;
		}
	}

	private static @Nullable FoundCommit commit(Repository repository, ObjectId id, @Nullable String name,
			RequestedRef wanted) throws IOException {
		try (RevWalk walk = new RevWalk(repository)) {
			return new FoundCommit(walk.parseCommit(id).name(), "HEAD".equals(name) ? null : name, null);
		}
		catch (MissingObjectException ex) {
			return null;
		}
		catch (IncorrectObjectTypeException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.REF_NOT_FOUND,
					"The ref " + wanted.described() + " is not a commit: name one that has files", null);
		}
	}

}
