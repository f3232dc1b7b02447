package io.kairo.sandbox.process;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Refuses requests that cannot be honoured for a process of the host. Attributes without
 * an effect, such as a writable directory at its own path, are accepted.
 */
final class RequestCheck {

	private static final String REMEDY = "use a sandbox that isolates, such as bubblewrap, or remove it from the request";

	private final ReadOnlyDirectories readOnly;

	RequestCheck(ReadOnlyDirectories readOnly) {
		this.readOnly = readOnly;
	}

	/**
	 * Checks a request.
	 * @throws SandboxException if a part of it cannot be honoured
	 */
	void check(SandboxRequest request) {
		SandboxAttributes attributes = request.attributes();
		if (request.readOnly()) {
			checkReadOnly("the workspace");
		}
		if (!attributes.protectedPaths().isEmpty()) {
			throw unsupported(
					"A command on the host cannot be prevented from changing " + attributes.protectedPaths().get(0));
		}
		String target = attributes.workspaceTarget();
		if (target != null && !target.equals(request.workspaceRoot().toAbsolutePath().toString())) {
			throw unsupported("A command on the host sees the workspace at its own path, not at " + target);
		}
		attributes.mounts().forEach(this::check);
	}

	private void check(SandboxAttributes.Mount mount) {
		if (!mount.target().equals(mount.source().toAbsolutePath().toString())) {
			throw unsupported("A command on the host sees directories at their own path, not at " + mount.target());
		}
		if (!mount.writable()) {
			checkReadOnly(mount.target());
		}
	}

	private void checkReadOnly(String what) {
		String problem = this.readOnly.problem();
		if (problem != null) {
			throw unsupported("A command on this host cannot be prevented from writing to " + what + ": " + problem);
		}
	}

	private static SandboxException unsupported(String reason) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, REMEDY);
	}

}
