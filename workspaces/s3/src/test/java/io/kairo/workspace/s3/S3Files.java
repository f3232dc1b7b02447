package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Creates the files of workspaces with objects that are not listed yet, each below a
 * prefix of its own.
 */
final class S3Files implements AutoCloseable {

	private final S3Server server;

	private final Path directory;

	private final String bucket;

	private final S3WorkspaceProvider provider;

	private int created;

	S3Files(S3Server server, Path directory) throws IOException {
		this.server = server;
		this.directory = directory.toRealPath();
		this.bucket = server.newBucket();
		this.provider = new S3WorkspaceProvider(
				server.options(this.directory.resolve("s3"), this.bucket).writeBack(WriteBackMode.ON_DEMAND).build(),
				S3Server.credentials());
	}

	WorkspaceFiles create(WritePolicy policy, Map<String, String> content) {
		String prefix = "work-" + ++this.created;
		content.forEach((path, text) -> this.server.put(this.bucket, prefix + "/" + path, text));
		Workspace workspace = this.provider.acquire(WorkspaceRequest.writable("s3://" + this.bucket + "/" + prefix));
		return this.provider
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)
				.withStateDirectory(this.directory.resolve("state-" + this.created))))
			.open(workspace);
	}

	@Override
	public void close() {
		this.provider.close();
	}

}
