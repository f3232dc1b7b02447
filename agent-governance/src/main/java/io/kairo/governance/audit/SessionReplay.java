package io.kairo.governance.audit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.governance.audit.AuditRecord.Effects;
import io.kairo.governance.audit.AuditRecord.Event;
import io.kairo.governance.audit.AuditRecord.TouchedPath;
import io.kairo.governance.audit.ReplayReport.Difference;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of a recorded session again, for example in a fresh workspace with
 * another version of a tool or a sandbox, and shows the first difference: another
 * outcome, other files with other content, or another exit of a command. The audit must
 * have recorded the arguments, and none of them may have been redacted or cut.
 * <p>
 * Durations, the output of commands and the end of commands in the background are not
 * compared. Safe for use by several threads.
 */
public final class SessionReplay {

	/** The beginning of versions that depend on more than the content of a file. */
	private static final String BY_ATTRIBUTES = "stat:";

	private final ToolCatalog catalog;

	/**
	 * Creates a replay.
	 * @param catalog the tools
	 */
	public SessionReplay(ToolCatalog catalog) {
		this.catalog = Objects.requireNonNull(catalog, "catalog");
	}

	/**
	 * Makes the recorded calls in their order, up to the first difference. Calls that
	 * were refused by an adapter, or that had not ended, are left out.
	 * @param records the records of one session, as
	 * {@link AuditSink#recordsOf(String, String)}
	 * @param context the context of the calls, with a session of its own
	 * @return the report
	 */
	public ReplayReport run(List<AuditRecord> records, ToolContext context) {
		Map<String, AuditRecord> starts = new HashMap<>();
		int calls = 0;
		for (AuditRecord record : records) {
			if (record.event() == Event.CALL_STARTED) {
				starts.put(record.id(), record);
			}
			else if (record.event() == Event.CALL_ENDED) {
				AuditRecord start = (record.started() != null) ? starts.getOrDefault(record.started(), record) : record;
				Difference difference = replay(record, start.arguments(), context);
				if (difference != null) {
					return new ReplayReport(calls, difference);
				}
				calls++;
			}
		}
		return new ReplayReport(calls, null);
	}

	private @Nullable Difference replay(AuditRecord recorded, @Nullable Map<String, Object> arguments,
			ToolContext context) {
		if (arguments == null) {
			return new Difference(recorded, "arguments", String.valueOf(recorded.digest()), "not recorded");
		}
		ToolCall call = new ToolCall(recorded.callId(), recorded.tool(), arguments);
		String digest = ArgumentDigest.of(call);
		if (!digest.equals(recorded.digest())) {
			return new Difference(recorded, "arguments", String.valueOf(recorded.digest()),
					digest + ", since they were redacted or cut");
		}
		CallEffects effects = new CallEffects();
		ToolResult result = this.catalog.call(call, effects.record(context, null).build());
		String code = (result.error() != null) ? result.error().code() : AuditRecord.SUCCESS;
		return compare(recorded, code, effects.end((command) -> {
		}));
	}

	private static @Nullable Difference compare(AuditRecord recorded, String code, Effects actual) {
		Effects expected = recorded.effects();
		if (!code.equals(recorded.code())) {
			return new Difference(recorded, "code", recorded.code(), code);
		}
		List<String> paths = expected.paths().stream().map(SessionReplay::comparable).toList();
		List<String> actualPaths = actual.paths().stream().map(SessionReplay::comparable).toList();
		if (!paths.equals(actualPaths) || expected.morePaths() != actual.morePaths()) {
			return new Difference(recorded, "paths", paths.toString(), actualPaths.toString());
		}
		List<String> commands = expected.commands().stream().map(SessionReplay::comparable).toList();
		List<String> actualCommands = actual.commands().stream().map(SessionReplay::comparable).toList();
		return commands.equals(actualCommands) ? null
				: new Difference(recorded, "commands", commands.toString(), actualCommands.toString());
	}

	private static String comparable(TouchedPath path) {
		return path.path()
				+ (path.changed() ? " changed from " + content(path.before()) + " to " + content(path.after())
						: " read at " + content(path.before()));
	}

	private static @Nullable String content(@Nullable String version) {
		return (version != null && version.startsWith(BY_ATTRIBUTES)) ? "a version by attributes" : version;
	}

	private static String comparable(AuditRecord.Command command) {
		return command.digest() + " exit " + command.exitCode() + " signal " + command.signal() + " error "
				+ command.error();
	}

}
