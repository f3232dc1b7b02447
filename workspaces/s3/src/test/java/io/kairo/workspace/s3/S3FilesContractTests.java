package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceFilesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for the files of a bucket, which are fetched by the tests.
 */
@ExtendWith(S3Server.Extension.class)
class S3FilesContractTests extends WorkspaceFilesContract {

	@TempDir
	static Path directory;

	private static S3Files files;

	@BeforeAll
	static void open(S3Server server) throws IOException {
		files = new S3Files(server, directory);
	}

	@AfterAll
	static void close() {
		files.close();
	}

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) {
		return files.create(policy, content);
	}

	@Override
	protected boolean caseSensitive() {
		return !Files
			.exists(directory.resolveSibling(directory.getFileName().toString().toUpperCase(java.util.Locale.ROOT)));
	}

	@Override
	protected LinkMaker links() {
		return (files, path, target) -> {
			Path link = files.root().root().resolve(path);
			Files.createSymbolicLink(link, link.getFileSystem().getPath(target));
		};
	}

	@Override
	protected int raceRounds() {
		return "long".equals(System.getProperty("kairo.stress")) ? 25 : 8;
	}

	@Override
	protected boolean includesDirectories() {
		return true;
	}

}
