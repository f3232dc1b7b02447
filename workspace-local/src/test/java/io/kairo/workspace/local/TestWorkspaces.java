package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Makes workspaces, and what is in them, for tests.
 */
final class TestWorkspaces {

	private TestWorkspaces() {
	}

	static WorkspaceFiles open(PathPolicy policy, Path... roots) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy)).open(of(roots));
	}

	static Workspace of(Path... roots) {
		return new LocalWorkspace("test", List.of(roots), true);
	}

	static Path directory(Path directory) throws IOException {
		return Files.createDirectories(directory);
	}

	static Path file(Path file, String text) throws IOException {
		Files.createDirectories(file.getParent());
		return Files.writeString(file, text);
	}

	static Path link(Path link, String target) throws IOException {
		Files.createDirectories(link.getParent());
		return Files.createSymbolicLink(link, link.getFileSystem().getPath(target));
	}

	static Path link(Path link, Path target) throws IOException {
		return link(link, target.toString());
	}

	static Path fifo(Path fifo) throws Exception {
		Process process = new ProcessBuilder("mkfifo", fifo.toString()).start();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
		return fifo;
	}

	static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	static String read(WorkspaceFiles files, String path) {
		return text(files.read(files.resolve(path, files.root()), 0, Integer.MAX_VALUE).value().bytes());
	}

	static WorkspaceResult.Failure<?> failure(WorkspaceResult<?> result, WorkspaceErrorCode code) {
		assertThat(result).isInstanceOf(WorkspaceResult.Failure.class);
		WorkspaceResult.Failure<?> failure = (WorkspaceResult.Failure<?>) result;
		assertThat(failure.code()).as(failure.message()).isEqualTo(code);
		return failure;
	}

}
