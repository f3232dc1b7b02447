package io.kairo.api.sandbox;

/**
 * Something a sandbox enforces. New constants are only ever added at the end.
 *
 * @since 0.1.0
 */
public enum SandboxCapability {

	/** A read-only request runs and its writes to the workspace fail. */
	READ_ONLY,

	/** Commands reach no network. */
	NETWORK_OFF,

	/** Commands reach the hosts of a list and no others. */
	NETWORK_ALLOW_LIST,

	/** Timeout, cancel and close end everything a command started, whatever it did. */
	TREE_KILL,

	/** Nothing survives the death of the JVM, not even one by {@code kill -9}. */
	SURVIVES_NO_JVM,

	/** Commands see the files of the workspace and of the system, and no others. */
	FILE_CONFINEMENT,

	/** Further directories can be made visible. */
	MOUNTS,

	/** Paths can be made unwritable inside a writable workspace. */
	PROTECTED_PATHS,

	/** Commands do not see the environment of the JVM. */
	ENV_ISOLATION,

	/** Memory of a command and what it started is bounded. */
	MEMORY_LIMIT,

	/** Processor time of a command and what it started is bounded. */
	CPU_LIMIT,

	/** The number of processes of a command is bounded. */
	PIDS_LIMIT,

	/** The size of a file that a command writes is bounded. */
	FILE_SIZE_LIMIT,

	/** A command can be given input while it runs. */
	STDIN,

	/** Death by a signal is told apart from an exit code above 128. */
	SIGNAL_DISTINCT

}
