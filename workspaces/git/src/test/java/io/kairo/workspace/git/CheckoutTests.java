package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for checkouts, and for Git commands of the agent in them.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class CheckoutTests extends ClientTests {

	private Workspace acquire(String ref) {
		return acquire(provider(), this.repository.hint() + ref);
	}

	@Nested
	class Refs {

		@Test
		void acquireChecksOutBranch() throws IOException {
			Workspace workspace = acquire("#two");
			assertThat(workspace.root().resolve("branch.txt")).hasContent("two\n");
			assertThat(workspace.metadata()).containsEntry("git.branch", "two")
				.containsEntry("git.commit", CheckoutTests.this.repository.id("two"))
				.containsEntry("git.remote", "file://" + CheckoutTests.this.repository.bare());
		}

		@Test
		void acquireWithoutRefChecksOutDefaultBranch() throws IOException {
			Workspace workspace = acquire("");
			assertThat(workspace.kind()).isEqualTo(WorkspaceKind.REMOTE_GIT);
			assertThat(workspace.metadata()).containsEntry("git.branch", "main")
				.containsEntry("git.commit", CheckoutTests.this.repository.id("main"));
			assertThat(workspace.root().resolve("src/Main.java")).exists();
		}

		@Test
		void acquireChecksOutTag() throws IOException {
			Workspace workspace = acquire("#v1");
			assertThat(workspace.metadata()).doesNotContainKey("git.branch")
				.containsEntry("git.commit", CheckoutTests.this.repository.id("v1"));
		}

		@Test
		void acquireChecksOutCommitByFullAndShortId() throws IOException {
			String id = CheckoutTests.this.repository.id("three");
			assertThat(acquire("#" + id).metadata()).containsEntry("git.commit", id);
			assertThat(acquire("#" + id.substring(0, 9)).metadata()).containsEntry("git.commit", id);
		}

		@Test
		void acquireChecksOutCommitOutsideBranches() throws IOException {
			String id = GitProgram.run(CheckoutTests.this.repository.work(), "rev-parse", "refs/pull/7/head");
			assertThat(acquire("#" + id).root().resolve("pull.txt")).hasContent("request\n");
		}

		@Test
		void acquireChecksOutPullRequest() {
			assertThat(acquire("#pull/7").root().resolve("pull.txt")).hasContent("request\n");
			assertThat(acquire("#refs/pull/7/head").root().resolve("pull.txt")).hasContent("request\n");
		}

		@Test
		void acquireOfMissingRefFails() {
			for (String ref : List.of("#pull/8", "#nothing", "#" + "0".repeat(39) + "1", "#abcdef1",
					"#refs/merge-requests/1/head")) {
				assertThatExceptionOfType(WorkspaceException.class).as(ref)
					.isThrownBy(() -> acquire(ref))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REF_NOT_FOUND));
			}
			assertThat(state().resolve("checkouts")).isDirectoryNotContaining((path) -> Files.isDirectory(path));
		}

		@Test
		void newRefIsFoundDespiteRecentFetch() throws IOException {
			GitWorkspaceProvider provider = provider();
			String hint = CheckoutTests.this.repository.hint();
			String before = acquire(provider, hint).metadata().get("git.commit");
			String commit = CheckoutTests.this.repository.commit("new.txt", "new\n", "Add new");
			GitProgram.run(CheckoutTests.this.repository.work(), "branch", "fresh");
			CheckoutTests.this.repository.publish();
			assertThat(acquire(provider, hint).metadata()).containsEntry("git.commit", before);
			assertThat(acquire(provider, hint + "#fresh").metadata()).containsEntry("git.commit", commit);
		}

	}

	@Nested
	class CheckedOutFiles {

		@Test
		void checkedOutFilesEqualThoseOfGit() throws IOException {
			Path work = CheckoutTests.this.repository.work();
			Files.createSymbolicLink(work.resolve("link"), Path.of("src/Main.java"));
			Files.createSymbolicLink(work.resolve("away"), Path.of("/etc/passwd"));
			Files.writeString(work.resolve("run.sh"), "#!/bin/sh\n");
			assertThat(work.resolve("run.sh").toFile().setExecutable(true)).isTrue();
			Files.writeString(work.resolve("dos.txt"), "a\r\nb\r\n");
			Files.writeString(work.resolve("eol.txt"), "a\nb\n");
			Files.writeString(work.resolve("id.txt"), "$Id$\n");
			Files.writeString(work.resolve("big.bin"),
					"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
			CheckoutTests.this.repository.commit(".gitattributes",
					"eol.txt text eol=crlf\nid.txt ident\n*.bin filter=lfs -text\n", "Add files");
			CheckoutTests.this.repository.publish();
			Path root = acquire("").root();
			assertThat(Files.readSymbolicLink(root.resolve("link"))).hasToString("src/Main.java");
			assertThat(Files.readSymbolicLink(root.resolve("away"))).hasToString("/etc/passwd");
			assertThat(root.resolve("run.sh")).isExecutable();
			assertThat(root.resolve("dos.txt")).hasBinaryContent("a\r\nb\r\n".getBytes());
			assertThat(root.resolve("eol.txt")).hasBinaryContent("a\r\nb\r\n".getBytes());
			assertThat(root.resolve("id.txt")).hasContent("$Id$\n");
			assertThat(root.resolve("big.bin")).content().startsWith("version https://git-lfs");
			assertThat(GitProgram.run(root, "status", "--porcelain")).isEmpty();
		}

		@Test
		void checkoutsAreIndependent() throws IOException {
			GitWorkspaceProvider provider = provider();
			Workspace first = acquire(provider, CheckoutTests.this.repository.hint());
			Workspace second = acquire(provider, CheckoutTests.this.repository.hint());
			Files.writeString(first.root().resolve("README.md"), "changed");
			assertThat(second.root().resolve("README.md")).hasContent("# shop\n");
			provider.release(first.id());
			assertThat(first.root().getParent()).doesNotExist();
			assertThat(second.root()).isDirectory();
		}

		@Test
		void checkedOutFilesAreReadableThroughWorkspaceFiles() {
			Workspace workspace = acquire("");
			WorkspaceFiles files = new LocalWorkspaceFilesFactory(
					LocalFilesOptions.DEFAULTS.withStateDirectory(CheckoutTests.this.base))
				.open(workspace);
			assertThat(files.tryReadFile("README.md").value().content()).isEqualTo("# shop\n");
		}

		@Test
		void pointersOfGitLfsAreKeptAndCounted() throws IOException {
			Path work = CheckoutTests.this.repository.work();
			String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 10000000000\n";
			assertThat(acquire("").metadata()).doesNotContainKey("git.lfs");
			for (int i = 0; i < 3; i++) {
				Files.writeString(work.resolve("large-" + i + ".bin"), pointer.formatted(i));
			}
			Files.writeString(work.resolve("no-pointer.bin"), "version 3 of what is long enough to be one\n");
			CheckoutTests.this.repository.commit("assets/.gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n",
					"Add what is elsewhere");
			CheckoutTests.this.repository.publish();
			Workspace workspace = acquire(provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE),
					CheckoutTests.this.repository.hint());
			assertThat(workspace.metadata()).containsEntry("git.lfs", "pointers 3");
			assertThat(workspace.root().resolve("large-1.bin")).hasContent(pointer.formatted(1));
			assertThat(history(workspace).diff().value()).isEmpty();
		}

		@Test
		void submodulesAreSkippedAndCounted() throws IOException {
			Path work = CheckoutTests.this.repository.work();
			GitProgram.run(work, "update-index", "--add", "--cacheinfo",
					"160000," + CheckoutTests.this.repository.id("main") + ",lib");
			GitProgram.run(work, "commit", "-q", "-m", "Add a submodule");
			CheckoutTests.this.repository.publish();
			Workspace workspace = acquire("");
			assertThat(workspace.metadata()).containsEntry("git.submodules", "skipped 1");
			assertThat(workspace.root().resolve("lib")).isEmptyDirectory();
			assertThat(history(workspace).diff().value()).isEmpty();
		}

		@Test
		void readOnlyRequestGetsReadOnlyWorkspace() {
			Workspace workspace = provider().acquire(WorkspaceRequest.readOnly(CheckoutTests.this.repository.hint()));
			assertThat(workspace.writable()).isFalse();
		}

	}

	@Nested
	class GitInTheCheckout {

		@Test
		void gitWorksInTheCheckout() throws IOException {
			Path root = acquire("#one").root();
			assertThat(GitProgram.run(root, "status", "--short", "--branch")).isEqualTo("## one...origin/one");
			assertThat(GitProgram.run(root, "log", "--format=%s")).isEqualTo("Branch off one\nAdd Main\nBegin");
			assertThat(GitProgram.run(root, "log", "-1", "--format=%s", "origin/two")).isEqualTo("Branch off two");
			Files.writeString(root.resolve("README.md"), "changed\n");
			assertThat(GitProgram.run(root, "diff", "--stat")).contains("README.md");
			GitProgram.run(root, "commit", "-q", "-a", "-m", "Change");
			assertThat(GitProgram.run(root, "log", "-1", "--format=%s")).isEqualTo("Change");
			assertThat(GitProgram.run(root, "fsck")).doesNotContain("error");
		}

		@Test
		void gitInTheCheckoutDoesNotChangeTheStore() throws IOException {
			GitWorkspaceProvider provider = provider();
			Path root = acquire(provider, CheckoutTests.this.repository.hint()).root();
			Map<String, String> before = snapshot(state().resolve("stores"));
			Files.writeString(root.resolve("README.md"), "changed\n");
			GitProgram.run(root, "commit", "-q", "-a", "-m", "Change");
			GitProgram.run(root, "branch", "-f", "five", "HEAD");
			GitProgram.run(root, "update-ref", "refs/remotes/origin/main", "HEAD");
			GitProgram.run(root, "config", "core.hooksPath", "/tmp");
			GitProgram.run(root, "gc", "-q", "--prune=now");
			assertThat(snapshot(state().resolve("stores"))).isEqualTo(before);
			assertThat(acquire(provider, CheckoutTests.this.repository.hint()).root().resolve("README.md"))
				.hasContent("# shop\n");
		}

		@Test
		void gitInTheCheckoutSeesCommitsUpToTheDepth() throws IOException {
			Workspace workspace = acquire(provider(options().withDepth(1), GitCredentials.NONE),
					CheckoutTests.this.repository.hint() + "#one");
			assertThat(GitProgram.run(workspace.root(), "log", "--format=%s")).isEqualTo("Branch off one");
			Files.writeString(workspace.root().resolve("README.md"), "changed\n");
			assertThat(history(workspace).commit("Change").value()).hasSize(40);
			assertThat(history(workspace).push("shallow").isOk()).isTrue();
			assertThat(GitProgram.run(CheckoutTests.this.repository.bare(), "log", "--format=%s", "shallow"))
				.isEqualTo("Change\nBranch off one\nAdd Main\nBegin");
		}

	}

	@Test
	void gitDaemonIsSupported() throws IOException {
		GitDaemon daemon = closing(new GitDaemon(this.base));
		GitWorkspaceProvider provider = provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE);
		Workspace workspace = acquire(provider, "git:" + daemon.url() + "/shop.git#one");
		assertThat(workspace.root().resolve("branch.txt")).hasContent("one\n");
		Files.writeString(workspace.root().resolve("branch.txt"), "changed\n");
		assertThat(history(workspace).commit("Change").isOk()).isTrue();
		assertThat(history(workspace).push("by-daemon").isOk()).isTrue();
		assertThat(acquire(provider, "git:" + daemon.url() + "/shop.git#by-daemon").root().resolve("branch.txt"))
			.hasContent("changed\n");
	}

}
