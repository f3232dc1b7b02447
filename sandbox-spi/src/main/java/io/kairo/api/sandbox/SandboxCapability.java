package io.kairo.api.sandbox;

/**
 * A capability that a sandbox can enforce. New constants are only added at the end.
 */
public enum SandboxCapability {

	/** A read-only request runs and its writes to the workspace fail. */
	READ_ONLY,

	/** Commands have no network. */
	NETWORK_OFF,

	/** Commands reach only the hosts of an allow-list. */
	NETWORK_ALLOW_LIST,

	/**
	 * Timeout, cancel and close end every process of a command, even a process that tries
	 * to escape.
	 */
	TREE_KILL,

	/** No process survives the end of the JVM, even by {@code kill -9}. */
	SURVIVES_NO_JVM,

	/** Commands see only the files of the workspace and of the system. */
	FILE_CONFINEMENT,

	/** Additional directories can be mounted. */
	MOUNTS,

	/** Paths inside a writable workspace can be protected from changes. */
	PROTECTED_PATHS,

	/** Commands do not see the environment of the JVM. */
	ENV_ISOLATION,

	/** The memory of a command, including its child processes, is limited. */
	MEMORY_LIMIT,

	/** The processor time of a command, including its child processes, is limited. */
	CPU_LIMIT,

	/** The number of processes of a command is limited. */
	PIDS_LIMIT,

	/** The size of each file that a command writes is limited. */
	FILE_SIZE_LIMIT,

	/** A command can receive input while it runs. */
	STDIN,

	/** Death by a signal is distinguished from an exit code above 128. */
	SIGNAL_DISTINCT,

	/**
	 * The CPU time of every command that ends is measured, at least for its shell and the
	 * processes that it waits for.
	 */
	CPU_TIME,

	/**
	 * A request {@linkplain SandboxAttributes#withoutNetwork() without network} runs, and
	 * its command has none.
	 */
	NETWORK_OFF_ON_REQUEST

}
