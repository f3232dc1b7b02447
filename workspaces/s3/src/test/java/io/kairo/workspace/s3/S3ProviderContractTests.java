package io.kairo.workspace.s3;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.FullDiskSubject;
import io.kairo.api.workspace.tck.FullDiskTrial;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for the provider.
 */
@ExtendWith(S3Server.Extension.class)
class S3ProviderContractTests extends WorkspaceProviderContract {

	private final S3Server server;

	@TempDir
	Path directory;

	private String bucket = "unset";

	private S3WorkspaceProvider provider;

	S3ProviderContractTests(S3Server server) {
		this.server = server;
	}

	@AfterEach
	void close() {
		this.provider.close();
	}

	@Override
	protected WorkspaceProvider createProvider() throws Exception {
		this.bucket = this.server.newBucket();
		this.server.put(this.bucket, "one/readme.md", "one");
		this.server.put(this.bucket, "many/a", "a");
		this.server.put(this.bucket, "many/b", "b");
		this.server.put(this.bucket, "many/c", "c");
		this.provider = new S3WorkspaceProvider(
				this.server.options(this.directory.toRealPath().resolve("s3"), this.bucket, "no-such-bucket")
					.limits(new S3Limits(2, 1 << 20, 1 << 20, 4, java.time.Duration.ofSeconds(30)))
					.build(),
				S3Server.credentials());
		return this.provider;
	}

	@Override
	protected List<@Nullable String> hints() {
		return List.of("s3://" + this.bucket + "/one", "s3://" + this.bucket + "/two/three");
	}

	@Override
	protected List<String> badHints() {
		return List.of("s3:", "s3://", "s3:///x", "s3://x", "s3://Bucket/x", "s3://bucket..x/x", "s3://10.0.0.1/x",
				"s3:bucket/x", "git:https://example.org/x.git", "x", "s3://" + this.bucket + "/a/../b",
				"s3://" + this.bucket + "/..", "s3://" + this.bucket + "//a", "s3://" + this.bucket + "/a\\b",
				"s3://" + this.bucket + "/a?b", "s3://" + this.bucket + "/a%2fb",
				"s3://" + this.bucket + "/" + "x".repeat(1100), "s3://" + this.bucket + "/a\0b");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("s3://no-such-bucket/x", WorkspaceErrorCode.REMOTE_REFUSED, "s3://not-allowed/x",
				WorkspaceErrorCode.INVALID_PATH, "s3://" + this.bucket + "/many", WorkspaceErrorCode.TOO_LARGE);
	}

	@Override
	protected String hintFor(String name) {
		return "s3://" + this.bucket + "/" + name;
	}

	@Override
	protected List<Path> places() {
		return List.of(this.directory.resolve("s3"));
	}

	@Override
	protected boolean freshForEachAcquire() {
		return true;
	}

	@Override
	protected Class<? extends FullDiskTrial> fullDiskTrial() {
		return FilesOnSmallDisk.class;
	}

	@Override
	protected List<String> fullDiskArguments() {
		this.server.put(this.bucket, "disk/large.txt", "x".repeat(300_000));
		return List.of(this.server.endpoint().toString(), this.bucket);
	}

	/**
	 * A provider whose local files may lack space.
	 */
	static final class FilesOnSmallDisk implements FullDiskTrial {

		@Override
		public FullDiskSubject prepare(Path directory, List<String> arguments) {
			S3WorkspaceProvider provider = new S3WorkspaceProvider(
					S3Options.in(directory.resolve("s3"), arguments.get(1))
						.endpoint(java.net.URI.create(arguments.get(0)))
						.pathStyle(true)
						.writeBack(WriteBackMode.ON_DEMAND)
						.build(),
					S3Server.credentials());
			return new FullDiskSubject(
					new WorkspaceProviderRegistration("s3", provider,
							provider.files(new LocalWorkspaceFilesFactory(
									LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state"))))),
					WorkspaceRequest.writable("s3://" + arguments.get(1) + "/disk"));
		}

	}

}
