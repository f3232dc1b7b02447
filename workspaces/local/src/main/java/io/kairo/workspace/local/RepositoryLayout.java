package io.kairo.workspace.local;

import java.util.Set;

/**
 * The entries that make Git take a directory of any name for a repository: a
 * {@code HEAD}, and either a {@code commondir} or both {@code objects} and {@code refs}.
 * Git also looks at the content of {@code HEAD}, but that may change later.
 *
 * @see <a href="https://git-scm.com/docs/gitrepository-layout">gitrepository-layout</a>
 */
public final class RepositoryLayout {

	/** The name of the entry that every repository has. */
	public static final String HEAD = "HEAD";

	private static final Set<String> PARTS = Set.of("head", "commondir", "objects", "refs");

	private RepositoryLayout() {
	}

	/**
	 * Returns whether an entry may make its directory a repository.
	 * @param name a {@linkplain PortableName#foldFully(String) folded} name
	 * @return false if it never is
	 */
	public static boolean isPart(String name) {
		return PARTS.contains(name);
	}

	/**
	 * Returns whether a directory is a repository.
	 * @param entries the entries of the directory
	 * @param <X> the type of failures
	 * @return true if Git may take it for one
	 * @throws X if the directory cannot be examined
	 */
	public static <X extends Exception> boolean isPresent(Entries<X> entries) throws X {
		return entries.contain(HEAD)
				&& (entries.contain("commondir") || (entries.contain("objects") && entries.contain("refs")));
	}

	/**
	 * Returns whether a directory is a repository as soon as it has one more entry.
	 * @param name the folded name of the new entry
	 * @param entries the other entries of the directory
	 * @param <X> the type of failures
	 * @return true if Git may take it for one
	 * @throws X if the directory cannot be examined
	 */
	public static <X extends Exception> boolean isPresentWith(String name, Entries<X> entries) throws X {
		return isPart(name) && isPresent(
				(Entries<X>) (other) -> PortableName.foldFully(other).equals(name) || entries.contain(other));
	}

	/**
	 * The entries of a directory.
	 *
	 * @param <X> the type of failures
	 */
	@FunctionalInterface
	public interface Entries<X extends Exception> {

		/**
		 * Returns whether there is an entry of any type.
		 * @param name the name of the entry
		 * @return true if it exists
		 * @throws X if the directory cannot be examined
		 */
		boolean contain(String name) throws X;

	}

}
