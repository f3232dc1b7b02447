package io.kairo.workspace.git.autoconfigure;

import io.kairo.workspace.git.GitOptions;

/**
 * Customizes the options of the auto-configured workspaces from Git. Beans of this type
 * are applied in their order, at start-up, after the properties below
 * {@code kairo.workspace.git}.
 */
@FunctionalInterface
public interface GitOptionsCustomizer {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers
	 * @return the options to use
	 */
	GitOptions customize(GitOptions options);

}
