package io.kairo.api.workspace;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Names the provider, and the files, of hints that start with {@code scheme:}.
 *
 * @param scheme lower-case letters, digits, {@code +}, {@code .} and {@code -}, at least
 * two characters and a letter first: a single letter is a drive
 * @param provider makes the workspaces
 * @param files opens their files
 * @since 0.1.0
 */
public record WorkspaceProviderRegistration(String scheme, WorkspaceProvider provider, WorkspaceFilesFactory files) {

	private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]+");

	/**
	 * Creates the value.
	 * @param scheme lower-case letters
	 * @param provider makes the workspaces
	 * @param files opens their files
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
