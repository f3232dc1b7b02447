package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A provider of workspaces with the objects below a prefix of an S3 bucket. A hint is
 * {@code s3://bucket/prefix}, within one of the {@linkplain S3Options#in(Path, String...)
 * locations} of the tenant.
 * <p>
 * Each acquire creates a separate copy on this machine. A directory is listed when it is
 * first used, and a file fetched when it is first read; a directory shows the objects as
 * they were when it was listed. Changes are local until they are
 * {@linkplain WriteBackMode written back}, each on the condition that the object still
 * has the version that the change was based on. Otherwise the change is a conflict: the
 * local file is kept, and the version of the bucket appears beside it, under a name with
 * {@code .remote-}. Deleting that file settles the conflict.
 * <p>
 * A workspace whose changes could not all be written back when it was released, or whose
 * process ended, is kept as an {@linkplain #unwritten() unwritten} one. If a write-back
 * had begun, it is resumed by the next acquire of the same location by the same tenant.
 * <p>
 * Keys that cannot be paths are not part of a workspace and are
 * {@linkplain #unusable(String) reported}. Empty directories, symbolic links and
 * permissions other than the executable bit are not stored.
 * <p>
 * {@link Workspace#metadata()} has {@code s3.bucket}, {@code s3.prefix},
 * {@code s3.write-back}, and {@code s3.unwritten} with the number of kept workspaces of
 * the same location and tenant if there are any.
 * <p>
 * Safe for use by several threads. Closing releases the workspaces that were not
 * released.
 */
public final class S3WorkspaceProvider implements WorkspaceProvider, AutoCloseable {

	private static final Logger logger = System.getLogger(S3WorkspaceProvider.class.getName());

	private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(10);

	private final S3Options options;

	private final S3Credentials credentials;

	/** Created by the first acquire, guarded by this. */
	private @Nullable S3Client client;

	private final WorkspaceDirectories directories;

	private final DirectoryOpener opener = DirectoryOpener.platform();

	private final ConditionCheck conditions = new ConditionCheck();

	private final Map<String, OpenWorkspace> open = new ConcurrentHashMap<>();

	private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());

	/**
	 * Creates a provider, and looks for workspaces of dead processes in its directory. No
	 * request is sent.
	 * @param options the options
	 * @param credentials the credentials of tenants
	 * @throws WorkspaceException if the directory cannot be used
	 */
	public S3WorkspaceProvider(S3Options options, S3Credentials credentials) {
		this.options = options;
		this.credentials = credentials;
		try {
			OwnerOnly.createDirectories(options.directory());
			this.directories = new WorkspaceDirectories(options.directory().toRealPath());
			this.directories.sweep();
		}
		catch (IOException ex) {
			throw S3Failures.here("The directory of the S3 workspaces cannot be used", ex);
		}
	}

	private synchronized S3Client client() {
		if (this.client == null) {
			try {
				this.client = S3Clients.create(this.options);
			}
			catch (SdkException ex) {
				throw S3Failures.unusable(ex);
			}
		}
		return this.client;
	}

	/**
	 * Opens a location.
	 * @param request the hint, the tenant and whether files may be changed
	 * @return a new workspace that exists until it is released
	 * @throws WorkspacePathException if the hint is malformed, or names a location that
	 * the tenant may not open
	 * @throws WorkspaceException {@code REMOTE_UNREACHABLE} if the object store cannot be
	 * reached, {@code REMOTE_REFUSED} if it refuses access, {@code TOO_LARGE} if a limit
	 * is exceeded, {@code WRITE_FAILED} if the files cannot be created
	 */
	@Override
	public Workspace acquire(WorkspaceRequest request) {
		S3Location location = S3Location.parse(request.hint());
		requireAllowed(location, request.tenant());
		sweepNowAndThen();
		resumeInterrupted(location, request.tenant());
		WorkspaceDirectories.Parts parts = null;
		try {
			parts = this.directories.create(location.toString().substring(location.toString().lastIndexOf('/') + 1));
			OpenWorkspace opened = open(parts, location, request.tenant(), request.writable());
			opened.overlay()
				.state()
				.open(new TreeState.Opened(location.toString(), request.tenant().tenantId(),
						request.tenant().principalId(), request.writable()));
			giveToOwner(parts);
			opened.overlay().list("");
			String id = location + "@" + UUID.randomUUID();
			this.open.put(id, opened);
			return new S3Workspace(id, parts.tree(), request.writable(), metadata(location, request.tenant()),
					opened.sync());
		}
		catch (IOException | RuntimeException ex) {
			if (parts != null) {
				discard(parts.directory(), ex);
			}
			throw (ex instanceof RuntimeException unchecked && !(ex instanceof UncheckedIOException)) ? unchecked
					: S3Failures.here("The files of " + location + " could not be created", ex);
		}
	}

	private OpenWorkspace open(WorkspaceDirectories.Parts parts, S3Location location, TenantContext tenant,
			boolean writable) throws IOException {
		Bucket bucket = new Bucket(client(), location, tenant, this.credentials, this.options.encryption(),
				this.options.limits());
		Overlay overlay = new Overlay(bucket, new TreeState(parts.log()), new LocalTree(parts.tree(), this.opener),
				parts.staging());
		return new OpenWorkspace(parts.directory(), overlay,
				new S3Sync(overlay, writable, this.options.writeBack() == WriteBackMode.AT_ONCE,
						() -> this.conditions.require(bucket, overlay.newStaged())));
	}

	private void requireAllowed(S3Location location, TenantContext tenant) {
		if (this.options.scopes().stream().noneMatch((scope) -> scope.allows(location, tenant))) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The location " + WorkspacePath.quote(location.toString())
							+ " is not one that this tenant may open: use one within " + this.options.scopes());
		}
	}

	private void giveToOwner(WorkspaceDirectories.Parts parts) throws IOException {
		HostUser owner = this.options.owner();
		if (owner != null) {
			HostUser.letPass(this.options.directory());
			HostUser.letPass(parts.directory());
			owner.own(parts.tree());
		}
	}

	private static void discard(Path directory, Exception failure) {
		try {
			new OwnedTree(directory).remove();
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

	private Map<String, String> metadata(S3Location location, TenantContext tenant) {
		Map<String, String> metadata = new LinkedHashMap<>();
		metadata.put("s3.bucket", location.bucket());
		metadata.put("s3.prefix", location.prefix());
		metadata.put("s3.write-back", this.options.writeBack().name().toLowerCase(Locale.ROOT));
		long unwritten = unwritten(location, tenant).size();
		if (unwritten > 0) {
			metadata.put("s3.unwritten", String.valueOf(unwritten));
		}
		return Map.copyOf(metadata);
	}

	/**
	 * Returns a factory for the files of the workspaces of this provider.
	 * @param local the factory of files on this machine
	 * @return the factory; it refuses workspaces of other providers
	 */
	public WorkspaceFilesFactory files(WorkspaceFilesFactory local) {
		return (workspace) -> {
			OpenWorkspace opened = this.open.get(workspace.id());
			if (opened == null) {
				throw new WorkspaceException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
						"The workspace " + WorkspacePath.quote(workspace.id())
								+ " was not acquired from this provider, or was released: acquire it again",
						null);
			}
			WorkspaceFiles files = local.open(workspace);
			return new OverlayFiles(files, opened.overlay(), opened.sync());
		};
	}

	/**
	 * Returns the keys found so far that are not part of a workspace.
	 * @param workspaceId the id of an acquired workspace
	 * @return at most 1,000 keys with the reasons, empty for an unknown id
	 */
	public List<UnusableKey> unusable(String workspaceId) {
		OpenWorkspace opened = this.open.get(workspaceId);
		return (opened != null) ? opened.overlay().unusable() : List.of();
	}

	/**
	 * Releases a workspace, after its changes were written back unless the mode is
	 * {@link WriteBackMode#ON_DEMAND}.
	 * @throws WorkspaceException if changes were not written back (the workspace is then
	 * kept as an {@linkplain #unwritten() unwritten} one) or if the files could not be
	 * removed
	 */
	@Override
	public void release(@Nullable String workspaceId) {
		OpenWorkspace opened = (workspaceId != null) ? this.open.remove(workspaceId) : null;
		if (opened == null) {
			return;
		}
		TreeState.Opened request = opened.overlay().state().opened();
		if (request != null && request.writable() && this.options.writeBack() != WriteBackMode.ON_DEMAND) {
			WorkspaceResult<SyncReport> written = opened.sync().writeBack();
			WorkspaceException problem = opened.problem(written);
			if (problem != null) {
				keep(opened, request);
				throw problem;
			}
		}
		opened.remove();
	}

	private void keep(OpenWorkspace opened, TreeState.Opened request) {
		boolean interrupted = opened.overlay().state().isWriting();
		try {
			opened.close();
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The state of a workspace could not be closed", ex);
		}
		this.directories.keep(opened.directory(), request, interrupted);
	}

	/**
	 * Returns the kept workspaces whose changes were not all written back.
	 * @return a copy
	 */
	public List<UnwrittenWorkspace> unwritten() {
		return this.directories.kept().stream().map(WorkspaceDirectories.Kept::workspace).toList();
	}

	private List<UnwrittenWorkspace> unwritten(S3Location location, TenantContext tenant) {
		return unwritten().stream()
			.filter((kept) -> kept.location().equals(location) && kept.tenantId().equals(tenant.tenantId()))
			.toList();
	}

	/**
	 * Writes the changes of a kept workspace back, as far as they are not in conflict. If
	 * that is complete, the workspace is removed.
	 * @param id the id of an unwritten workspace
	 * @return the outcomes; empty for an unknown id
	 */
	public WorkspaceResult<SyncReport> resume(String id) {
		WorkspaceDirectories.Kept kept = this.directories.take(id);
		if (kept == null || kept.parts() == null) {
			return WorkspaceResult.ok(new SyncReport(List.of()));
		}
		OpenWorkspace opened;
		try {
			opened = open(kept.parts(), kept.workspace().location(),
					new TenantContext(kept.opened().tenantId(), kept.opened().principalId()), true);
		}
		catch (IOException ex) {
			this.directories.keep(kept.parts().directory(), kept.opened(), kept.workspace().interrupted());
			return S3Failures.result(S3Failures.here("The state of the workspace cannot be read", ex));
		}
		WorkspaceResult<SyncReport> written = opened.sync().writeBack();
		if (opened.problem(written) != null) {
			keep(opened, kept.opened());
		}
		else {
			opened.remove();
		}
		return written;
	}

	/**
	 * Removes a kept workspace with its changes.
	 * @param id the id of an unwritten workspace; an unknown one is ignored
	 * @throws WorkspaceException if its files could not be removed
	 */
	public void discard(String id) {
		WorkspaceDirectories.Kept kept = this.directories.take(id);
		if (kept != null && kept.parts() != null) {
			try {
				new OwnedTree(kept.parts().directory()).remove();
			}
			catch (IOException ex) {
				throw S3Failures.here("The files of " + kept.workspace().location() + " could not be removed", ex);
			}
		}
	}

	private void resumeInterrupted(S3Location location, TenantContext tenant) {
		for (UnwrittenWorkspace kept : unwritten(location, tenant)) {
			if (kept.interrupted()) {
				WorkspaceResult<SyncReport> written = resume(kept.id());
				logger.log(Level.WARNING, "The interrupted write-back of {0} was resumed: {1}", location,
						(written instanceof WorkspaceResult.Failure<SyncReport> failure) ? failure.message()
								: written.value().complete() ? "it is complete" : written.value().problems());
			}
		}
	}

	private void sweepNowAndThen() {
		long last = this.lastSweep.get();
		if (System.nanoTime() - last > SWEEP_NANOS && this.lastSweep.compareAndSet(last, System.nanoTime())) {
			try {
				this.directories.sweep();
			}
			catch (IOException ex) {
				throw S3Failures.here("The directory of the S3 workspaces cannot be read", ex);
			}
		}
	}

	/**
	 * Releases all workspaces, and closes the connections. Failures are logged.
	 */
	@Override
	public void close() {
		for (String id : new ArrayList<>(this.open.keySet())) {
			try {
				release(id);
			}
			catch (WorkspaceException ex) {
				logger.log(Level.WARNING, "A workspace could not be released completely", ex);
			}
		}
		try {
			this.directories.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			closeClient();
		}
	}

	private synchronized void closeClient() {
		if (this.client != null) {
			this.client.close();
			this.client = null;
		}
	}

}
