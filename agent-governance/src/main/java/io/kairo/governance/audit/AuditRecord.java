package io.kairo.governance.audit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.tools.ToolDecision;
import org.jspecify.annotations.Nullable;

/**
 * A record of a tool call or a refusal. Immutable.
 *
 * @param id identifies the record, a random UUID
 * @param event the event
 * @param started the id of the record of the start of the call, null if there is none
 * @param time the time of the event by the clock of the machine; the clock may go
 * backwards
 * @param caller the caller
 * @param tool the name of the tool, as the model or client gave it, up to 200 characters
 * @param callId identifies the call in the protocol of the model, may be empty
 * @param digest the SHA-256 hash of the tool and its arguments, see
 * {@link ArgumentDigest}; null for a refusal by an adapter
 * @param arguments the redacted arguments, null unless they are recorded
 * @param decision the decision of a policy, null if there was none
 * @param effects the effects of the call
 * @param code {@code success} or the code of the error; {@code started} if the outcome is
 * not known yet
 * @param durationMs the duration of the call or command in milliseconds, 0 at its start
 * @param traceId the id of the trace, null if there is none
 */
public record AuditRecord(String id, Event event, @Nullable String started, Instant time, Caller caller, String tool,
		String callId, @Nullable String digest, @Nullable Map<String, Object> arguments,
		@Nullable ToolDecision decision, Effects effects, String code, long durationMs, @Nullable String traceId) {

	/** Maximum number of characters of a record in JSON. */
	static final int MAX_CHARACTERS = 256 * 1024;

	private static final String LEFT_OUT = "[left out, characters of the record]";

	/** The code of a call that succeeded. */
	public static final String SUCCESS = "success";

	/** The code of a call whose outcome is not known yet. */
	public static final String STARTED = "started";

	/**
	 * Creates the value.
	 */
	public AuditRecord {
		Objects.requireNonNull(id, "id");
		Objects.requireNonNull(event, "event");
		Objects.requireNonNull(time, "time");
		Objects.requireNonNull(caller, "caller");
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(callId, "callId");
		Objects.requireNonNull(effects, "effects");
		Objects.requireNonNull(code, "code");
	}

	/**
	 * Returns the record without the arguments and effects that make it too large. It has
	 * the number of its characters with the arguments, and of further effects.
	 */
	AuditRecord bounded() {
		if (this.arguments == null && this.effects.paths().isEmpty() && this.effects.commands().isEmpty()) {
			return this;
		}
		AuditRecord bounded = this;
		for (int length = length(bounded); length > MAX_CHARACTERS; length = length(bounded)) {
			boolean arguments = bounded.arguments != null && !bounded.arguments.containsKey(LEFT_OUT);
			if (!arguments && bounded.effects.paths().isEmpty() && bounded.effects.commands().isEmpty()) {
				return bounded;
			}
			bounded = new AuditRecord(this.id, this.event, this.started, this.time, this.caller, this.tool, this.callId,
					this.digest, arguments ? Map.of(LEFT_OUT, length) : bounded.arguments, this.decision,
					arguments ? this.effects : bounded.effects.halved(), this.code, this.durationMs, this.traceId);
		}
		return bounded;
	}

	private static int length(AuditRecord record) {
		return AuditJson.write(record).length();
	}

	/**
	 * The event of a record.
	 */
	public enum Event {

		/**
		 * A call that may change something begins. Calls that only read have no start.
		 */
		CALL_STARTED,

		/** A call has ended. */
		CALL_ENDED,

		/** An adapter refused a call before it reached the tools. */
		CALL_REFUSED,

		/** A command has ended after the call that had started it. */
		COMMAND_ENDED

	}

	/**
	 * The caller of a tool.
	 *
	 * @param tenant the id of the tenant, null if no tenant could be determined
	 * @param principal the id of the principal, null if no tenant could be determined
	 * @param agent the id of the agent, null if there is none
	 * @param session the client's id of the session, null if there is none
	 * @param adapter the name of the adapter, such as {@code mcp}
	 */
	public record Caller(@Nullable String tenant, @Nullable String principal, @Nullable String agent,
			@Nullable String session, String adapter) {

	}

	/**
	 * The effects of a call.
	 *
	 * @param paths the files that were read or changed, in the order of their first use,
	 * copied
	 * @param morePaths the number of further files
	 * @param commands the commands that were started, copied
	 * @param moreCommands the number of further commands
	 * @param writtenBytes the number of bytes of the changes that were applied
	 * @param trial {@code begin}, {@code commit} or {@code discard} if the tool
	 * {@code Trial} has done that, else null
	 */
	public record Effects(List<TouchedPath> paths, long morePaths, List<Command> commands, long moreCommands,
			long writtenBytes, @Nullable String trial) {

		/** No effects. */
		public static final Effects NONE = new Effects(List.of(), 0, List.of(), 0, 0, null);

		/**
		 * Creates the value.
		 */
		public Effects {
			paths = List.copyOf(paths);
			commands = List.copyOf(commands);
		}

		private Effects halved() {
			int keptPaths = this.paths.size() / 2;
			int keptCommands = this.commands.size() / 2;
			return new Effects(this.paths.subList(0, keptPaths), this.morePaths + this.paths.size() - keptPaths,
					this.commands.subList(0, keptCommands), this.moreCommands + this.commands.size() - keptCommands,
					this.writtenBytes, this.trial);
		}

	}

	/**
	 * A file that a call has read or changed.
	 *
	 * @param path the path in the workspace
	 * @param changed whether the file was changed
	 * @param before the version before the call as far as the call knew it, else null
	 * @param after the version after the last change, null if there is no file or no
	 * change
	 * @param tried true if the change was made in a trial and not in the workspace, else
	 * null
	 */
	public record TouchedPath(String path, boolean changed, @Nullable String before, @Nullable String after,
			@Nullable Boolean tried) {

	}

	/**
	 * A command that a call has started.
	 *
	 * @param command the redacted text, null unless commands are recorded
	 * @param digest the SHA-256 hash of the text
	 * @param exitCode the exit code; null while the command runs, and if it was not
	 * started
	 * @param signal the cause of the end, as
	 * {@link io.kairo.api.sandbox.SandboxExit#signal()}; null while the command runs and
	 * if it exited by itself
	 * @param outputBytes the number of bytes of output that were read or discarded
	 * @param error the code of the error, null if the command was started
	 * @param tried true if it was run in a trial, else null
	 */
	public record Command(@Nullable String command, String digest, @Nullable Integer exitCode, @Nullable String signal,
			long outputBytes, @Nullable String error, @Nullable Boolean tried) {

	}

}
