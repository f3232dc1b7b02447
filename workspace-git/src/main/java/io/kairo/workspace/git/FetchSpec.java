package io.kairo.workspace.git;

import java.util.List;

/**
 * What one fetch brings. Immutable.
 *
 * @param refSpecs from where to where
 * @param prune whether what is gone at the remote goes here too
 */
record FetchSpec(List<String> refSpecs, boolean prune) {

	/** All branches and tags: whoever wants another one finds it here already. */
	static final FetchSpec BRANCHES = new FetchSpec(List.of("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"),
			true);

	/**
	 * Returns one ref that is neither branch nor tag. It has another name here, as some
	 * names change what the objects of a repository are.
	 */
	static FetchSpec ref(String name) {
		return new FetchSpec(List.of("+" + name + ":" + keptAs(name)), false);
	}

	static String keptAs(String name) {
		return "refs/kairo/refs/" + name.substring("refs/".length());
	}

	/**
	 * Returns one commit, which the remote may deny.
	 */
	static FetchSpec commit(String id) {
		return new FetchSpec(List.of("+" + id + ":refs/kairo/commits/" + id), false);
	}

	String key() {
		return String.join(" ", this.refSpecs);
	}

}
