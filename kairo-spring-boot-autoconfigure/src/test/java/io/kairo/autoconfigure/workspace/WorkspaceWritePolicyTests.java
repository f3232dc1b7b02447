package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the write policy configured by {@link WorkspaceProperties}.
 */
class WorkspaceWritePolicyTests {

	@TempDir
	Path directory;

	private ApplicationContextRunner runner(String... properties) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory)
			.withPropertyValues(properties);
	}

	private static void requireWritten(ApplicationContext context, String path) {
		assertThat(write(context, path)).matches(WorkspaceResult::isOk, path + " is written");
	}

	private static void requireProtected(ApplicationContext context, String path) {
		assertThat(write(context, path)).as(path)
			.isInstanceOfSatisfying(WorkspaceResult.Failure.class,
					(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.PROTECTED_PATH));
	}

	private static WorkspaceResult<?> write(ApplicationContext context, String path) {
		WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class)
			.open(context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)));
		return files.apply(new Write(files.resolve(path, files.root()), new byte[1]));
	}

	@Test
	void pathsThroughWhichGitRunsCommandsAreProtectedByDefault() {
		runner().run((context) -> {
			requireProtected(context, ".git/hooks/pre-commit");
			requireProtected(context, ".git/config");
			requireProtected(context, ".GIT/Config");
			requireProtected(context, ".git/modules/lib/hooks/post-checkout");
			requireWritten(context, ".git/HEAD");
			requireWritten(context, "src/Main.java");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "lib/.git/hooks/pre-commit", "lib/.git/config", "lib/.git", "lib/.git/config.worktree",
			".git/commondir", ".git/worktrees/x/commondir", ".git/rebase-merge/git-rebase-todo",
			".git/rebase-apply/strategy", ".git/sequencer/opts", "a/b/.git/modules/c/config" })
	void pathsThroughWhichGitRunsCommandsAreProtectedAtAnyDepthByDefault(String path) {
		runner().run((context) -> requireProtected(context, path));
	}

	@Test
	void writesDoNotMakeABareRepositoryByDefault() {
		runner().run((context) -> {
			requireWritten(context, "lib/config");
			requireWritten(context, "lib/HEAD");
			requireWritten(context, "lib/objects/info/packs");
			requireProtected(context, "lib/refs/heads/main");
		});
	}

	@Test
	void configuredProtectedPathsReplaceTheDefaults() {
		runner("kairo.workspace.protected-paths=build,src/secret").run((context) -> {
			requireProtected(context, "build/file");
			requireProtected(context, "src/secret");
			requireWritten(context, ".git/hooks/pre-commit");
			requireWritten(context, "src/Main.java");
		});
	}

	@Test
	void emptyProtectedPathsProtectNothing() {
		runner("kairo.workspace.protected-paths=").run((context) -> requireWritten(context, ".git/config"));
	}

	@Test
	void writesAreRestrictedToAllowedPrefixes() {
		runner("kairo.workspace.allowed-prefixes=src,docs/notes").run((context) -> {
			requireWritten(context, "src/Main.java");
			requireWritten(context, "docs/notes/today.md");
			requireProtected(context, "docs/other.md");
			requireProtected(context, "pom.xml");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "protected-paths=../x", "protected-paths=/etc", "allowed-prefixes=a/../b",
			"allowed-prefixes=src/", "protected-paths=a/./b", "protected-paths=**/*.pem", "protected-paths=a/**" })
	void pathsNotBelowARootFailStartup(String property) {
		runner("kairo.workspace." + property).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("kairo.workspace." + property.substring(0, property.indexOf('='))));
	}

}
