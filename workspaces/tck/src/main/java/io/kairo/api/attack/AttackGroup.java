package io.kairo.api.attack;

import java.util.Locale;

/**
 * The aim of an attack.
 */
public enum AttackGroup {

	/** Paths whose spelling points outside. */
	PATH,

	/** Links and special files. */
	LINKS,

	/** Changes between a check and the use of its result. */
	RACE,

	/** Files that cause the execution of programs. */
	CONFIG,

	/** Access of commands to files of the host. */
	FILES,

	/** Other processes, and processes that outlive the command. */
	PROCESS,

	/** Memory, processors and disk of the host. */
	RESOURCES,

	/** Access to the network. */
	NETWORK,

	/** Access to information. */
	SECRETS,

	/** Names, output, and the readers of output. */
	OUTPUT;

	/**
	 * Returns the name in tables.
	 * @return the name in lower case
	 */
	public String title() {
		return name().toLowerCase(Locale.ROOT);
	}

}
