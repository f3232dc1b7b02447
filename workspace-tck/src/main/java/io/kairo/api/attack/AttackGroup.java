package io.kairo.api.attack;

import java.util.Locale;

/**
 * What an attack aims at.
 *
 * @since 0.1.0
 */
public enum AttackGroup {

	/** Paths that are spelled so that they lead out. */
	PATH,

	/** Links, and files that are none. */
	LINKS,

	/** Changes between a check and what follows it. */
	RACE,

	/** Files that make others run something. */
	CONFIG,

	/** Files of the host, by commands. */
	FILES,

	/** Other processes, and outliving the command. */
	PROCESS,

	/** Memory, processors and disk of the host. */
	RESOURCES,

	/** What can be reached. */
	NETWORK,

	/** What is to be known. */
	SECRETS,

	/** Names, output and those who read it. */
	OUTPUT;

	/**
	 * Returns the name as tables show it.
	 * @return the name in lower case
	 */
	public String title() {
		return name().toLowerCase(Locale.ROOT);
	}

}
