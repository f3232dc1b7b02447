package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

/**
 * The type of a sandbox.
 */
public enum SandboxType {

	/**
	 * The first sandbox of {@code kairo.sandbox.auto-order} that works on this machine.
	 */
	AUTO,

	/** Processes of the host, without isolation. */
	PROCESS,

	/** Linux namespaces created by bubblewrap. */
	BUBBLEWRAP,

	/** No sandbox: agents cannot run commands. */
	NONE,

	/** Containers of a Docker engine. */
	DOCKER,

	/** Landlock domains, without privileges and namespaces. */
	LANDLOCK,

	/** Workers on other machines. */
	REMOTE,

	/** Virtual machines of QEMU. */
	MICROVM;

	/**
	 * Returns the type as spelled in the configuration.
	 */
	String spelled() {
		return name().toLowerCase(Locale.ROOT);
	}

}
