package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the history of a checkout in which the agent commits with the program
 * {@code git}: diffs and commits are based on the files and on earlier commits of the
 * history.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class AgentCommitsTests extends ClientTests {

	private WorkspaceHistory history;

	private Path root;

	@BeforeEach
	void acquire() {
		Workspace workspace = acquire(provider(), this.repository.hint());
		this.history = history(workspace);
		this.root = workspace.root();
	}

	private String git(String... arguments) throws IOException {
		return GitProgram.run(this.root, arguments);
	}

	private void commitByGit(String file) throws IOException {
		Files.writeString(this.root.resolve(file), file + "\n");
		git("add", "-A");
		git("commit", "-q", "-m", "By the agent: " + file);
	}

	/**
	 * Returns the subjects of the commits of a branch in the remote that {@code main}
	 * does not have, the latest first.
	 */
	private String pushed(String branch) throws IOException {
		return GitProgram.run(this.repository.bare(), "log", "--format=%s", "main.." + branch);
	}

	@Test
	void commitsOfTheAgentArePushedAsOneCommitOfTheHistory() throws IOException {
		commitByGit("a.txt");
		commitByGit("b.txt");
		assertThat(this.history.diff().value()).contains("+a.txt", "+b.txt");
		assertThat(this.history.commit("Add both").isOk()).isTrue();
		assertThat(this.history.diff().value()).isEmpty();
		assertThat(this.history.push("both").isOk()).isTrue();
		assertThat(pushed("both")).isEqualTo("Add both");
		assertThat(GitProgram.run(this.repository.bare(), "rev-parse", "both^{tree}"))
			.isEqualTo(git("rev-parse", "HEAD^{tree}"));
		assertThat(GitProgram.run(this.repository.bare(), "fsck", "--full")).doesNotContain("error", "missing");
	}

	@Test
	void pushWithoutCommitOfTheHistoryFails() throws IOException {
		commitByGit("a.txt");
		assertThat(this.history.push("alone")).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
			assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.WRITE_FAILED);
			assertThat(failure.message()).endsWith("do not count: commit before pushing");
		});
		assertThat(GitProgram.run(this.repository.bare(), "branch", "--list", "alone")).isEmpty();
	}

	/**
	 * The branch of the agent moves to the commit itself.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "main", "topic/x", "" })
	void statusOfTheAgentIsCleanAfterCommitOfTheHistory(String branch) throws IOException {
		if (branch.isEmpty()) {
			git("checkout", "-q", "--detach");
		}
		else if (!branch.equals("main")) {
			git("checkout", "-q", "-b", branch);
			git("pack-refs", "--all");
		}
		Files.createDirectories(this.root.resolve("new/dir"));
		Files.writeString(this.root.resolve("new/dir/first.txt"), "first\n");
		Files.writeString(this.root.resolve("README.md"), "changed\n");
		git("add", "README.md");
		String id = this.history.commit("First\n\nWith a reason").value();
		assertThat(git("status", "--short", "--branch")).doesNotContain("\n");
		assertThat(git("rev-parse", "HEAD")).isEqualTo(id);
		assertThat(git("log", "--format=%s", "-2")).isEqualTo("First\nAdd Main");
		assertThat(git("branch", "--show-current")).isEqualTo(branch);
		assertThat(git("diff", "HEAD~1", "--stat")).contains("first.txt", "README.md");
		assertThat(git("fsck", "--full")).doesNotContain("missing", "error");
	}

	@Test
	void commitsOfTheAgentStayOnItsBranch() throws IOException {
		commitByGit("a.txt");
		Files.writeString(this.root.resolve("b.txt"), "b\n");
		this.history.commit("Add both").value();
		assertThat(git("status", "--short")).isEmpty();
		assertThat(git("log", "--format=%s", "-3")).isEqualTo("Add both\nBy the agent: a.txt\nAdd Main");
		assertThat(git("show", "--stat", "--format=")).contains("b.txt").doesNotContain("a.txt");
		Files.writeString(this.root.resolve("c.txt"), "c\n");
		this.history.commit("Add c").value();
		assertThat(git("status", "--short")).isEmpty();
		this.history.push("both").value();
		assertThat(pushed("both")).isEqualTo("Add c\nAdd both");
		assertThat(git("fsck", "--full")).doesNotContain("missing", "error");
	}

	@Test
	void commitsOfTheHistoryAreBasedOnItsOwn() throws IOException {
		Files.writeString(this.root.resolve("first.txt"), "first\n");
		this.history.commit("First").value();
		commitByGit("a.txt");
		assertThat(this.history.diff().value()).contains("+a.txt").doesNotContain("first");
		this.history.commit("Second").value();
		assertThat(git("log", "-1", "--format=%s")).as("nothing to add").isEqualTo("By the agent: a.txt");
		this.history.push("apart").value();
		assertThat(pushed("apart")).isEqualTo("Second\nFirst");
	}

	@ParameterizedTest
	@ValueSource(strings = { ".git/objects", ".git/refs/heads", ".git/refs" })
	void commitDoesNotWriteThroughLinksOfTheAgent(String place) throws IOException {
		Path outside = Files.createDirectories(this.base.resolve("outside/heads"));
		Path directory = this.root.resolve(place);
		Files.move(directory, this.root.resolve(".git/aside"));
		Files.createSymbolicLink(directory, outside);
		Files.writeString(this.root.resolve("first.txt"), "first\n");
		assertThat(this.history.commit("First").isOk()).isTrue();
		assertThat(outside).isEmptyDirectory();
		assertThat(this.history.push("linked").isOk()).isTrue();
	}

	@Test
	void resetByTheAgentRevertsFilesInNextCommit() throws IOException {
		commitByGit("a.txt");
		this.history.commit("Add a").value();
		git("reset", "-q", "--hard", "HEAD~1");
		assertThat(this.history.diff().value()).contains("deleted file mode", "-a.txt");
		this.history.commit("Remove a").value();
		this.history.push("undone").value();
		assertThat(pushed("undone")).isEqualTo("Remove a\nAdd a");
		assertThat(GitProgram.run(this.repository.bare(), "diff", "--stat", "main", "undone")).isEmpty();
	}

	@Test
	void diffOfAnotherBranchIsRelativeToAcquiredCommit() throws IOException {
		git("checkout", "-q", "-b", "elsewhere", "origin/one");
		commitByGit("a.txt");
		assertThat(this.history.diff().value()).contains("+one", "+a.txt");
		this.history.commit("Take one, too").value();
		this.history.push("elsewhere").value();
		assertThat(GitProgram.run(this.repository.bare(), "rev-parse", "elsewhere~1"))
			.isEqualTo(this.repository.id("main"));
	}

	@Test
	void historyWorksDuringUnfinishedMergeOfTheAgent() throws IOException {
		Files.writeString(this.root.resolve("README.md"), "# mine\n");
		commitByGit("a.txt");
		git("checkout", "-q", "-b", "conflicting", "HEAD~1");
		Files.writeString(this.root.resolve("README.md"), "# other\n");
		commitByGit("b.txt");
		new ProcessBuilder("git", "merge", "-q", "main").directory(this.root.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.onExit()
			.join();
		Files.createFile(this.root.resolve(".git/index.lock"));
		assertThat(this.root.resolve(".git/MERGE_HEAD")).as("mark of an unfinished merge").exists();
		assertThat(this.history.diff().value()).contains("+<<<<<<< HEAD");
		this.history.commit("Half a merge").value();
		assertThat(git("log", "-1", "--format=%s")).as("branch of the agent").isEqualTo("By the agent: b.txt");
		assertThat(this.history.push("half").isOk()).isTrue();
	}

}
