package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.ParameterizedTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the history of a workspace: diff, commit and push.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class HistoryTests extends ClientTests {

	private GitWorkspaceProvider provider;

	private Workspace workspace;

	private WorkspaceHistory history;

	private Path root;

	@BeforeEach
	void acquire() {
		this.provider = provider();
		this.workspace = this.provider
			.acquire(new WorkspaceRequest(this.repository.hint(), new TenantContext("acme", "ann"), true));
		this.history = history(this.workspace);
		this.root = this.workspace.root();
	}

	private static void assertFailure(WorkspaceResult<String> result, WorkspaceErrorCode code) {
		assertThat(result).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
			assertThat(failure.code()).as(failure.message()).isEqualTo(code);
			assertThat(failure.message()).containsPattern(".: [a-z]");
		});
	}

	@Test
	void diffOfNewCheckoutIsEmpty() {
		assertThat(this.history.diff().value()).isEmpty();
	}

	@Test
	void diffHasChangedAddedAndDeletedFiles() throws IOException {
		Files.writeString(this.root.resolve("README.md"), "# changed\n");
		Files.writeString(this.root.resolve("new.txt"), "new\n");
		Files.delete(this.root.resolve("src/Main.java"));
		assertThat(this.history.diff().value()).contains("-# shop\n+# changed\n", "+++ b/new.txt", "+new\n",
				"deleted file mode", "-class Main {\n");
	}

	@Test
	void diffEqualsThatOfGit() throws IOException {
		Files.writeString(this.root.resolve("README.md"), "# changed\n");
		Files.writeString(this.root.resolve("new.txt"), "new\n");
		Files.writeString(this.root.resolve(".gitignore"), "ignored\n");
		Files.writeString(this.root.resolve("ignored"), "ignored\n");
		Files.createSymbolicLink(this.root.resolve("link"), Path.of("/etc/passwd"));
		String diff = this.history.diff().value();
		GitProgram.run(this.root, "add", "-A");
		assertThat(diff.strip()).isEqualTo(GitProgram.run(this.root, "diff", "--cached"));
	}

	@Test
	void longDiffIsTruncatedWithNote() throws IOException {
		Workspace bounded = acquire(
				provider(options().withLimits(new GitLimits(GitLimits.DEFAULTS.timeout(), 1 << 30, 1 << 30, 2000)),
						GitCredentials.NONE),
				this.repository.hint());
		Files.writeString(bounded.root().resolve("long.txt"), "a line\n".repeat(10_000));
		assertThat(history(bounded).diff().value()).hasSizeLessThan(2200)
			.endsWith("(the difference has more than 2,000 bytes and is cut here)\n");
	}

	@Test
	void diffFailsIfTimeIsOverBeforeFilesAreRead() {
		assertFailure(this.history.diff(() -> true), WorkspaceErrorCode.TOO_LARGE);
	}

	@Test
	void changesThatTogetherExceedTheBoundOfACheckoutAreNotCommitted() throws IOException {
		GitLimits limits = new GitLimits(GitLimits.DEFAULTS.timeout(), 1 << 30, 10_000, 1 << 20);
		Workspace bounded = acquire(provider(options().withLimits(limits), GitCredentials.NONE),
				this.repository.hint());
		for (String name : List.of("a", "b", "c")) {
			Files.writeString(bounded.root().resolve(name), name.repeat(4000));
		}
		assertFailure(history(bounded).commit("Too large"), WorkspaceErrorCode.TOO_LARGE);
		Files.delete(bounded.root().resolve("c"));
		assertThat(history(bounded).commit("Smaller").isOk()).isTrue();
	}

	@Test
	void interruptedCommitFails() throws IOException {
		Files.writeString(this.root.resolve("new"), "x");
		Thread.currentThread().interrupt();
		try {
			assertFailure(this.history.commit("New file"), WorkspaceErrorCode.TOO_LARGE);
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(this.history.commit("New file").value()).isNotEmpty();
	}

	@Test
	void commitHasAllChangesAndTheAuthor() throws IOException {
		Files.writeString(this.root.resolve("new.txt"), "new\n");
		String commit = this.history.commit("Add new\n").value();
		assertThat(this.history.diff().value()).isEmpty();
		assertThat(this.history.push("agent/new").value()).isEqualTo(commit);
		Path bare = this.repository.bare();
		assertThat(GitProgram.run(bare, "log", "-2", "--format=%H %an <%ae> %s", "agent/new")).isEqualTo(commit
				+ " ann <ann@acme.invalid> Add new\n" + this.repository.id("main") + " Ann <ann@example.org> Add Main");
		assertThat(GitProgram.run(bare, "show", "agent/new:new.txt")).isEqualTo("new");
		assertThat(GitProgram.run(bare, "fsck")).doesNotContain("error");
	}

	@Test
	void commitAndPushWithoutChangesFail() {
		assertFailure(this.history.commit("Nothing"), WorkspaceErrorCode.WRITE_FAILED);
		assertFailure(this.history.push("nothing"), WorkspaceErrorCode.WRITE_FAILED);
		assertFailure(this.history.commit(" \n"), WorkspaceErrorCode.WRITE_FAILED);
	}

	@Test
	void pushToExistingBranchIsConflict() throws IOException {
		Files.writeString(this.root.resolve("new.txt"), "new\n");
		this.history.commit("Add new").value();
		String before = GitProgram.run(this.repository.bare(), "rev-parse", "one", "main");
		assertFailure(this.history.push("one"), WorkspaceErrorCode.CONFLICT);
		assertFailure(this.history.push("main"), WorkspaceErrorCode.CONFLICT);
		assertThat(this.history.push("mine").isOk()).isTrue();
		assertFailure(this.history.push("mine"), WorkspaceErrorCode.CONFLICT);
		assertThat(GitProgram.run(this.repository.bare(), "rev-parse", "one", "main")).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-d", "a b", "a..b", "refs/heads/x", "HEAD", "a:b", "+main", "x.lock", "a\nb" })
	void pushToInvalidBranchNameFails(String branch) throws IOException {
		Files.writeString(this.root.resolve("new.txt"), "new\n");
		this.history.commit("Add new").value();
		if (branch.equals("+main")) {
			assertThat(this.history.push(branch).isOk()).isTrue(); // a valid name of a
																	// branch
			assertThat(GitProgram.run(this.repository.bare(), "rev-parse", "main"))
				.isEqualTo(this.repository.id("main"));
			return;
		}
		assertFailure(this.history.push(branch), WorkspaceErrorCode.INVALID_PATH);
	}

	@Test
	void readOnlyWorkspaceAllowsDiffOnly() throws IOException {
		Workspace readOnly = this.provider.acquire(WorkspaceRequest.readOnly(this.repository.hint()));
		Files.writeString(readOnly.root().resolve("new.txt"), "new\n");
		assertThat(history(readOnly).diff().value()).contains("new.txt");
		assertFailure(history(readOnly).commit("Add"), WorkspaceErrorCode.READ_ONLY);
		assertFailure(history(readOnly).push("x"), WorkspaceErrorCode.READ_ONLY);
	}

	/**
	 * Swaps files and directories for FIFOs while they are compared. Opening a FIFO
	 * blocks until another process opens its other end.
	 */
	@Test
	@Timeout(120)
	void diffIsNotBlockedByFifoSwappedIn() throws Exception {
		Path file = Files.writeString(this.root.resolve("swapped"), "x\n");
		Path directory = Files.createDirectories(this.root.resolve("below"));
		Files.writeString(directory.resolve("file"), "y\n");
		Path fifo = this.root.resolveSibling("fifo");
		assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
		AtomicBoolean over = new AtomicBoolean();
		Thread swapping = new Thread(() -> {
			Path aside = this.root.resolveSibling("aside");
			for (int i = 0; !over.get(); i++) {
				Path target = (i % 2 == 0) ? file : directory;
				boolean swapped = target.toFile().renameTo(aside.toFile()) && fifo.toFile().renameTo(target.toFile());
				for (int spin = 0; swapped && spin < i % 7 * 100; spin++) {
					Thread.onSpinWait();
				}
				assertThat(
						swapped && target.toFile().renameTo(fifo.toFile()) && aside.toFile().renameTo(target.toFile()))
					.isTrue();
			}
		});
		swapping.start();
		try {
			for (int i = 0; i < 100; i++) {
				this.history.diff(); // may fail when it meets a swapped entry
			}
		}
		finally {
			over.set(true);
			swapping.join();
		}
		assertThat(this.history.diff().value()).contains("+x", "+y");
	}

	@Test
	void historyOfReleasedWorkspaceFails() {
		this.provider.release(this.workspace.id());
		assertFailure(this.history.diff(), WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED);
	}

	@Test
	void diffHonoursLineEndAttributes() throws IOException {
		this.repository.commit(".gitattributes", "*.txt text eol=crlf\n", "Set line ends");
		this.repository.commit("dos.txt", "a\nb\n", "Add dos.txt");
		GitProgram.run(this.repository.work(), "branch", "dos");
		this.repository.publish();
		Workspace dos = acquire(this.provider, this.repository.hint() + "#dos");
		assertThat(history(dos).diff().value()).isEmpty();
		Files.writeString(dos.root().resolve("dos.txt"), "a\r\nc\r\n");
		assertThat(history(dos).diff().value()).contains(" a\n-b\n+c\n");
	}

}
