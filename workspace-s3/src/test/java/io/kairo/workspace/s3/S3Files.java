package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Creates the files of workspaces with objects that are not listed yet.
 */
final class S3Files implements AutoCloseable {

	private final S3Server server;

	private final Path directory;

	private final List<S3WorkspaceProvider> providers = new ArrayList<>();

	S3Files(S3Server server, Path directory) {
		this.server = server;
		this.directory = directory;
	}

	WorkspaceFiles create(WritePolicy policy, Map<String, String> content) throws IOException {
		String bucket = this.server.newBucket();
		content.forEach((path, text) -> this.server.put(bucket, "work/" + path, text));
		S3WorkspaceProvider provider = new S3WorkspaceProvider(
				this.server.options(this.directory.toRealPath().resolve("s3-" + this.providers.size()), bucket)
					.writeBack(WriteBackMode.ON_DEMAND)
					.build(),
				S3Server.credentials());
		this.providers.add(provider);
		Workspace workspace = provider.acquire(WorkspaceRequest.writable("s3://" + bucket + "/work"));
		return provider
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)
				.withStateDirectory(this.directory.toRealPath().resolve("state-" + this.providers.size()))))
			.open(workspace);
	}

	@Override
	public void close() {
		this.providers.forEach(S3WorkspaceProvider::close);
	}

}
