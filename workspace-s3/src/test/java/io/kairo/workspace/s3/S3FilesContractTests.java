package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceFilesContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for the files of a bucket, which are fetched by the tests.
 */
@ExtendWith(S3Server.Extension.class)
class S3FilesContractTests extends WorkspaceFilesContract {

	private final S3Server server;

	@TempDir
	Path directory;

	private S3Files files;

	S3FilesContractTests(S3Server server) {
		this.server = server;
	}

	@BeforeEach
	void open() {
		this.files = new S3Files(this.server, this.directory);
	}

	@AfterEach
	void close() {
		this.files.close();
	}

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException {
		return this.files.create(policy, content);
	}

	@Override
	protected boolean caseSensitive() {
		return !Files.exists(this.directory
			.resolveSibling(this.directory.getFileName().toString().toUpperCase(java.util.Locale.ROOT)));
	}

	@Override
	protected LinkMaker links() {
		return (files, path, target) -> {
			Path link = files.root().root().resolve(path);
			Files.createSymbolicLink(link, link.getFileSystem().getPath(target));
		};
	}

	@Override
	protected boolean includesDirectories() {
		return true;
	}

}
