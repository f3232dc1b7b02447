package io.kairo.workspace.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * The paths that a write policy protects at any depth, in repositories of Git also where
 * these have another name than {@code .git}. All names are folded by
 * {@link PortableName#foldFully(String)}. Safe for use by several threads.
 */
public final class AnyDepthPaths {

	private final Step start = new Step();

	/**
	 * Creates the paths.
	 * @param paths canonical paths
	 */
	public AnyDepthPaths(List<String> paths) {
		for (String path : paths) {
			Step step = this.start;
			for (String name : path.split("/", -1)) {
				step = step.next.computeIfAbsent(PortableName.foldFully(name), (missing) -> new Step());
			}
			step.last = true;
		}
	}

	/**
	 * Returns whether no path is protected at any depth.
	 * @return true if every path is {@link Relation#NONE}
	 */
	public boolean isEmpty() {
		return this.start.next.isEmpty();
	}

	/**
	 * Returns whether paths in repositories of Git are protected.
	 * @return true if no change may make a directory a repository
	 */
	public boolean coverRepositories() {
		return repository() != null;
	}

	private @Nullable Step repository() {
		return this.start.next.get(".git");
	}

	/**
	 * Returns the relation of a path to the protected ones, by its names alone.
	 * @param names folded names
	 * @return the closest relation
	 */
	public Relation relation(List<String> names) {
		Relation closest = Relation.NONE;
		for (int i = 0; i < names.size(); i++) {
			closest = closest.or(this.start.follow(names, i));
		}
		return closest;
	}

	/**
	 * Returns the relation of a path to the protected ones, also of repositories with
	 * another name.
	 * @param names folded names
	 * @param repository whether the directory of the given number of names is a
	 * {@linkplain RepositoryLayout repository}; called only if that makes a difference
	 * @return the closest relation
	 */
	public Relation relation(List<String> names, IntPredicate repository) {
		Relation closest = relation(names);
		Step inRepository = repository();
		for (int i = 0; inRepository != null && i < names.size(); i++) {
			Relation inside = inRepository.follow(names, i);
			if (inside.compareTo(closest) > 0 && repository.test(i)) {
				closest = inside;
			}
		}
		return closest;
	}

	/**
	 * The relation of a path to protected paths, from the most distant to the closest.
	 */
	public enum Relation {

		/** Neither the path nor anything below it is protected for its name. */
		NONE,

		/** The path is above a protected path, whether or not that exists. */
		ABOVE,

		/** The path is protected, by itself or by something above it. */
		WITHIN;

		Relation or(Relation other) {
			return (other.compareTo(this) > 0) ? other : this;
		}

	}

	/**
	 * A name on the way to the end of a protected path.
	 */
	private static final class Step {

		private final Map<String, Step> next = new HashMap<>();

		private boolean last;

		Relation follow(List<String> names, int from) {
			Step step = this;
			for (int i = from; !step.last && i < names.size(); i++) {
				step = step.next.get(names.get(i));
				if (step == null) {
					return Relation.NONE;
				}
			}
			return step.last ? Relation.WITHIN : Relation.ABOVE;
		}

	}

}
