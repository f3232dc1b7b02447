package io.kairo.workspace.routing;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import org.jspecify.annotations.Nullable;

/**
 * Finds the provider that a hint names. Immutable.
 */
final class Schemes {

	/** At least two characters: a single letter is a drive. */
	private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*", Pattern.DOTALL);

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
		Matcher matcher = SCHEME.matcher((hint != null) ? hint : "");
		return !matcher.matches() || this.registrations.containsKey(matcher.group(1));
	}

	WorkspaceProviderRegistration find(@Nullable String hint) {
		Matcher matcher = SCHEME.matcher((hint != null) ? hint : "");
		if (hint == null || !matcher.matches()) {
			return this.withoutScheme;
		}
		WorkspaceProviderRegistration found = this.registrations.get(matcher.group(1));
		if (found == null) {
			throw new WorkspacePathException(WorkspaceErrorCode.UNKNOWN_PROVIDER,
					"No workspace provider knows the hint " + WorkspacePath.quote(hint) + ": start it with one of "
							+ this.registrations.keySet() + " and a colon, or write ./ before a path with a colon");
		}
		return found;
	}

}
