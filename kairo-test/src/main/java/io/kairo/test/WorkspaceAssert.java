package io.kairo.test;

import java.util.List;

import io.kairo.api.workspace.ReadFileResult;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on the files of a workspace. Paths are below its primary root.
 */
public final class WorkspaceAssert extends AbstractAssert<WorkspaceAssert, WorkspaceFiles> {

	WorkspaceAssert(WorkspaceFiles actual) {
		super(actual, WorkspaceAssert.class);
	}

	/**
	 * Verifies that there is a file.
	 * @param path the path
	 * @return this
	 */
	public WorkspaceAssert hasFile(String path) {
		isNotNull();
		if (!this.actual.fileExists(path)) {
			failWithMessage("Expected a file '%s' in the workspace, which has %s", path, paths());
		}
		return this;
	}

	/**
	 * Verifies that there is a file with exactly this text.
	 * @param path the path
	 * @param content the text
	 * @return this
	 */
	public WorkspaceAssert hasFile(String path, String content) {
		file(path).isEqualTo(content);
		return this;
	}

	/**
	 * Verifies that there is no file.
	 * @param path the path
	 * @return this
	 */
	public WorkspaceAssert doesNotHaveFile(String path) {
		isNotNull();
		if (this.actual.fileExists(path)) {
			failWithMessage("Expected no file '%s' in the workspace, which has %s", path, paths());
		}
		return this;
	}

	/**
	 * Verifies that there are these files and no others.
	 * @param paths the paths in canonical form, in any order
	 * @return this
	 */
	public WorkspaceAssert hasOnlyFiles(String... paths) {
		isNotNull();
		Assertions.assertThat(paths()).as("files of the workspace").containsExactlyInAnyOrder(paths);
		return this;
	}

	/**
	 * Verifies that there is a text file, and returns assertions on its text.
	 * @param path the path
	 * @return the assertions
	 */
	public AbstractStringAssert<?> file(String path) {
		hasFile(path);
		WorkspaceResult<ReadFileResult> read = this.actual.tryReadFile(path);
		return Assertions.assertThat(read.value().content()).as("file '%s'", path);
	}

	private List<String> paths() {
		return this.actual.getFilePaths().value();
	}

}
