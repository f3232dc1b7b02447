package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.local.RootTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for workspaces that the agents of a tree inherit from their
 * ancestors.
 *
 * @param dataDir Directory that contains the workspace of each child of the root agent,
 * at workspaces/ followed by its id. With the segment {tenant}, each tenant has its own
 * directory; without it, tenants other than the default tenant are rejected. There are no
 * such workspaces if it is not set.
 */
public record TaskProperties(@Nullable String dataDir) {

	private static final String DATA_DIR = "kairo.workspace.task.data-dir";

	/**
	 * Creates and validates the properties.
	 */
	public TaskProperties {
		if (dataDir != null && dataDir.isBlank()) {
			throw new InvalidConfigurationPropertyValueException(DATA_DIR, dataDir,
					"it is blank: name a directory, or remove the property");
		}
	}

	/**
	 * Returns the directory.
	 * @throws InvalidConfigurationPropertyValueException if it is not set, or if a
	 * directory that must exist does not
	 */
	RootTemplate template() {
		if (this.dataDir == null) {
			throw new InvalidConfigurationPropertyValueException(DATA_DIR, null,
					"the workspaces of agents need a directory: set it");
		}
		return RootTemplates.existing(DATA_DIR, this.dataDir);
	}

}
