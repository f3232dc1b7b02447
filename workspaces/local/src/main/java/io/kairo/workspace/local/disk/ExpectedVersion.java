package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Compares an entry with the version that a change expects.
 */
final class ExpectedVersion {

	private ExpectedVersion() {
	}

	/**
	 * Checks the version.
	 * @param expected the expected version, null for any
	 * @throws RefusedException if the version differs
	 */
	static void require(@Nullable String expected, DescentResult target) throws IOException, RefusedException {
		if (expected == null) {
			return;
		}
		BasicFileAttributes attributes = target.attributes();
		if (expected.equals(WorkspaceChange.ABSENT)) {
			if (attributes != null) {
				throw stale("exists already, and was expected to be absent: read it first, or give another path");
			}
			return;
		}
		if (attributes == null) {
			throw stale("is not there any more: list the directory above it");
		}
		if (!attributes.isRegularFile() || !matches(expected, target, attributes)) {
			throw stale("was changed since it was read: read it again and make the change anew");
		}
	}

	private static boolean matches(String expected, DescentResult target, BasicFileAttributes attributes)
			throws IOException, RefusedException {
		if (expected.equals(FileVersion.ofAttributes(attributes))) {
			return true;
		}
		return expected.startsWith(FileVersion.HASH) && expected.equals(ContentReader.hash(target.existing()));
	}

	private static RefusedException stale(String reason) {
		return RefusedException.of(WorkspaceErrorCode.STALE_READ, reason);
	}

}
