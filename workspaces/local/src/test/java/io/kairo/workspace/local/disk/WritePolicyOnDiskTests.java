package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PhysicalPolicy} through every change.
 */
class WritePolicyOnDiskTests extends OneRootFixture {

	@BeforeEach
	void protectFiles() throws IOException {
		file(".git/hooks/pre-commit", "kept");
		file(".git/HEAD", "kept");
		file("file", "x");
		this.files = open(new WritePolicy(false, List.of(".git/hooks", "later/config", "caf\u00e9"), List.of()));
	}

	private WorkspaceFiles open(WritePolicy policy) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy))
			.open(TestWorkspaces.of(this.root));
	}

	private void refused(WorkspaceChange change) {
		assertThat(TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.PROTECTED_PATH).message())
			.contains(": ");
		TestWorkspaces.failure(this.files.apply(new Batch(List.of(new Write(path("other"), bytes("x")), change))),
				WorkspaceErrorCode.PROTECTED_PATH);
		assertThat(this.root.resolve("other")).doesNotExist();
		assertThat(this.root.resolve(".git/hooks/pre-commit")).hasContent("kept");
	}

	private void everyChangeIsRefused(String relative) {
		refused(new Write(path(relative), bytes("x")));
		refused(new Write(path(relative + "/below"), bytes("x")));
		refused(new CreateDirectory(path(relative + "/below")));
		refused(new Move(path("file"), path(relative), Overwrite.REPLACE, null));
		refused(new Copy(path("file"), path(relative + "/below")));
	}

	@Test
	void readOnlyPolicyRefusesEveryChange() {
		this.files = open(WritePolicy.READ_ONLY);
		for (WorkspaceChange change : List.of(new Write(path("a/new"), bytes("x")), new Delete(path("file")),
				new CreateDirectory(path("dir")), new Move(path("file"), path("new")),
				new Copy(path("file"), path("new")), new CompareExchange(path("file"), bytes("x"), bytes("y")),
				new Batch(List.of(new Delete(path("file")))))) {
			TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.READ_ONLY);
		}
		assertThat(this.root.resolve("file")).hasContent("x");
		assertThat(this.root.resolve("a")).doesNotExist();
	}

	@Test
	void protectedPathIsNotChanged() {
		refused(new Write(path(".git/hooks/x"), bytes("x")));
		refused(new Write(path(".git/hooks/pre-commit"), bytes("x")));
		refused(new CompareExchange(path(".git/hooks/pre-commit"), bytes("kept"), bytes("x")));
		refused(new CreateDirectory(path(".git/hooks/a/b")));
		refused(new Delete(path(".git/hooks/pre-commit")));
		refused(new Delete(path(".git/hooks"), Depth.RECURSIVE, null));
		refused(new Move(path(".git/hooks/pre-commit"), path("moved")));
		refused(new Move(path("file"), path(".git/hooks/new")));
		refused(new Copy(path("file"), path(".git/hooks/new")));
		assertThat(this.files.apply(new Write(path(".git/HEAD"), bytes("x"))).isOk()).isTrue();
		assertThat(this.files.apply(new Copy(path(".git/hooks/pre-commit"), path("copy"))).isOk()).isTrue();
	}

	@Test
	void protectedPathIsNotChangedThroughLinks() throws IOException {
		TestWorkspaces.link(this.root.resolve("a"), ".git");
		TestWorkspaces.link(this.root.resolve("b"), this.root.resolve(".git/hooks"));
		TestWorkspaces.link(this.root.resolve("c"), "a/hooks/new");
		TestWorkspaces.link(this.root.resolve("later-link"), "later");
		refused(new Write(path("a/hooks/x"), bytes("x")));
		refused(new Write(path("b/x"), bytes("x")));
		refused(new Write(path("c"), bytes("x")));
		refused(new Delete(path("a/hooks/pre-commit")));
		refused(new Delete(path("a/hooks"), Depth.RECURSIVE, null));
		refused(new Move(path("b/pre-commit"), path("moved")));
		refused(new Write(path("later-link/config"), bytes("x")));
		assertThat(this.files.apply(new Delete(path("b"))).isOk()).isTrue();
	}

	@Test
	void targetOfProtectedLinkIsProtected() throws IOException {
		Files.move(this.root.resolve(".git"), this.root.resolve("elsewhere"));
		TestWorkspaces.link(this.root.resolve(".git"), "elsewhere");
		for (String path : new String[] { ".git/hooks/x", "elsewhere/hooks/x" }) {
			TestWorkspaces.failure(this.files.apply(new Write(path(path), bytes("x"))),
					WorkspaceErrorCode.PROTECTED_PATH);
		}
		for (String path : new String[] { ".git", "elsewhere" }) {
			TestWorkspaces.failure(this.files.apply(new Move(path(path), path("x"))),
					WorkspaceErrorCode.PROTECTED_PATH);
			TestWorkspaces.failure(this.files.apply(new Delete(path(path), Depth.RECURSIVE, null)),
					WorkspaceErrorCode.PROTECTED_PATH);
		}
	}

	@Test
	void directoryOfProtectedPathIsNotMovedOrDeleted() {
		refused(new Move(path(".git"), path("moved")));
		refused(new Delete(path(".git"), Depth.RECURSIVE, null));
	}

	@Test
	void missingProtectedPathIsNotCreated() throws IOException {
		everyChangeIsRefused("later/config");
		TestWorkspaces.file(this.root.resolve("prepared/config"), "x");
		refused(new Move(path("prepared"), path("later")));
		refused(new Copy(path("prepared"), path("later")));
		refused(new Write(path("later"), bytes("x")));
		assertThat(this.files.apply(new CreateDirectory(path("later"))).isOk()).isTrue();
		refused(new Delete(path("later")));
		refused(new Move(path("later"), path("moved")));
		assertThat(this.files.apply(new Write(path("later/other"), bytes("x"))).isOk()).isTrue();
	}

	@Test
	void otherSpellingsOfProtectedNameAreProtected() {
		everyChangeIsRefused(".GIT/hooks");
		everyChangeIsRefused(".git/HooKs");
		everyChangeIsRefused(".g\u200cit/hooks");
		everyChangeIsRefused("CAF\u00c9");
		everyChangeIsRefused(Normalizer.normalize("caf\u00e9", Normalizer.Form.NFD));
		assertThat(this.files.apply(new Write(path(".gitignore"), bytes("x"))).isOk()).isTrue();
		assertThat(this.files.apply(new Write(path(".git/hooks2/x"), bytes("x"))).isOk()).isTrue();
	}

	@Test
	void writesOutsideOfAllowedPrefixesAreRefused() throws IOException {
		this.files = open(new WritePolicy(false, List.of(), List.of("src/main", "docs")));
		TestWorkspaces.link(this.root.resolve("docs/out"), "../.git");
		assertThat(this.files.apply(new Write(path("src/main/a/file"), bytes("x"))).isOk()).isTrue();
		assertThat(this.files.apply(new CreateDirectory(path("docs/sub"))).isOk()).isTrue();
		refused(new Write(path("src/file"), bytes("x")));
		refused(new Write(path("src/main2/file"), bytes("x")));
		refused(new Write(path("docs/out/HEAD"), bytes("x")));
		refused(new Delete(path("file")));
		refused(new Move(path("src"), path("docs/src")));
		refused(new Move(path("file"), path("docs/file")));
		refused(new CreateDirectory(path("other")));
		assertThat(this.files.apply(new Copy(path("file"), path("docs/file"))).isOk()).isTrue();
	}

	@Test
	void stateDirectoryIsNotChanged() throws IOException {
		Path state = TestWorkspaces.file(this.root.resolve("sub/state/own"), "kept").getParent();
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(state))
			.open(TestWorkspaces.of(this.root));
		TestWorkspaces.link(this.root.resolve("link"), "sub/state");
		for (WorkspaceChange change : List.of(new Write(path("sub/state/x"), bytes("x")),
				new Write(path("link/x"), bytes("x")), new Delete(path("sub"), Depth.RECURSIVE, null),
				new Move(path("sub"), path("moved")), new Delete(path("sub/state"), Depth.RECURSIVE, null),
				new Move(path("file"), path("sub/state"), Overwrite.REPLACE, null))) {
			assertThat(this.files.apply(change).isOk()).isFalse();
		}
		assertThat(this.files.apply(new Copy(path("sub"), path("copy"))).isOk()).isTrue();
		assertThat(this.root.resolve("copy")).isEmptyDirectory();
		assertThat(state.resolve("own")).hasContent("kept");
		assertThat(state.resolve("x")).doesNotExist();
	}

}
