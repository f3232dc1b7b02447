package io.kairo.workspace.local;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;

/**
 * Opens the files of workspaces that are directories of this machine. Whatever is read is
 * reached from a root by opening one directory in the other, so that no link leads out of
 * the roots, not even one that is swapped in meanwhile.
 * <p>
 * Every directory on the way must be readable, not only searchable. Where the platform
 * has no {@link java.nio.file.SecureDirectoryStream} (Linux and macOS have it), real
 * paths are compared before and after opening instead, which a swap there and back can
 * deceive.
 *
 * @since 0.1.0
 */
public final class LocalWorkspaceFilesFactory implements WorkspaceFilesFactory {

	private final LocalFilesOptions options;

	private final DirectoryOpener opener;

	/**
	 * Creates a factory.
	 * @param options what applies to every workspace
	 */
	public LocalWorkspaceFilesFactory(LocalFilesOptions options) {
		this(options, DirectoryOpener.platform());
	}

	LocalWorkspaceFilesFactory(LocalFilesOptions options, DirectoryOpener opener) {
		this.options = options;
		this.opener = opener;
	}

	@Override
	public WorkspaceFiles open(Workspace workspace) {
		if (!workspace.onDisk()) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The workspace "
					+ WorkspacePath.quote(workspace.id()) + " is not on this disk: use the files of its own provider",
					null);
		}
		HiddenDirectory hidden = HiddenDirectory.of(this.options.stateDirectory());
		RootSet roots = RootSet.of(workspace.roots(), this.options.pathPolicy(), hidden);
		if (roots.all().stream().anyMatch((root) -> hidden.is(root.real()))) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"A root of the workspace " + WorkspacePath.quote(workspace.id())
							+ " is the state directory itself: put the state somewhere else",
					null);
		}
		return new DiskFiles(PathGate.of(this.options.pathPolicy(), roots), new Confinement(roots, hidden, this.opener),
				writePolicy(workspace));
	}

	private WritePolicy writePolicy(Workspace workspace) {
		WritePolicy policy = this.options.writePolicy();
		return workspace.writable() ? policy : new WritePolicy(true, policy.protectedPaths(), policy.allowedPrefixes());
	}

}
