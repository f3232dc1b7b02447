package io.kairo.workspace.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Writes files back one after the other, and prints the names of those that were reported
 * as written, until it is killed. Then a single write-back of many files, which is
 * announced by a line.
 */
final class KilledProcessProgram {

	private KilledProcessProgram() {
	}

	/**
	 * Runs the program.
	 * @param arguments the endpoint, the bucket, the directory, and the number of files
	 * of the last write-back
	 */
	public static void main(String[] arguments) {
		S3WorkspaceProvider provider = new S3WorkspaceProvider(S3Options.in(Path.of(arguments[2]), arguments[1])
			.endpoint(URI.create(arguments[0]))
			.pathStyle(true)
			.writeBack(WriteBackMode.ON_DEMAND)
			.build(), S3Server.credentials());
		Workspace workspace = provider.acquire(WorkspaceRequest.writable("s3://" + arguments[1] + "/work"));
		WorkspaceFiles files = provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))
			.open(workspace);
		for (int i = 0; i < 5; i++) {
			files.tryWriteFile("single-" + i, "content " + i).value();
			report(Objects.requireNonNull(workspace.sync()).writeBack().value());
		}
		int many = Integer.parseInt(arguments[3]);
		for (int i = 0; i < many; i++) {
			files.tryWriteFile("many-" + i, "content of " + i).value();
		}
		files.tryWriteFile("kept.txt", "changed").value();
		System.out.println("begin");
		report(Objects.requireNonNull(workspace.sync()).writeBack().value());
		System.out.println("end");
	}

	private static void report(SyncReport report) {
		report.with(SyncReport.Outcome.WRITTEN).forEach((change) -> System.out.println("written " + change.path()));
	}

}
