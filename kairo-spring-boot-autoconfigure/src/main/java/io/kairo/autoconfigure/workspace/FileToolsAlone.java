package io.kairo.autoconfigure.workspace;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;

/**
 * What the properties of the workspace ask for and commands are not held to, since their
 * sandbox cannot do that.
 *
 * @since 0.1.0
 */
public final class FileToolsAlone {

	private FileToolsAlone() {
	}

	/**
	 * Finds what binds file tools alone.
	 * @param properties what is asked for
	 * @param capabilities what the sandbox holds commands to
	 * @return properties with their values, for people to read; empty if commands are
	 * held to all of it
	 */
	public static List<String> of(WorkspaceProperties properties, SandboxCapabilities capabilities) {
		List<String> found = new ArrayList<>();
		boolean written = !properties.readOnly();
		if (written && !properties.protectedPaths().isEmpty() && !capabilities.has(SandboxCapability.PROTECTED_PATHS)) {
			found.add("protected-paths " + properties.protectedPaths());
		}
		if (!capabilities.has(SandboxCapability.MOUNTS)) {
			if (written && !properties.allowedPrefixes().isEmpty()) {
				found.add("allowed-prefixes " + properties.allowedPrefixes());
			}
			if (properties.pathPolicy().hidesHost()) {
				found.add("path-policy " + WorkspaceProperties.spelled(properties.pathPolicy()));
			}
		}
		return found;
	}

}
