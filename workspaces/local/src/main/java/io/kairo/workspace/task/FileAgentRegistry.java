package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Function;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * A registry in a directory, with one small file per agent. It survives restarts and is
 * shared by all processes with the same directory. A record is made durable and then
 * named in one step, so that it is never seen incomplete, and one of two concurrent
 * records wins. Nothing is cached. Safe for use by several threads and processes.
 * <p>
 * Ids that differ only in case cannot be registered for the same tenant, as their
 * workspaces would be one directory on some file systems. The directory must be on a file
 * system with hard links.
 */
public final class FileAgentRegistry implements AgentRegistry {

	private static final int HASH_BYTES = 20;

	private final Path directory;

	private final RecordFiles files;

	private final Removals removals;

	/**
	 * Creates a registry, and removes the incomplete records of killed processes.
	 * @param directory the directory of the records; created with access for its owner
	 * only when the first record is written
	 */
	public FileAgentRegistry(Path directory) {
		this.directory = directory.toAbsolutePath().normalize();
		this.files = new RecordFiles(this.directory);
		this.files.sweep();
		this.removals = new Removals(this.directory);
		this.removals.sweep();
	}

	@Override
	public @Nullable AgentRecord find(String tenantId, String agentId) {
		AgentRecord found = read(file(tenantId, agentId));
		return (found != null && found.id().equals(agentId)) ? found : null;
	}

	@Override
	public AgentRecord add(String tenantId, AgentRecord agent) {
		Path file = file(tenantId, agent.id());
		AgentRecord known = read(file);
		if (known == null) {
			known = write(file, agent) ? agent : read(file);
		}
		if (known == null) {
			throw failed("cannot be written, as its record is removed all the time", agent.id(), null);
		}
		if (!known.id().equals(agent.id())) {
			throw known.conflictWith(agent);
		}
		return known;
	}

	@Override
	public @Nullable TaskWorkspaceRecord workspace(String tenantId, String agentId) {
		TaskWorkspaceRecord found = readWorkspace(workspaceFile(tenantId, agentId));
		if (found == null) {
			Path file = file(tenantId, agentId);
			AgentRecord agent = read(file);
			found = (agent != null && agent.assigned())
					? new TaskWorkspaceRecord(agent.id(), null, lastModified(file), false) : null;
		}
		return (found != null && found.workspaceId().equals(agentId)) ? found : null;
	}

	@Override
	public TaskWorkspaceRecord assign(String tenantId, TaskWorkspaceRecord workspace) {
		String id = workspace.workspaceId();
		Path file = workspaceFile(tenantId, id);
		try {
			OwnerOnly.createDirectories(this.directory);
			String content = id + "\n" + workspace.workspacePath() + "\n" + workspace.createdAt() + "\n";
			boolean created = this.removals.perform(() -> this.files.create(file, content));
			TaskWorkspaceRecord assigned = created ? workspace : readWorkspace(file);
			if (assigned != null) {
				return assigned;
			}
			throw failed("cannot be assigned a workspace, as its record is removed all the time", id, null);
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw failed("cannot be assigned a workspace: the operator of the application has to look at the state "
					+ "directory", id, ex);
		}
	}

	@Override
	public boolean remove(String tenantId, String agentId) {
		TaskWorkspaceRecord workspace = readWorkspace(workspaceFile(tenantId, agentId));
		boolean assigned = workspace != null && workspace.workspaceId().equals(agentId);
		boolean registered = find(tenantId, agentId) != null;
		if (!assigned && !registered) {
			return false;
		}
		try {
			return this.removals.perform(() -> {
				boolean removed = assigned && this.files.delete(workspaceFile(tenantId, agentId));
				return (registered && this.files.delete(file(tenantId, agentId))) || removed;
			});
		}
		catch (IOException ex) {
			throw failed("cannot be removed: the operator of the application has to look at the state directory",
					agentId, ex);
		}
	}

	@Override
	public long removals() {
		try {
			return this.removals.count();
		}
		catch (IOException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The task registry cannot be read: the operator of the application has to look at the state "
							+ "directory",
					ex);
		}
	}

	private Path file(String tenantId, String agentId) {
		String name = Sha256.hex(PortableName.fold(agentId), HASH_BYTES);
		return this.directory.resolve(Sha256.hex(tenantId, HASH_BYTES))
			.resolve(name.substring(0, 2))
			.resolve(name.substring(2));
	}

	private Path workspaceFile(String tenantId, String agentId) {
		Path file = file(tenantId, agentId);
		return file.resolveSibling(file.getFileName() + ".workspace");
	}

	private static @Nullable AgentRecord read(Path file) {
		return read(file, 2, (lines) -> new AgentRecord(lines.get(0), lines.get(1)));
	}

	private static @Nullable TaskWorkspaceRecord readWorkspace(Path file) {
		return read(file, 3, (lines) -> new TaskWorkspaceRecord(lines.get(0), Path.of(lines.get(1)),
				Instant.parse(lines.get(2)), false));
	}

	/**
	 * Returns the time of the registration: a record never changes.
	 */
	private static @Nullable Instant lastModified(Path file) {
		try {
			return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static <T> @Nullable T read(Path file, int size, Function<List<String>, T> parser) {
		try {
			List<String> lines = Files.readAllLines(file);
			if (lines.size() == size) {
				return parser.apply(lines);
			}
			throw new IOException("not a record");
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (IOException | IllegalArgumentException | DateTimeParseException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The record of an agent cannot be read: the operator of the application has to look at "
							+ "the task registry in the state directory",
					ex);
		}
	}

	/**
	 * Writes a record.
	 * @return false if a concurrent call was faster
	 */
	private boolean write(Path file, AgentRecord agent) {
		try {
			return this.files.create(file, agent.id() + "\n" + agent.parentId() + "\n");
		}
		catch (IOException | UnsupportedOperationException ex) {
			boolean full = String.valueOf(ex.getMessage()).contains("No space left");
			throw failed("cannot be registered" + (full
					? ", as there is no space left: the operator of the "
							+ "application has to free some in the state directory"
					: ": the operator of the application has to look at the state directory"), agent.id(), ex);
		}
	}

	private static WorkspaceException failed(String reason, String agentId, @Nullable Throwable cause) {
		return new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
				"The agent " + WorkspacePath.quote(agentId) + " " + reason, cause);
	}

}
