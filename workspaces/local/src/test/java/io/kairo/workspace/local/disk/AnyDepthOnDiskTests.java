package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AnyDepthPolicy} with links, several roots and unusual trees.
 */
class AnyDepthOnDiskTests extends OneRootFixture {

	private static final WritePolicy POLICY = new WritePolicy(false, List.of("**/.git/hooks", "**/.git/config"),
			List.of());

	@BeforeEach
	void protectFiles() throws IOException {
		file("lib/.git/hooks/pre-commit", "kept");
		file("file", "x");
		this.files = open(LocalFilesOptions.DEFAULTS, this.root);
	}

	private WorkspaceFiles open(LocalFilesOptions options, Path... roots) {
		return new LocalWorkspaceFilesFactory(options.withWritePolicy(POLICY)).open(TestWorkspaces.of(roots));
	}

	private void refused(WorkspaceChange change) {
		TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.PROTECTED_PATH);
		assertThat(this.root.resolve("lib/.git/hooks/pre-commit")).hasContent("kept");
	}

	private void applied(WorkspaceChange change) {
		assertThat(this.files.apply(change)).matches((result) -> result.isOk());
	}

	@Test
	void protectedPathIsNotChangedThroughLinks() throws IOException {
		TestWorkspaces.link(this.root.resolve("a"), "lib/.git");
		TestWorkspaces.link(this.root.resolve("b"), this.root.resolve("lib/.git/hooks"));
		TestWorkspaces.link(this.root.resolve("c"), "new/.git");
		refused(new Write(path("a/hooks/x"), bytes("x")));
		refused(new Write(path("b/x"), bytes("x")));
		refused(new Write(path("c"), bytes("x")));
		refused(new Delete(path("a/hooks"), Depth.RECURSIVE, null));
		applied(new Delete(path("b")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lib/.g\u200cit/hooks/x", "lib/.GIT/config", "new/.git/Hooks", "\u212aelvin/.git/config" })
	void otherSpellingsAreProtected(String path) {
		refused(new Write(path(path), bytes("x")));
	}

	@Test
	void directoryWithLinkToRepositoryIsNotMovedOrCopied() throws IOException {
		Files.createDirectories(this.root.resolve("box/deep"));
		TestWorkspaces.link(this.root.resolve("box/deep/.git"), "../../elsewhere");
		refused(new Move(path("box"), path("out")));
		refused(new Copy(path("box"), path("out")));
		refused(new Move(path("box/deep/.git"), path("out")));
	}

	@Test
	void linksCountAsPartsOfRepository() throws IOException {
		Files.createDirectories(this.root.resolve("bare/objects"));
		TestWorkspaces.link(this.root.resolve("bare/HEAD"), "refs/heads/missing");
		refused(new Write(path("bare/refs/heads/x"), bytes("x")));
		TestWorkspaces.link(this.root.resolve("bare/refs"), "/missing");
		refused(new Write(path("bare/config"), bytes("x")));
		TestWorkspaces.link(this.root.resolve("link"), "bare");
		refused(new Write(path("link/hooks/x"), bytes("x")));
	}

	@Test
	void pathsAreThoseBelowTheOutermostRoot() throws IOException {
		Path root = Files.createDirectories(this.root.resolve("lib/.git/hooks/workspace"));
		this.files = open(LocalFilesOptions.DEFAULTS, root);
		Write write = new Write(this.files.resolve("file", this.files.root()), bytes("x"));
		applied(write);
		this.files = open(LocalFilesOptions.DEFAULTS, this.root, root);
		refused(write);
	}

	@Test
	void nameThatIsOnlyRespelledDoesNotMakeARepository() throws IOException {
		file("bare/head", "x");
		file("bare/objects/x", "x");
		file("bare/refs/x", "x");
		this.files = open(LocalFilesOptions.DEFAULTS.withNameMatching(NameMatching.CASE_INSENSITIVE), this.root);
		refused(new Move(path("bare/head"), path("bare/HEAD")));
	}

	@Test
	void changeOfLargeDirectoryWithoutRepositoryIsApplied() throws IOException {
		for (int i = 0; i < 50; i++) {
			file("many/" + i + "/.git/HEAD", "x");
			file("many/" + i + "/objects/config", "x");
		}
		applied(new Copy(path("many"), path("copy")));
		applied(new Move(path("many"), path("moved")));
		applied(new Delete(path("moved"), Depth.RECURSIVE, null));
		assertThat(this.root.resolve("copy/49/objects/config")).hasContent("x");
	}

}
