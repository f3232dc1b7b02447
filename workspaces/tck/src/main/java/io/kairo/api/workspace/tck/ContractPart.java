package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class for one capability of a store under test, with a store that always holds the
 * same few files.
 */
abstract class ContractPart {

	static final Map<String, String> CONTENT = Map.of("a.txt", "alpha", "kb/deep/bar.md", "bar", "kb/foo.md", "foo",
			"zoo.txt", "zoo");

	final WorkspaceFilesContract suite;

	WorkspaceFiles files;

	ContractPart(WorkspaceFilesContract suite) {
		this.suite = suite;
	}

	@BeforeEach
	void createFiles() throws IOException {
		this.files = this.suite.createFiles(WritePolicy.ALLOW_ALL, CONTENT);
	}

	WorkspacePath root() {
		return this.files.root();
	}

	WorkspacePath path(String path) {
		return this.files.resolve(path, root());
	}

	/**
	 * Creates a path that resembles a path of the store but belongs to another store.
	 */
	WorkspacePath foreign(String relative) {
		Path elsewhere = root().root().resolveSibling(root().root().getFileName() + "-of-another");
		return new WorkspacePath(elsewhere, relative);
	}

	String text(String path) {
		return this.files.tryReadFile(path).value().content();
	}

	String version(String path) {
		return this.files.read(path(path), 0, Integer.MAX_VALUE / 2).value().version();
	}

	/**
	 * Returns all entries: the types of directories and the versions of files by path.
	 */
	Map<String, String> state() {
		return state(this.files);
	}

	static Map<String, String> state(WorkspaceFiles files) {
		Map<String, String> state = new TreeMap<>();
		for (FileInfo entry : files.list(files.root(), Integer.MAX_VALUE).value().entries()) {
			String version = (entry.type() == FileType.FILE) ? files.info(entry.path()).value().version() : null;
			state.put(entry.path().relative(), entry.type() + " " + version);
		}
		return state;
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static String string(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/**
	 * Applies a change.
	 */
	ChangeReport.Line apply(WorkspaceChange change) {
		ChangeReport report = this.files.apply(change).value();
		assertThat(report.lines()).hasSize(1);
		return report.lines().get(0);
	}

	/**
	 * Asserts that a change fails with one of the given codes and has no effect.
	 */
	void assertRefused(WorkspaceChange change, WorkspaceErrorCode... codes) {
		Map<String, String> before = state();
		assertFailed(this.files.apply(change), codes);
		assertThat(state()).as("state after the refused change %s", change).isEqualTo(before);
	}

	/**
	 * Asserts that a result is a failure with one of the given codes.
	 */
	static void assertFailed(WorkspaceResult<?> result, WorkspaceErrorCode... codes) {
		assertThat(result).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
			assertThat(failure.code()).as(failure.message()).isIn((Object[]) codes);
			assertThat(failure.message()).isNotBlank();
		});
	}

}
