package io.kairo.workspace.git;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/**
 * The ref that a hint requests. Immutable.
 *
 * @param text the ref of the hint, {@code pull/<number>} as its full name; null for the
 * {@code HEAD} of the remote
 * @param kind the kind of ref that the text stands for
 * @param fetch the fetch that brings the ref
 */
record RequestedRef(@Nullable String text, Kind kind, FetchSpec fetch) {

	private static final int MAX_BYTES = 250;

	private static final Pattern PULL = Pattern.compile("pull/\\d{1,18}(?:/head|/merge)?");

	private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

	private static final Pattern SHORT_COMMIT = Pattern.compile("[0-9a-f]{7,39}");

	/**
	 * Parses a ref.
	 * @throws WorkspacePathException if it is not a valid name of a ref
	 */
	static RequestedRef parse(RemoteUrl url, @Nullable String ref) {
		if (ref == null) {
			return new RequestedRef(null, Kind.HEAD, FetchSpec.BRANCHES_AND_TAGS);
		}
		requireName(url, ref, "refs/heads/" + ref);
		if (COMMIT.matcher(ref).matches()) {
			return new RequestedRef(ref, Kind.COMMIT, FetchSpec.BRANCHES_AND_TAGS);
		}
		if (PULL.matcher(ref).matches()) {
			String full = "refs/" + ref + (ref.endsWith("/head") || ref.endsWith("/merge") ? "" : "/head");
			return new RequestedRef(full, Kind.REF, FetchSpec.ref(full));
		}
		if (ref.startsWith("refs/")) {
			requireName(url, ref, ref);
			boolean usual = ref.startsWith("refs/heads/") || ref.startsWith("refs/tags/");
			return new RequestedRef(ref, Kind.REF, usual ? FetchSpec.BRANCHES_AND_TAGS : FetchSpec.ref(ref));
		}
		return new RequestedRef(ref, Kind.NAME, FetchSpec.BRANCHES_AND_TAGS);
	}

	private static void requireName(RemoteUrl url, String ref, String full) {
		if (ref.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES || ref.startsWith("-")
				|| ref.chars().anyMatch(Character::isISOControl) || !Repository.isValidRefName(full)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The remote " + url + " cannot have a ref " + WorkspacePath.quote(ref)
							+ ": name a branch, a tag, a commit, pull/<number> or a full name like refs/heads/main");
		}
	}

	/**
	 * Returns the full names that the text may be short for, in the order of the lookup.
	 */
	List<String> names() {
		return switch (this.kind) {
			case HEAD -> List.of("HEAD");
			case REF -> List.of(this.fetch.equals(FetchSpec.BRANCHES_AND_TAGS) ? String.valueOf(this.text)
					: FetchSpec.keptAs(String.valueOf(this.text)));
			case COMMIT -> List.of();
			case NAME -> List.of("refs/heads/" + this.text, "refs/tags/" + this.text);
		};
	}

	/**
	 * Returns whether the text may be an abbreviated id of a commit.
	 */
	boolean mayBeShortCommit() {
		return this.kind == Kind.NAME && SHORT_COMMIT.matcher(String.valueOf(this.text)).matches();
	}

	/**
	 * Returns a description for messages.
	 */
	String described() {
		return (this.text != null) ? WorkspacePath.quote(this.text) : "default branch";
	}

	/**
	 * The kind of a requested ref.
	 */
	enum Kind {

		/** The default branch. */
		HEAD,

		/** A full name of a ref. */
		REF,

		/** A full id of a commit. */
		COMMIT,

		/** A branch, a tag or an abbreviated id. */
		NAME

	}

}
