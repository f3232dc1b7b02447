package io.kairo.workspace.git;

import java.util.List;

/**
 * The refs of one fetch. Immutable.
 *
 * @param refSpecs the refspecs
 * @param prune whether to delete refs that the remote no longer has
 */
record FetchSpec(List<String> refSpecs, boolean prune) {

	/** All branches and tags, so that a request for another one needs no fetch. */
	static final FetchSpec BRANCHES_AND_TAGS = new FetchSpec(
			List.of("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"), true);

	/**
	 * Returns the fetch of a ref that is neither branch nor tag. The store keeps it under
	 * {@code refs/kairo/refs/}, since refs like {@code refs/replace/} change how Git
	 * reads a repository.
	 */
	static FetchSpec ref(String name) {
		return new FetchSpec(List.of("+" + name + ":" + keptAs(name)), false);
	}

	static String keptAs(String name) {
		return "refs/kairo/refs/" + name.substring("refs/".length());
	}

	/**
	 * Returns the fetch of a commit by its id. The remote may refuse it.
	 */
	static FetchSpec commit(String id) {
		return new FetchSpec(List.of("+" + id + ":refs/kairo/commits/" + id), false);
	}

	String key() {
		return String.join(" ", this.refSpecs);
	}

}
