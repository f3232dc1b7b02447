package io.kairo.workspace.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.tck.FilledDisk;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A program that uses a workspace whose files and state are on a small disk, while that
 * is full.
 */
final class FullDiskProgram {

	/** Number of files that are written back. */
	static final int FILES = 20;

	private FullDiskProgram() {
	}

	/**
	 * Runs the program.
	 * @param arguments the disk, the endpoint, and the bucket, which has an object of
	 * 100,000 bytes
	 * @throws Exception if the disk cannot be filled
	 */
	public static void main(String[] arguments) throws Exception {
		Path disk = Path.of(arguments[0]);
		String hint = "s3://" + arguments[2] + "/work";
		S3WorkspaceProvider provider = new S3WorkspaceProvider(S3Options.in(disk.resolve("s3"), arguments[2])
			.endpoint(URI.create(arguments[1]))
			.pathStyle(true)
			.writeBack(WriteBackMode.ON_DEMAND)
			.build(), S3Server.credentials());
		try (FilledDisk filled = FilledDisk.leavingNames(disk, 0)) {
			WorkspaceException failure = catchThrowableOfType(WorkspaceException.class,
					() -> provider.acquire(WorkspaceRequest.writable(hint)));
			assertFull(failure.code(), String.valueOf(failure.getMessage()));
		}
		Workspace workspace = provider.acquire(WorkspaceRequest.writable(hint));
		WorkspaceFiles files = provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))
			.open(workspace);
		try (FilledDisk filled = FilledDisk.leavingBytes(disk, 50_000)) {
			assertFull(files.tryReadFile("large.txt"));
			assertFull(Objects.requireNonNull(workspace.sync()).materialize());
		}
		assertThat(files.tryReadFile("large.txt").value().content()).hasSize(100_000);
		for (int i = 0; i < FILES; i++) {
			files.tryWriteFile("file-" + i, "content " + i).value();
		}
		try (FilledDisk filled = FilledDisk.leavingBytes(disk, 0)) {
			WorkspaceResult<SyncReport> written = Objects.requireNonNull(workspace.sync()).writeBack();
			if (written.isOk()) {
				assertThat(written.value().complete()).isFalse();
				assertThat(written.value().problems()).contains("no space is left");
			}
			else {
				assertFull(written);
			}
		}
		SyncReport report = Objects.requireNonNull(workspace.sync()).writeBack().value();
		assertThat(report.complete()).as(report.problems()).isTrue();
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().changes()).isEmpty();
		provider.release(workspace.id());
		provider.close();
	}

	private static void assertFull(WorkspaceResult<?> result) {
		assertThat(result).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertFull(failure.code(), failure.message()));
	}

	private static void assertFull(WorkspaceErrorCode code, String message) {
		assertThat(code).as(message).isEqualTo(WorkspaceErrorCode.WRITE_FAILED);
		assertThat(message).contains("no space is left: free some");
	}

}
