package io.kairo.autoconfigure.endpoint;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentSessions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint} for the checkpoints of the sessions that are kept. What a session did
 * to its files can be undone, which needs unrestricted access.
 */
@Endpoint(id = "kairocheckpoints", defaultAccess = Access.READ_ONLY)
public class CheckpointsEndpoint {

	private static final int CONFLICT = 409;

	private final AgentSessions sessions;

	private final WorkspaceFilesFactory files;

	/**
	 * Creates the endpoint.
	 * @param sessions the sessions
	 * @param files opens the files of their workspaces
	 */
	CheckpointsEndpoint(AgentSessions sessions, WorkspaceFilesFactory files) {
		this.sessions = sessions;
		this.files = files;
	}

	/**
	 * Returns the sessions that are recorded.
	 * @return the sessions with their checkpoints
	 */
	@ReadOperation
	public Sessions checkpoints() {
		return new Sessions(this.sessions.list()
			.stream()
			.filter((session) -> session.checkpoints() != null)
			.map((session) -> Recorded.of(session, this.files))
			.toList());
	}

	/**
	 * Undoes what a session did, or shows what undoing it would change.
	 * @param tenant the id of the tenant
	 * @param session the client's id of the session
	 * @param principal the principal, null if only one has a session of this id
	 * @param since the name of the checkpoint to return to, null for all that the session
	 * did
	 * @param dryRun whether to change nothing; true unless it is false
	 * @return the changes, or status 404 if there is no such session or checkpoint, or
	 * status 409 if nothing could be changed
	 */
	@WriteOperation
	public WebEndpointResponse<Object> rewind(String tenant, String session, @Nullable String principal,
			@Nullable String since, @Nullable Boolean dryRun) {
		List<AgentSession> found = this.sessions.list()
			.stream()
			.filter((each) -> each.checkpoints() != null && session.equals(each.id())
					&& each.tenant().tenantId().equals(tenant)
					&& (principal == null || each.tenant().principalId().equals(principal)))
			.toList();
		if (found.size() != 1) {
			return new WebEndpointResponse<>(
					new Refused(found.isEmpty() ? "There is no such session"
							: "Several sessions have this id: name the principal"),
					WebEndpointResponse.STATUS_NOT_FOUND);
		}
		WorkspaceCheckpoints checkpoints = Objects.requireNonNull(found.get(0).checkpoints());
		WorkspaceFiles opened = this.files.open(found.get(0).workspace());
		Range range = (since != null) ? Range.since(since) : Range.all();
		WorkspaceResult<Rewind> result = Boolean.FALSE.equals(dryRun) ? checkpoints.restore(opened, range, Set.of())
				: checkpoints.changes(opened, range, Set.of());
		if (result instanceof WorkspaceResult.Failure<Rewind> failure) {
			return new WebEndpointResponse<>(new Refused(failure.message()), switch (failure.code()) {
				case FILE_NOT_FOUND -> WebEndpointResponse.STATUS_NOT_FOUND;
				default -> CONFLICT;
			});
		}
		return new WebEndpointResponse<>(Rewound.of(result.value(), opened));
	}

	/**
	 * Sessions.
	 *
	 * @param sessions the sessions
	 */
	public record Sessions(List<Recorded> sessions) {

		/**
		 * Creates the value.
		 */
		public Sessions {
			sessions = List.copyOf(sessions);
		}

	}

	/**
	 * A session that is recorded.
	 *
	 * @param tenant the id of its tenant
	 * @param principal its principal
	 * @param session the client's id, null if it has none
	 * @param workspace the id of its workspace
	 * @param checkpoints its checkpoints, the newest first
	 * @param trialProblem why it can have no trials, null if it can
	 */
	public record Recorded(String tenant, String principal, @Nullable String session, String workspace,
			List<Checkpoint> checkpoints, @Nullable String trialProblem) {

		/**
		 * Creates the value.
		 */
		public Recorded {
			checkpoints = List.copyOf(checkpoints);
		}

		static Recorded of(AgentSession session, WorkspaceFilesFactory files) {
			WorkspaceCheckpoints checkpoints = Objects.requireNonNull(session.checkpoints());
			return new Recorded(session.tenant().tenantId(), session.tenant().principalId(), session.id(),
					session.workspace().id(), checkpoints.list(),
					checkpoints.trialProblem(files.open(session.workspace())));
		}

	}

	/**
	 * The result of an undoing, or of its preview.
	 *
	 * @param done whether the files were changed
	 * @param steps number of steps; what they did may have secrets in it
	 * @param changes the changed entries
	 */
	public record Rewound(boolean done, int steps, List<Entry> changes) {

		/**
		 * Creates the value.
		 */
		public Rewound {
			changes = List.copyOf(changes);
		}

		static Rewound of(Rewind rewind, WorkspaceFiles files) {
			return new Rewound(rewind.done(), rewind.steps().size(),
					rewind.changes()
						.stream()
						.map((change) -> new Entry(shown(change.path(), files), kind(change),
								(change.obstacle() != null) ? change.obstacle().name() : null))
						.toList());
		}

		/**
		 * Spells a path, also one of a root that the workspace no longer has.
		 */
		private static String shown(WorkspacePath path, WorkspaceFiles files) {
			try {
				return files.display(path);
			}
			catch (IllegalArgumentException ex) {
				return path.relative();
			}
		}

		private static String kind(Change change) {
			return (change.from() == null) ? "created" : (change.to() == null) ? "deleted" : "changed";
		}

	}

	/**
	 * A changed entry.
	 *
	 * @param path its path
	 * @param change the text created, changed or deleted
	 * @param obstacle why it is kept, null if it is not
	 */
	public record Entry(String path, String change, @Nullable String obstacle) {

	}

	/**
	 * The reason why nothing was changed.
	 *
	 * @param message the reason
	 */
	public record Refused(String message) {

	}

}
