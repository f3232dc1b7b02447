package io.kairo.boot;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The configuration that every provider of workspaces follows.
 */
public interface WorkspaceSettings {

	/**
	 * Returns a provider with the access that the configuration permits.
	 * @param provider the provider
	 * @return the provider, or one of read-only workspaces if all changes are rejected
	 */
	WorkspaceProvider restricted(WorkspaceProvider provider);

	/**
	 * Rejects a directory of a provider that overlaps a root of the workspace, also
	 * through links.
	 * @param property the name of the property
	 * @param directory the directory, not necessarily existing
	 * @throws InvalidConfigurationPropertyValueException if the directory overlaps a root
	 */
	void requireApart(String property, Path directory);

}
