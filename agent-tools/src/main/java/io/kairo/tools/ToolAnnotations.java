package io.kairo.tools;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The hints about a tool that clients may use before they call it. Immutable.
 *
 * @param effect the changes that the tool may make
 * @param idempotent whether calling it again with the same arguments changes nothing more
 * @param openWorld whether it may reach beyond the workspace
 * @param execution whether it runs commands in the sandbox; limits and adapters depend on
 * it
 * @param paths the names of the arguments that are paths of the workspace, with
 * everything below them; null if this is not declared. Policies know the tools of Kairo
 * without it
 * @param commands the names of the arguments that are commands; null if this is not
 * declared
 */
public record ToolAnnotations(Effect effect, boolean idempotent, boolean openWorld, Execution execution,
		@Nullable Set<String> paths, @Nullable Set<String> commands) {

	/**
	 * A tool that only reads the workspace.
	 */
	public static final ToolAnnotations READ_ONLY = new ToolAnnotations(Effect.READS, true, false);

	/**
	 * A tool that may do anything that a command may do.
	 */
	public static final ToolAnnotations COMMAND = new ToolAnnotations(Effect.DESTROYS, false, true, Execution.COMMANDS);

	/**
	 * A tool that changes files, and changes nothing more when repeated.
	 */
	public static final ToolAnnotations WRITES = new ToolAnnotations(Effect.DESTROYS, true, false);

	/**
	 * A tool that changes files with every call.
	 */
	public static final ToolAnnotations EDITS = new ToolAnnotations(Effect.DESTROYS, false, false);

	/**
	 * Creates annotations that declare neither paths nor commands.
	 * @param effect the changes that the tool may make
	 * @param idempotent whether calling it again with the same arguments changes nothing
	 * more
	 * @param openWorld whether it may reach beyond the workspace
	 * @param execution whether it runs commands in the sandbox
	 */
	public ToolAnnotations(Effect effect, boolean idempotent, boolean openWorld, Execution execution) {
		this(effect, idempotent, openWorld, execution, null, null);
	}

	/**
	 * Creates annotations without an explicit execution: a tool that may reach beyond the
	 * workspace is regarded as running commands.
	 * @param effect the changes that the tool may make
	 * @param idempotent whether calling it again with the same arguments changes nothing
	 * more
	 * @param openWorld whether it may reach beyond the workspace
	 */
	public ToolAnnotations(Effect effect, boolean idempotent, boolean openWorld) {
		this(effect, idempotent, openWorld, openWorld ? Execution.COMMANDS : Execution.NONE);
	}

	/**
	 * Declares all arguments that let a call reach the workspace or run commands, so that
	 * rules of a policy apply to their values.
	 * @param paths the names of the arguments that are paths, or lists of them
	 * @param commands the names of the arguments that are commands, or lists of them
	 * @return a copy that declares them
	 */
	public ToolAnnotations withTargets(Set<String> paths, Set<String> commands) {
		return new ToolAnnotations(this.effect, this.idempotent, this.openWorld, this.execution, Set.copyOf(paths),
				Set.copyOf(commands));
	}

	/**
	 * Returns whether the tool runs commands.
	 * @return true if a call is an execution
	 */
	public boolean runsCommands() {
		return this.execution == Execution.COMMANDS;
	}

	/**
	 * Returns whether the tool is useful only if commands can be run.
	 * @return true if it runs commands, or reads, answers or ends them
	 */
	public boolean needsCommands() {
		return this.execution != Execution.NONE;
	}

	/**
	 * The execution of a tool.
	 */
	public enum Execution {

		/** Nothing but itself. */
		NONE,

		/** Commands that the model chooses. */
		COMMANDS,

		/** Nothing but itself: it reads, answers or ends commands that run already. */
		RUNNING_COMMANDS

	}

	/**
	 * The effect of a tool.
	 */
	public enum Effect {

		/** Makes no changes. */
		READS,

		/** Adds content without removing any. */
		ADDS,

		/** May change or delete existing content. */
		DESTROYS

	}

}
