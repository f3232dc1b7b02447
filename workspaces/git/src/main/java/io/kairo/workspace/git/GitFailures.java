package io.kairo.workspace.git;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;

/**
 * Translates the output of failed Git clients into exceptions with a code, without
 * secrets and paths of the host.
 */
final class GitFailures {

	/** Message of the operating system when the disk is full. */
	static final String FULL = "No space left";

	private static final int MAX_TEXT = 300;

	private static final List<String> REFUSALS = List.of("could not read username", "could not read password",
			"authentication", "not authorized", "error: 401", "error: 403", "error: 404", "403 forbidden",
			"permission denied", "access denied", "repository not exported", "not found", "not permitted",
			"no remote repository", "does not appear to be a git repository", "does not exist", "host key verification",
			"redirect", "pre-receive hook declined", "remote rejected", "service not enabled");

	private static final List<String> MISSING = List.of("couldn't find remote ref", "remote does not have",
			"not our ref", "unadvertised object");

	private static final Pattern WANT = Pattern.compile("want [0-9a-f]{40,64} not valid");

	/** Free text of the server; it is not evidence of a failure. */
	private static final Pattern SIDEBAND = Pattern.compile("(?m)^remote: .*$");

	private GitFailures() {
	}

	/**
	 * Returns the exception for the output of a client about a remote.
	 */
	static WorkspaceException remote(GitRemote remote, String said, String doing) {
		String text = said.toLowerCase(Locale.ROOT);
		String own = SIDEBAND.matcher(text).replaceAll("");
		if (text.contains("no space left") || text.contains("disk quota")) {
			return new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					"There is no space left to " + doing + " " + remote.url() + ": free some and try again", null);
		}
		if (MISSING.stream().anyMatch(own::contains) || WANT.matcher(own).find()) {
			return new WorkspaceException(WorkspaceErrorCode.REF_NOT_FOUND,
					"The remote " + remote.url() + " does not have the requested ref" + shown(remote, said), null);
		}
		if (text.contains("host key verification failed")) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED,
					"The host key of " + remote.url()
							+ " is unknown or has changed: put the right one into the known_hosts of the user "
							+ "that this application runs as",
					null);
		}
		if (REFUSALS.stream().anyMatch(text::contains)) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, "The remote " + remote.url()
					+ " refuses to let this application " + doing
					+ " it, or has no such repository: check the address and the "
					+ (remote.url().scheme().equals("ssh") ? "key that ssh uses without asking" : "credential for it")
					+ shown(remote, said), null);
		}
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE, "The remote " + remote.url()
				+ " cannot be reached, or broke off: try again later" + shown(remote, said), null);
	}

	/**
	 * Returns the exception for a failure on this machine. Only the cause has paths of
	 * the host; it is for the log.
	 */
	static WorkspaceException here(WorkspaceErrorCode code, String what, String remedy, IOException cause) {
		String said = String.valueOf(cause.getMessage());
		if (said.contains(FULL) || said.contains("quota exceeded")) {
			return new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					what + ", as no space is left: free some and try again", cause);
		}
		return said.startsWith("another ")
				? new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE,
						what + ", as " + said + ": try again later", cause)
				: new WorkspaceException(code, what + ": " + remedy, cause);
	}

	static WorkspaceException timeout(GitRemote remote, Deadline deadline) {
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE, "The remote " + remote.url()
				+ " did not finish within " + deadline.bound().toMillis() / 1000.0 + " seconds: try again later", null);
	}

	static WorkspaceException conflict(GitRemote remote, String branch) {
		return new WorkspaceException(WorkspaceErrorCode.CONFLICT, "The remote " + remote.url() + " has a branch "
				+ WorkspacePath.quote(branch) + " already: push to one with another name", null);
	}

	static WorkspaceException tooLarge(GitRemote remote, long bound) {
		return new WorkspaceException(WorkspaceErrorCode.TOO_LARGE, "The remote " + remote.url()
				+ " has more than the %,d bytes that are kept of one: name a depth, or allow more".formatted(bound),
				null);
	}

	private static String shown(GitRemote remote, String said) {
		String line = said.lines()
			.map((text) -> text.replaceAll("\\p{Cntrl}", " ").strip())
			.filter(GitFailures::tells)
			.findFirst()
			.orElse("");
		String redacted = remote.redact(line);
		return line.isEmpty() ? ""
				: " (" + redacted.substring(0, Math.min(redacted.length(), MAX_TEXT)).replaceAll(" '/[^']*'", "") + ")";
	}

	/**
	 * Returns whether a line describes the failure. Lines of ssh precede the lines that
	 * git derives from them.
	 */
	private static boolean tells(String line) {
		return line.startsWith("fatal:") || line.startsWith("error:") || line.contains("rejected")
				|| line.startsWith("ssh:") || line.contains(": Permission denied (");
	}

}
