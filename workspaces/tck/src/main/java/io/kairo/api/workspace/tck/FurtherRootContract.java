package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Entries are moved out of the workspace and back, where the store supports it.
 */
abstract class FurtherRootContract extends ContractPart {

	@TempDir
	@SuppressWarnings("NullAway.Init") // set by JUnit
	Path temp;

	FurtherRootContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private WorkspacePath kept(String name) throws IOException {
		Path home = this.temp.resolve("home");
		Files.createDirectories(home.resolve("home"));
		return new WorkspacePath(home, "home/" + name);
	}

	private WorkspaceFiles wider(WorkspaceFiles files) throws IOException {
		return Objects.requireNonNull(files.including(kept("x").root()));
	}

	@Test
	void supportIsAsDeclared() throws IOException {
		assertThat(this.files.including(kept("x").root()) != null).isEqualTo(this.suite.includesDirectories());
	}

	@Test
	void entriesAreMovedOutAndBack() throws IOException {
		if (this.suite.includesDirectories()) {
			Map<String, String> before = state();
			WorkspaceFiles wider = wider(this.files);
			assertFailed(wider.info(kept("1/content")), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFailed(wider.apply(new Move(kept("1/content"), path("x"))), WorkspaceErrorCode.FILE_NOT_FOUND);
			wider.apply(new Move(path("kb"), kept("1/content"))).value();
			assertThat(state()).doesNotContainKeys("kb", "kb/foo.md");
			assertThat(kept("1/content/deep/bar.md").toPath()).hasContent("bar");
			wider.apply(new Move(kept("1/content"), path("kb"))).value();
			assertThat(state()).isEqualTo(before);
		}
	}

	@Test
	void furtherRootIsUnknownToFilesOfWorkspace() throws IOException {
		if (this.suite.includesDirectories()) {
			wider(this.files).apply(new Move(path("a.txt"), kept("content"))).value();
			WorkspacePath kept = kept("content");
			assertThatIllegalArgumentException().isThrownBy(() -> this.files.read(kept, 0, 10));
			assertThatIllegalArgumentException().isThrownBy(() -> this.files.apply(new Move(kept, path("b"))));
			assertThat(this.files.locate(kept.toPath())).isNull();
		}
	}

	@Test
	void refusedBatchMovesNothingOut() throws IOException {
		if (this.suite.includesDirectories()) {
			Map<String, String> before = state();
			assertFailed(
					wider(this.files).apply(Changes.batch(new Move(path("kb"), kept("1/content")),
							Changes.write(path("new"), "x"), new Move(path("missing"), path("x")))),
					WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(state()).isEqualTo(before);
			assertThat(kept("1").toPath()).doesNotExist();
		}
	}

	@Test
	void policyHoldsInWorkspaceOnly() throws IOException {
		if (this.suite.includesDirectories()) {
			this.files = this.suite.createFiles(new WritePolicy(false, List.of("kb/foo.md"), List.of("kb", "zoo.txt")),
					CONTENT);
			Map<String, String> before = state();
			WorkspaceFiles wider = wider(this.files);
			for (WorkspaceChange refused : List.of(new Move(path("a.txt"), kept("content")),
					new Move(path("kb"), kept("content")), new Move(path("kb/foo.md"), kept("content")))) {
				assertFailed(wider.apply(refused), WorkspaceErrorCode.PROTECTED_PATH);
			}
			assertThat(state()).isEqualTo(before);
			wider.apply(new Move(path("zoo.txt"), kept("content"))).value();
			assertFailed(wider.apply(new Move(kept("content"), path("b"))), WorkspaceErrorCode.PROTECTED_PATH);
			wider.apply(new Move(kept("content"), path("kb/zoo.txt"))).value();
			this.files = this.suite.createFiles(WritePolicy.READ_ONLY, CONTENT);
			assertFailed(wider(this.files).apply(new Move(path("a.txt"), kept("other"))), WorkspaceErrorCode.READ_ONLY);
		}
	}

}
