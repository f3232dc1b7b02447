package io.kairo.workspace.git;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * A parsed hint {@code git:<url>[#ref]}. Immutable.
 *
 * @param url the address of the remote
 * @param wanted the ref to check out
 */
record GitHint(RemoteUrl url, RequestedRef wanted) {

	private static final String SCHEME = "git";

	/**
	 * Parses a hint.
	 * @throws WorkspacePathException if it has another form
	 */
	static GitHint parse(@Nullable String hint) {
		WorkspaceHint parsed = WorkspaceHint.parse(hint);
		if (!SCHEME.equals(parsed.scheme())) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The hint names no Git remote: write it like git:https://host/path/repository.git#branch");
		}
		String rest = parsed.rest();
		int hash = rest.indexOf('#');
		RemoteUrl url = RemoteUrl.parse((hash < 0) ? rest : rest.substring(0, hash));
		return new GitHint(url, RequestedRef.parse(url, (hash < 0) ? null : rest.substring(hash + 1)));
	}

}
