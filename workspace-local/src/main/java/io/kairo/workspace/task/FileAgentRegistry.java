package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * A registry in a directory, with one small file per agent, which survives restarts and
 * is shared by all processes with the same directory. A record is made durable and then
 * named in one step, so that it is never seen incomplete, and of two concurrent ones one
 * wins. Nothing is cached. Safe for use by several threads and processes.
 * <p>
 * Ids that differ only in case cannot be registered for the same tenant, as their
 * workspaces would be one directory on some file systems. The directory must be on a file
 * system with hard links.
 *
 * @since 0.1.0
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
	public boolean remove(String tenantId, String agentId) {
		if (find(tenantId, agentId) == null) {
			return false;
		}
		try {
			return this.removals.perform(() -> this.files.delete(file(tenantId, agentId)));
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

	private static @Nullable AgentRecord read(Path file) {
		try {
			List<String> lines = Files.readAllLines(file);
			if (lines.size() == 2) {
				return new AgentRecord(lines.get(0), lines.get(1));
			}
			throw new IOException("not a record");
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (IOException | WorkspacePathException ex) {
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
