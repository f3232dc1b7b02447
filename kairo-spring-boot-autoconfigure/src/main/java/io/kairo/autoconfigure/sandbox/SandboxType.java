package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

/**
 * Which sandbox runs commands.
 *
 * @since 0.1.0
 */
public enum SandboxType {

	/** The strongest one that works here. */
	AUTO,

	/** Processes of the host, without isolation. */
	PROCESS,

	/** Linux namespaces by bubblewrap. */
	BUBBLEWRAP,

	/** No sandbox: the agent cannot run commands. */
	NONE;

	/**
	 * Returns the type as it is written in the configuration.
	 */
	String spelled() {
		return name().toLowerCase(Locale.ROOT);
	}

}
