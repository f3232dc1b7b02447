package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Creates workspaces and their files for tests.
 */
public final class TestWorkspaces {

	private TestWorkspaces() {
	}

	public static WorkspaceFiles open(PathPolicy policy, Path... roots) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy)).open(of(roots));
	}

	public static Workspace of(Path... roots) {
		return new DirectoryWorkspace(List.of(roots));
	}

	public static Path directory(Path directory) throws IOException {
		return Files.createDirectories(directory);
	}

	public static Path file(Path file, String text) throws IOException {
		Files.createDirectories(file.getParent());
		return Files.writeString(file, text);
	}

	public static Path link(Path link, String target) throws IOException {
		Files.createDirectories(link.getParent());
		return Files.createSymbolicLink(link, link.getFileSystem().getPath(target));
	}

	public static Path link(Path link, Path target) throws IOException {
		return link(link, target.toString());
	}

	public static Path fifo(Path fifo) throws Exception {
		Process process = new ProcessBuilder("mkfifo", fifo.toString()).start();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
		return fifo;
	}

	public static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	public static String read(WorkspaceFiles files, String path) {
		return text(files.read(files.resolve(path, files.root()), 0, Integer.MAX_VALUE).value().bytes());
	}

	public static WorkspaceResult.Failure<?> failure(WorkspaceResult<?> result, WorkspaceErrorCode code) {
		assertThat(result).isInstanceOf(WorkspaceResult.Failure.class);
		WorkspaceResult.Failure<?> failure = (WorkspaceResult.Failure<?>) result;
		assertThat(failure.code()).as(failure.message()).isEqualTo(code);
		return failure;
	}

	/**
	 * A writable workspace with the given roots.
	 */
	private record DirectoryWorkspace(List<Path> roots) implements Workspace {

		@Override
		public String id() {
			return "test";
		}

		@Override
		public Path root() {
			return this.roots.get(0);
		}

		@Override
		public boolean writable() {
			return true;
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
