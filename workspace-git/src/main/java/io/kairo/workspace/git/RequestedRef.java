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
 * What is to be checked out. Immutable.
 *
 * @param text what was asked for, null for what the remote's {@code HEAD} is
 * @param kind what it may be
 * @param fetched what must be fetched to know it
 */
record RequestedRef(@Nullable String text, Kind kind, FetchSpec fetched) {

	private static final int MAX_BYTES = 250;

	private static final Pattern PULL = Pattern.compile("pull/\\d{1,18}(?:/head|/merge)?");

	private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

	private static final Pattern SHORT_COMMIT = Pattern.compile("[0-9a-f]{7,39}");

	/**
	 * Reads a ref.
	 * @throws WorkspacePathException if it cannot be one
	 */
	static RequestedRef parse(RemoteUrl url, @Nullable String ref) {
		if (ref == null) {
			return new RequestedRef(null, Kind.HEAD, FetchSpec.BRANCHES);
		}
		requireName(url, ref, "refs/heads/" + ref);
		if (COMMIT.matcher(ref).matches()) {
			return new RequestedRef(ref, Kind.COMMIT, FetchSpec.BRANCHES);
		}
		if (PULL.matcher(ref).matches()) {
			String full = "refs/" + ref + (ref.endsWith("/head") || ref.endsWith("/merge") ? "" : "/head");
			return new RequestedRef(full, Kind.REF, FetchSpec.ref(full));
		}
		if (ref.startsWith("refs/")) {
			requireName(url, ref, ref);
			boolean usual = ref.startsWith("refs/heads/") || ref.startsWith("refs/tags/");
			return new RequestedRef(ref, Kind.REF, usual ? FetchSpec.BRANCHES : FetchSpec.ref(ref));
		}
		return new RequestedRef(ref, Kind.NAME, FetchSpec.BRANCHES);
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
	 * Returns what the name may be short for, in the order in which it is looked up.
	 */
	List<String> names() {
		return switch (this.kind) {
			case HEAD -> List.of("HEAD");
			case REF -> List.of(this.fetched.equals(FetchSpec.BRANCHES) ? String.valueOf(this.text)
					: FetchSpec.keptAs(String.valueOf(this.text)));
			case COMMIT -> List.of();
			case NAME -> List.of("refs/heads/" + this.text, "refs/tags/" + this.text);
		};
	}

	/**
	 * Returns whether it may be the beginning of a commit's id.
	 */
	boolean mayBeShortCommit() {
		return this.kind == Kind.NAME && SHORT_COMMIT.matcher(String.valueOf(this.text)).matches();
	}

	/**
	 * Describes it for people.
	 */
	String described() {
		return (this.text != null) ? WorkspacePath.quote(this.text) : "default branch";
	}

	/**
	 * What a text may be.
	 */
	enum Kind {

		/** The default branch. */
		HEAD,

		/** A full name. */
		REF,

		/** A full id. */
		COMMIT,

		/** A branch, a tag or a short id. */
		NAME

	}

}
