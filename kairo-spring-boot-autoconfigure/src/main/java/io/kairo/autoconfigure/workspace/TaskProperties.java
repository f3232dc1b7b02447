package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.local.RootTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Workspaces that the agents of a tree inherit from their ancestors.
 *
 * @param dataDir directory below which each child of the root agent has a workspace, at
 * workspaces/ and its id. With the segment {tenant} each tenant has a directory of its
 * own; without it other tenants than the default one are refused. Unset, there are no
 * such workspaces.
 * @since 0.1.0
 */
public record TaskProperties(@Nullable String dataDir) {

	private static final String DATA_DIR = "kairo.workspace.task.data-dir";

	/**
	 * Creates the value.
	 * @param dataDir directory of the workspaces, may be null
	 */
	public TaskProperties {
		if (dataDir != null && dataDir.isBlank()) {
			throw new InvalidConfigurationPropertyValueException(DATA_DIR, dataDir,
					"it is blank: name a directory, or remove the property");
		}
	}

	/**
	 * Returns the directory.
	 * @throws InvalidConfigurationPropertyValueException if it is unset, or what must
	 * exist of it does not
	 */
	RootTemplate template() {
		if (this.dataDir == null) {
			throw new InvalidConfigurationPropertyValueException(DATA_DIR, null,
					"the workspaces of agents need a directory: set it");
		}
		return RootTemplates.existing(DATA_DIR, this.dataDir);
	}

}
