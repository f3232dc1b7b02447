package io.kairo.governance.audit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.governance.audit.AuditRecord.Effects;
import io.kairo.governance.audit.AuditRecord.TouchedPath;
import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a running call. Safe for use by several threads.
 */
final class CallEffects {

	private static final int MAX_PATHS = 100;

	private static final int MAX_COMMANDS = 100;

	/** By path; guarded by this. */
	private final Map<String, TouchedPath> paths = new LinkedHashMap<>();

	private final List<RecordedCommand> commands = new ArrayList<>();

	/** The directories of trials that the call has seen. */
	private final Set<Path> copies = ConcurrentHashMap.newKeySet();

	private @Nullable String trial;

	private long morePaths;

	private long moreCommands;

	private long writtenBytes;

	/**
	 * Returns a context whose files and commands are recorded here.
	 * @param context the context of the call
	 * @param commands removes secrets from the texts of commands, null to record none
	 */
	ToolContext.Builder record(ToolContext context, @Nullable Redaction commands) {
		SandboxInterceptor starts = (request, chain) -> {
			RecordedCommand command = new RecordedCommand(request.command(), commands,
					this.copies.contains(request.workspaceRoot()));
			if (!add(command)) {
				return chain.proceed(request);
			}
			try {
				return command.started(chain.proceed(request));
			}
			catch (SandboxException ex) {
				command.failed(ex.code().code());
				throw ex;
			}
		};
		return context.toBuilder()
			.decorateFiles((files) -> new AuditedFiles(files, this))
			.sandbox(SandboxInterceptor.around(context.sandbox(), List.of(starts)));
	}

	/**
	 * Records the directory of a trial, in which commands may be run.
	 */
	void copy(Path directory) {
		this.copies.add(directory);
	}

	synchronized void trial(String action) {
		this.trial = action;
	}

	synchronized void read(String path, @Nullable String version) {
		if (this.paths.get(path) == null) {
			put(new TouchedPath(path, false, version, null, null));
		}
	}

	/**
	 * Records a change.
	 * @param tried whether it was made in a trial, other than its commit
	 */
	synchronized void changed(String path, @Nullable String expected, @Nullable String version, long bytes,
			boolean tried) {
		this.writtenBytes += bytes;
		TouchedPath known = this.paths.get(path);
		String before = (known != null) ? known.before() : expected;
		put(new TouchedPath(path, true, WorkspaceChange.ABSENT.equals(before) ? null : before, version,
				tried ? true : null));
	}

	private void put(TouchedPath path) {
		if (this.paths.size() < MAX_PATHS || this.paths.containsKey(path.path())) {
			this.paths.put(path.path(), path);
		}
		else {
			this.morePaths++;
		}
	}

	private synchronized boolean add(RecordedCommand command) {
		if (this.commands.size() >= MAX_COMMANDS) {
			this.moreCommands++;
			return false;
		}
		return this.commands.add(command);
	}

	/**
	 * Returns the effects at the end of the call. A command that still runs is recorded
	 * on its own when it ends.
	 * @param ended receives those commands
	 */
	synchronized Effects end(Consumer<AuditRecord.Command> ended) {
		return new Effects(List.copyOf(this.paths.values()), this.morePaths,
				this.commands.stream().map((command) -> command.callEnded(ended)).toList(), this.moreCommands,
				this.writtenBytes, this.trial);
	}

}
