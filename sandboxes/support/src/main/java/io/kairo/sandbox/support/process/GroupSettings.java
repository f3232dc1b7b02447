package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Settings that are written to new control groups.
 */
public interface GroupSettings {

	/** No settings. */
	GroupSettings NONE = (group) -> {
	};

	/**
	 * Prepares a directory for groups with these settings.
	 * @param parent the new directory
	 * @throws IOException if the directory does not support the settings
	 */
	default void prepare(Path parent) throws IOException {
		// nothing to prepare
	}

	/**
	 * Applies the settings to a new, empty group.
	 * @param group the directory of the group
	 * @throws IOException if a setting cannot be applied
	 */
	void apply(Path group) throws IOException;

}
