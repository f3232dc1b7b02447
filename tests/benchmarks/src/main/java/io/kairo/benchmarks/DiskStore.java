package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.AgentSession;
import io.kairo.tools.ToolContext;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * A directory as a workspace.
 *
 * @param directory the directory
 * @param workspace the workspace
 * @param files its files
 */
record DiskStore(Path directory, Workspace workspace, WorkspaceFiles files) {

	static DiskStore of(Path directory, Path stateDirectory) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(directory)
			.acquire(new WorkspaceRequest(null, TenantContext.SINGLE, true));
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withStateDirectory(stateDirectory);
		return new DiskStore(directory, workspace, new LocalWorkspaceFilesFactory(options).open(workspace));
	}

	static DiskStore in(Scratch scratch) throws IOException {
		return of(scratch.directory("files"), scratch.directory("state"));
	}

	WorkspacePath path(String path) {
		return this.files.resolve(path, this.files.root());
	}

	ToolContext context() {
		return ToolContext.builder(this.workspace)
			.session(new AgentSession(null, TenantContext.SINGLE, this.workspace))
			.files(this.files)
			.build();
	}

}
