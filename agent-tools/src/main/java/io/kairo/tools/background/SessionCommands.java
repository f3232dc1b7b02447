package io.kairo.tools.background;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.local.repository.RepositoryGuard.Watch;
import org.jspecify.annotations.Nullable;

/**
 * The commands in the background of one session, the oldest first. Safe for use by
 * several threads.
 */
public final class SessionCommands implements AutoCloseable {

	/** Time that the end of a session waits for the end of its commands. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final BackgroundCommands all;

	private final String tenantId;

	/** By id; guarded by itself, like everything below. */
	private final Map<String, BackgroundCommand> commands = new LinkedHashMap<>();

	private int running;

	private boolean stopped;

	SessionCommands(BackgroundCommands all, String tenantId) {
		this.all = all;
		this.tenantId = tenantId;
	}

	/**
	 * Returns the maximum lifetime of a command.
	 * @return the maximum timeout of a request
	 */
	public Duration maxLifetime() {
		return this.all.options().maxLifetime();
	}

	/**
	 * Starts a command.
	 * @param request the request for the command
	 * @param title the command as it is listed
	 * @param starter starts the command
	 * @return the running command
	 * @throws TooManyCommandsException if the session or its tenant runs too many
	 * @throws SandboxException if the command could not be started, or the session has
	 * ended
	 */
	public BackgroundCommand start(SandboxRequest request, String title,
			Function<SandboxRequest, SandboxHandle> starter) {
		return start(request, title, starter, Watch.none(List.of()));
	}

	/**
	 * Starts a command in repositories that are checked when it has ended.
	 * @param request the request for the command
	 * @param title the command as it is listed
	 * @param starter starts the command
	 * @param repositories the watch of the repositories, ended with the command; the
	 * caller ends it if no command was started
	 * @return the running command
	 * @throws TooManyCommandsException if the session or its tenant runs too many
	 * @throws SandboxException if the command could not be started, or, with
	 * {@link SandboxErrorCode#CLOSED}, the session has ended
	 */
	public BackgroundCommand start(SandboxRequest request, String title,
			Function<SandboxRequest, SandboxHandle> starter, Watch repositories) {
		begin();
		SandboxHandle handle;
		try {
			handle = starter.apply(request);
		}
		catch (RuntimeException | Error ex) {
			end();
			throw ex;
		}
		String id = "bash_" + UUID.randomUUID().toString().substring(0, 8);
		BackgroundCommand command = new BackgroundCommand(id, title, handle, request, repositories);
		if (add(command)) {
			command.watch(() -> ended(command));
			return command;
		}
		command.watch(this::end);
		command.close();
		throw new SandboxException(SandboxErrorCode.CLOSED, "The session has ended",
				"start the command in another one");
	}

	private void begin() {
		synchronized (this.commands) {
			int most = this.all.options().maxPerSession();
			if (this.running >= most) {
				throw new TooManyCommandsException(
						Phrase.of("%s in the background of this session already, and no more may at a time.",
								Phrase.count(most, "command runs", "commands run")));
			}
			this.running++;
		}
		try {
			this.all.begin(this.tenantId);
		}
		catch (TooManyCommandsException ex) {
			synchronized (this.commands) {
				this.running--;
			}
			throw ex;
		}
	}

	private void end() {
		synchronized (this.commands) {
			this.running--;
		}
		this.all.end(this.tenantId);
	}

	private boolean add(BackgroundCommand command) {
		synchronized (this.commands) {
			if (!this.stopped) {
				this.commands.put(command.id(), command);
			}
			return !this.stopped;
		}
	}

	private void ended(BackgroundCommand command) {
		end();
		BackgroundCommand oldest = null;
		synchronized (this.commands) {
			if (!this.stopped) {
				oldest = this.all.keep(this.tenantId, command);
			}
		}
		if (oldest != null) {
			oldest.forget();
		}
	}

	/**
	 * Finds a command.
	 * @param id the id of the command
	 * @return the command, null if this session has no such command
	 */
	public @Nullable BackgroundCommand find(String id) {
		synchronized (this.commands) {
			this.commands.values().removeIf(BackgroundCommand::isForgotten);
			return this.commands.get(id);
		}
	}

	/**
	 * Returns the commands that run, or have ended and can be read.
	 * @return a copy
	 */
	public List<BackgroundCommand> list() {
		synchronized (this.commands) {
			this.commands.values().removeIf(BackgroundCommand::isForgotten);
			return List.copyOf(this.commands.values());
		}
	}

	/**
	 * Returns whether a command is running.
	 * @return false if all have ended
	 */
	public boolean isRunning() {
		synchronized (this.commands) {
			return this.running > 0;
		}
	}

	/**
	 * Ends the commands of a workspace, and waits for their end for ten seconds at most.
	 * @param directory the directory of its primary root
	 */
	public void end(Path directory) {
		await(list().stream().filter((command) -> command.directory().equals(directory)).toList());
	}

	private static void await(List<BackgroundCommand> commands) {
		commands.forEach(BackgroundCommand::cancel);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		commands
			.forEach((command) -> command.awaitQuietly(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
	}

	/**
	 * Ends the commands without waiting for their end, and starts no more.
	 */
	public void stop() {
		synchronized (this.commands) {
			this.stopped = true;
		}
		list().forEach(BackgroundCommand::cancel);
	}

	/**
	 * Ends the commands, waits for their end for ten seconds at most, and forgets them.
	 */
	@Override
	public void close() {
		stop();
		List<BackgroundCommand> open = list();
		await(open);
		open.forEach(BackgroundCommand::close);
		this.all.forget(this.tenantId, open);
		this.all.remove(this);
	}

}
