package io.kairo.workspace.routing;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import org.jspecify.annotations.Nullable;

/**
 * The registered providers by scheme. Immutable.
 */
final class Schemes {

	private final Map<String, WorkspaceProviderRegistration> registrations = new LinkedHashMap<>();

	private final WorkspaceProviderRegistration withoutScheme;

	Schemes(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations) {
		for (WorkspaceProviderRegistration registration : registrations) {
			WorkspaceProviderRegistration known = this.registrations.putIfAbsent(registration.scheme(), registration);
			if (known != null) {
				throw new DuplicateSchemeException(registration.scheme(), known.provider().getClass().getName(),
						registration.provider().getClass().getName());
			}
		}
		WorkspaceProviderRegistration found = this.registrations.get(defaultScheme);
		if (found == null) {
			throw new IllegalArgumentException("There is no workspace provider '" + defaultScheme + "': use one of "
					+ this.registrations.keySet());
		}
		this.withoutScheme = found;
	}

	boolean knows(@Nullable String hint) {
		String scheme = WorkspaceHint.parse(hint).scheme();
		return scheme == null || this.registrations.containsKey(scheme);
	}

	WorkspaceProviderRegistration find(@Nullable String hint) {
		WorkspaceHint parsed = WorkspaceHint.parse(hint);
		if (parsed.scheme() == null) {
			return this.withoutScheme;
		}
		WorkspaceProviderRegistration found = this.registrations.get(parsed.scheme());
		if (found == null) {
			throw new WorkspacePathException(WorkspaceErrorCode.UNKNOWN_PROVIDER,
					"No workspace provider knows the hint " + WorkspacePath.quote(parsed.toString())
							+ ": start it with one of " + this.registrations.keySet()
							+ " and a colon, or write ./ before a path with a colon");
		}
		return found;
	}

}
