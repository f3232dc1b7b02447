package io.kairo.api.workspace;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The provider and the files factory for hints that start with {@code scheme:}.
 *
 * @param scheme the scheme: lower-case letters, digits, {@code +}, {@code .} and
 * {@code -}, at least two characters, starting with a letter; a single letter would be a
 * drive
 * @param provider the provider of the workspaces
 * @param files the factory of their files
 */
public record WorkspaceProviderRegistration(String scheme, WorkspaceProvider provider, WorkspaceFilesFactory files) {

	private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]+");

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the scheme has another form
	 */
	public WorkspaceProviderRegistration {
		if (!SCHEME.matcher(scheme).matches()) {
			throw new IllegalArgumentException("'" + scheme + "' cannot be the scheme of a workspace provider: "
					+ "use at least two of a-z, 0-9, '+', '.', '-', and a letter first");
		}
		Objects.requireNonNull(provider, "provider");
		Objects.requireNonNull(files, "files");
	}

}
