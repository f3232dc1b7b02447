package io.kairo.tools;

/**
 * What a client may assume about a tool before it calls it.
 *
 * @param effect what the tool may change
 * @param idempotent whether calling it again with the same arguments changes nothing more
 * @param openWorld whether it may reach beyond the workspace
 * @param execution whether it runs commands in the sandbox, which limits and adapters go
 * by
 * @since 0.1.0
 */
public record ToolAnnotations(Effect effect, boolean idempotent, boolean openWorld, Execution execution) {

	/**
	 * A tool that only reads the workspace.
	 */
	public static final ToolAnnotations READ_ONLY = new ToolAnnotations(Effect.READS, true, false);

	/**
	 * A tool that may do anything a command may do.
	 */
	public static final ToolAnnotations COMMAND = new ToolAnnotations(Effect.DESTROYS, false, true, Execution.COMMANDS);

	/**
	 * A tool that changes files so that doing it again changes nothing more.
	 */
	public static final ToolAnnotations WRITES = new ToolAnnotations(Effect.DESTROYS, true, false);

	/**
	 * A tool that changes files each time anew.
	 */
	public static final ToolAnnotations EDITS = new ToolAnnotations(Effect.DESTROYS, false, false);

	/**
	 * Creates the annotations of a tool that says no more: one that may reach beyond the
	 * workspace is taken for one that runs commands.
	 * @param effect what the tool may change
	 * @param idempotent whether calling it again with the same arguments changes nothing
	 * more
	 * @param openWorld whether it may reach beyond the workspace
	 */
	public ToolAnnotations(Effect effect, boolean idempotent, boolean openWorld) {
		this(effect, idempotent, openWorld, openWorld ? Execution.COMMANDS : Execution.NONE);
	}

	/**
	 * Returns whether the tool runs commands.
	 * @return true if a call is an execution
	 */
	public boolean runsCommands() {
		return this.execution == Execution.COMMANDS;
	}

	/**
	 * What a tool may run.
	 */
	public enum Execution {

		/** Nothing but itself. */
		NONE,

		/** Commands that the model chooses. */
		COMMANDS

	}

	/**
	 * What a tool may change.
	 */
	public enum Effect {

		/** Nothing. */
		READS,

		/** It adds, and takes nothing away. */
		ADDS,

		/** It may change or delete what is there. */
		DESTROYS

	}

}
