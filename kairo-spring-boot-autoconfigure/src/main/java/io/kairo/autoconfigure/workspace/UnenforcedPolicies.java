package io.kairo.autoconfigure.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;

/**
 * The settings of the workspace that a sandbox does not enforce on commands, but only
 * file tools do.
 */
public final class UnenforcedPolicies {

	private UnenforcedPolicies() {
	}

	/**
	 * Returns the settings that only file tools enforce.
	 * @param properties the configuration of the workspace
	 * @param capabilities the capabilities of the sandbox
	 * @return property names with their values, for logs and pages; empty if the sandbox
	 * enforces all settings
	 */
	public static List<String> of(WorkspaceProperties properties, SandboxCapabilities capabilities) {
		return describe(properties, capabilities, (paths) -> "protected-paths " + paths);
	}

	/**
	 * Returns the settings that only file tools enforce, with the number of protected
	 * paths instead of the paths.
	 * @param properties the configuration of the workspace
	 * @param capabilities the capabilities of the sandbox
	 * @return short descriptions, for a line of the log; empty if the sandbox enforces
	 * all settings
	 */
	public static List<String> summary(WorkspaceProperties properties, SandboxCapabilities capabilities) {
		return describe(properties, capabilities,
				(paths) -> "%d of %d protected-paths".formatted(paths.size(), properties.protectedPaths().size()));
	}

	private static List<String> describe(WorkspaceProperties properties, SandboxCapabilities capabilities,
			Function<List<String>, String> protection) {
		List<String> found = new ArrayList<>();
		boolean written = !properties.readOnly();
		List<String> protectedPaths = new ArrayList<>(properties.protectedPaths());
		if (capabilities.has(SandboxCapability.PROTECTED_PATHS)) {
			protectedPaths.removeAll(properties.writePolicy().protectedAtRoots());
		}
		if (written && !protectedPaths.isEmpty()) {
			found.add(protection.apply(protectedPaths));
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
