package io.kairo.sandbox.process;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Refuses what a process of the host cannot be made to respect. What changes nothing,
 * such as a writable directory at its own path, is let through.
 */
final class RequestCheck {

	private static final String REMEDY = "use a sandbox that isolates, such as bubblewrap, or do not ask for it";

	private RequestCheck() {
	}

	static void supported(SandboxRequest request) {
		SandboxAttributes attributes = request.attributes();
		if (request.readOnly()) {
			throw unsupported("A command on the host cannot be kept from writing, so a read-only request is refused");
		}
		if (!attributes.protectedPaths().isEmpty()) {
			throw unsupported(
					"A command on the host cannot be kept from changing " + attributes.protectedPaths().get(0));
		}
		String target = attributes.workspaceTarget();
		if (target != null && !target.equals(request.workspaceRoot().toAbsolutePath().toString())) {
			throw unsupported("A command on the host sees the workspace at its own path, not at " + target);
		}
		attributes.mounts().forEach(RequestCheck::supported);
	}

	private static void supported(SandboxAttributes.Mount mount) {
		if (!mount.writable()) {
			throw unsupported("A command on the host cannot be kept from writing to " + mount.target());
		}
		if (!mount.target().equals(mount.source().toAbsolutePath().toString())) {
			throw unsupported("A command on the host sees directories at their own path, not at " + mount.target());
		}
	}

	private static SandboxException unsupported(String reason) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, REMEDY);
	}

}
