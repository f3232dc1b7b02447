package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Creates the files of workspaces with objects that are not listed yet. Workspaces with
 * the same content have the same objects, which none of them changes.
 */
final class S3Files implements AutoCloseable {

	private final S3Server server;

	private final Path directory;

	private final String bucket;

	private final S3WorkspaceProvider provider;

	/** The prefixes by the content of their objects. */
	private final Map<Map<String, String>, String> prefixes = new HashMap<>();

	private final Map<WritePolicy, WorkspaceFilesFactory> factories = new HashMap<>();

	S3Files(S3Server server, Path directory) throws IOException {
		this.server = server;
		this.directory = directory.toRealPath();
		this.bucket = server.newBucket();
		this.provider = new S3WorkspaceProvider(server.options(this.directory.resolve("s3"), this.bucket)
			.endpoint(server.direct())
			.writeBack(WriteBackMode.ON_DEMAND)
			.build(), S3Server.credentials());
	}

	WorkspaceFiles create(WritePolicy policy, Map<String, String> content) {
		return open(acquire(content), policy);
	}

	Workspace acquire(Map<String, String> content) {
		String prefix = this.prefixes.computeIfAbsent(Map.copyOf(content), this::put);
		return this.provider.acquire(WorkspaceRequest.writable("s3://" + this.bucket + "/" + prefix));
	}

	private String put(Map<String, String> content) {
		String prefix = "work-" + this.prefixes.size();
		content.forEach((path, text) -> this.server.put(this.bucket, prefix + "/" + path, text));
		return prefix;
	}

	WorkspaceFiles open(Workspace workspace, WritePolicy policy) {
		WorkspaceFilesFactory local = this.factories.computeIfAbsent(policy, (each) -> new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(each).withStateDirectory(this.directory.resolve("state"))));
		return this.provider.files(local).open(workspace);
	}

	@Override
	public void close() {
		this.provider.close();
	}

}
