package io.kairo.workspace.local.path;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A workspace with a primary root, an added root and another root inside the added one.
 */
abstract class GateFixture {

	@TempDir
	Path temp;

	Path root;

	Path added;

	Path nested;

	@BeforeEach
	void createRoots() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("primary"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.nested = TestWorkspaces.directory(this.added.resolve("in/nested"));
	}

	WorkspaceFiles open(PathPolicy policy) {
		return policy.hidesHost() ? TestWorkspaces.open(policy, this.root)
				: TestWorkspaces.open(policy, this.root, this.added, this.nested);
	}

	static WorkspacePathException assertRefused(WorkspaceFiles files, String argument, WorkspaceErrorCode code) {
		return assertRefused(files, argument, files.root(), code);
	}

	static WorkspacePathException assertRefused(WorkspaceFiles files, String argument, WorkspacePath cwd,
			WorkspaceErrorCode code) {
		WorkspacePathException thrown = assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> files.resolve(argument, cwd))
			.actual();
		assertThat(thrown.code()).as(thrown.getMessage()).isEqualTo(code);
		return thrown;
	}

}
