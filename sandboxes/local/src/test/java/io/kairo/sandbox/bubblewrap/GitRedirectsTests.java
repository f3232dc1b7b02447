package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.sandbox.support.mount.GitRedirects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link GitRedirects} through commands.
 */
@RequiresBubblewrap
class GitRedirectsTests {

	private static final SandboxAttributes PROTECTED = SandboxAttributes.builder()
		.protectedPaths(List.of(".git/hooks", ".git/config", ".git/config.worktree", ".git/modules", ".git/commondir"))
		.build();

	private static final String REPOSITORY = "mkdir objects refs; echo 'ref: refs/heads/x' > HEAD";

	@RegisterExtension
	final BubblewrapFixture fixture = new BubblewrapFixture();

	private Path commondir;

	@BeforeEach
	void makeRepository() throws IOException {
		Path git = this.fixture.workspace().resolve(".git");
		Files.createDirectories(git.resolve("hooks"));
		Files.writeString(git.resolve("config"), "[core]\n\trepositoryformatversion = 0\n");
		this.commondir = git.resolve("commondir");
	}

	private void run(String command) {
		BubblewrapFixture.Outcome outcome = this.fixture.run(command + "; echo ran",
				(request) -> request.attributes(PROTECTED));
		assertThat(outcome.out()).as(outcome.err()).endsWith("ran\n");
	}

	private SandboxHandle start(String command) {
		return this.fixture.start(command, (request) -> request.attributes(PROTECTED));
	}

	private boolean exists(String path) {
		return Files.exists(this.fixture.workspace().resolve(path), LinkOption.NOFOLLOW_LINKS);
	}

	private void say(String file) throws IOException {
		Files.createFile(this.fixture.workspace().resolve(file));
	}

	private void hear(String file) {
		await().atMost(Duration.ofSeconds(60)).until(() -> exists(file));
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo ../x > .git/commondir", "ln -s /missing .git/commondir", "mkfifo .git/commondir",
			"echo ../x > .git/commondir; chmod 555 .git", "echo ../x > .git/commondir; chmod 333 .git",
			REPOSITORY + "; echo x > config", REPOSITORY + "; chmod 555 .", "ln -s refs/x HEAD; mkdir objects refs",
			"echo refs/x > HEAD; echo x > commondir; chmod 333 ." })
	void fileThatRedirectsGitIsRemovedAfterTheCommand(String command) {
		run(command + "; echo x > own");
		assertThat(this.commondir).doesNotExist();
		assertThat(exists(".git/commondir")).isFalse();
		assertThat(exists("HEAD")).isFalse();
		run("chmod 755 . .git; echo y > own");
	}

	@Test
	void gitWorksAndOtherFilesStay() {
		run("mkdir objects; echo x > HEAD; echo x > config; git status >/dev/null 2>&1; mkdir .git/commondir");
		assertThat(List.of("objects", "HEAD", "config")).allMatch(this::exists);
		run("rmdir .git/commondir; rm HEAD");
		run("set -e; mkdir -p .git/objects .git/refs; echo ref: refs/heads/main > .git/HEAD; "
				+ "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
				+ "git add config; git commit -qm one; git checkout -qb side; echo y > y; git add y; "
				+ "git commit -qm two; git rebase -q main; git status --porcelain");
	}

	@Test
	void fileThatExistsBeforeIsProtected() throws IOException {
		Files.writeString(this.commondir, "../kept\n");
		run("echo ../x > .git/commondir; rm -f .git/commondir; mv .git/commondir c");
		assertThat(this.commondir).hasContent("../kept");
	}

	@Test
	void readOnlyRootOfThatNameStaysReadOnly() throws IOException {
		Path root = Files.createDirectory(this.fixture.workspace().resolve("commondir"));
		this.fixture.runWith(
				(attributes) -> attributes.mounts(List.of(new Mount(root, "/srv/other", false)))
					.protectedPaths(List.of(".git/commondir")),
				"echo x > commondir/own; rmdir commondir; echo x > own");
		assertThat(root).isEmptyDirectory();
		assertThat(exists("own")).isTrue();
	}

	@Test
	void rootThatIsARepositoryBeforeIsProtectedLikeGitDirectory() throws IOException {
		Path workspace = this.fixture.workspace();
		Files.writeString(workspace.resolve("HEAD"), "ref: refs/heads/main\n");
		Files.createDirectories(workspace.resolve("objects"));
		Files.createDirectories(workspace.resolve("refs/heads"));
		Files.writeString(workspace.resolve("config"), "[core]\n\tbare = true\n");
		run("echo x >> config; mkdir -p hooks; echo x > hooks/pre-commit; echo x > commondir; echo x > refs/heads/own");
		assertThat(workspace.resolve("config")).hasContent("[core]\n\tbare = true");
		assertThat(List.of("HEAD", "refs/heads/own")).allMatch(this::exists);
		assertThat(List.of("hooks", "commondir")).noneMatch(this::exists);
	}

	@Test
	void fileOfAnotherRunningCommandIsRemovedAtEachEnd() throws IOException {
		String leave = "echo ../x > .git/commondir; " + REPOSITORY;
		try (SandboxHandle first = start(leave + "; touch first; until [ -e end-first ]; do sleep 0.1; done")) {
			hear("first");
			assertThat(this.commondir).exists();
			try (SandboxHandle second = start("touch second; until [ -e go ]; do sleep 0.1; done; " + leave)) {
				hear("second");
				say("end-first");
				first.exit().block(Duration.ofSeconds(60));
				assertThat(List.of(".git/commondir", "HEAD")).noneMatch(this::exists);
				say("go");
				second.exit().block(Duration.ofSeconds(60));
				assertThat(List.of(".git/commondir", "HEAD")).noneMatch(this::exists);
			}
		}
	}

}
