package io.kairo.workspace.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for attempts of a repository and an agent to run a program on the host. Each
 * attempt would create a mark.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class HostileRepositoryTests extends ClientTests {

	private static final List<String> HOOKS = List.of("post-checkout", "pre-commit", "prepare-commit-msg", "commit-msg",
			"post-commit", "pre-push", "reference-transaction", "post-index-change", "fsmonitor-watchman",
			"post-rewrite", "pre-auto-gc", "update", "pre-receive", "post-update");

	private Path mark;

	@BeforeEach
	void makeHostile() throws IOException {
		this.mark = this.base.resolve("mark");
		this.repository.commit("data.evil", "data\n", "Add data");
		this.repository.commit(".gitmodules",
				"[submodule \"lib\"]\n\tpath = lib\n\turl = ext::" + command() + "\n\tupdate = !" + command() + "\n",
				"Add a submodule");
		this.repository.commit(".gitattributes",
				"* filter=evil diff=evil merge=evil\nREADME.md filter=lfs\n*.evil ident\n", "Add attributes");
		this.repository.publish();
	}

	private String command() {
		return "sh -c 'touch " + this.mark + "'";
	}

	private void poison(Path gitDirectory) throws IOException {
		for (String hook : HOOKS) {
			Path file = Files.createDirectories(gitDirectory.resolve("hooks")).resolve(hook);
			Files.writeString(file, "#!/bin/sh\ntouch " + this.mark + "\n");
			assertThat(file.toFile().setExecutable(true)).isTrue();
		}
		Path included = gitDirectory.resolve("included");
		Files.writeString(included, "[core]\n\tsshCommand = " + command() + "\n");
		Files.writeString(gitDirectory.resolve("config"), """
				[core]
					repositoryformatversion = 0
					fsmonitor = %1$s
					hooksPath = %2$s/hooks
					sshCommand = %1$s
					pager = %1$s
					editor = %1$s
					askPass = %1$s
					gitProxy = %1$s
				[include]
					path = %2$s/included
				[filter "evil"]
					clean = %1$s
					smudge = %1$s
					process = %1$s
					required = true
				[filter "lfs"]
					clean = %1$s
					smudge = %1$s
				[diff]
					external = %1$s
				[diff "evil"]
					textconv = %1$s
					command = %1$s
				[merge "evil"]
					driver = %1$s
				[gpg]
					program = %1$s
				[commit]
					gpgSign = true
				[push]
					gpgSign = if-asked
				[credential]
					helper = !%1$s
				[remote "origin"]
					url = ext::%1$s
					uploadpack = %1$s
					receivepack = %1$s
				[url "ext::%1$s"]
					insteadOf = file://
				""".formatted(command(), gitDirectory));
		Files.writeString(Files.createDirectories(gitDirectory.resolve("info")).resolve("attributes"),
				"* filter=evil diff=evil\n");
		Files.writeString(gitDirectory.resolve("index"), "DIRC nonsense");
		Files.writeString(gitDirectory.resolve("HEAD"), "ref: refs/heads/../../../../etc/passwd\n");
	}

	@Test
	void historyRunsNoProgramNamedInTheCheckout() throws IOException {
		GitWorkspaceProvider provider = provider();
		Workspace workspace = acquire(provider, this.repository.hint());
		assertThat(this.mark).doesNotExist();
		poison(workspace.root().resolve(".git"));
		poison(Files.createDirectories(workspace.root().resolve("embedded/.git")));
		poison(Files.createDirectories(workspace.root().resolve("lib/.git")));
		poison(Files.createDirectories(workspace.root().resolve("bare.git")));
		Files.writeString(workspace.root().resolve("embedded/file.txt"), "inside\n");
		Files.writeString(workspace.root().resolve("data.evil"), "changed\n");
		Files.writeString(workspace.root().resolve("README.md"), "changed\n");
		WorkspaceHistory history = history(workspace);
		assertThat(history.diff().value()).contains("+changed", "embedded/file.txt").doesNotContain("embedded/.git");
		assertThat(history.commit("Change").isOk()).isTrue();
		assertThat(history.push("hostile").isOk()).isTrue();
		provider.release(workspace.id());
		assertThat(this.mark).doesNotExist();
		assertThat(GitProgram.run(this.repository.bare(), "show", "hostile:data.evil")).isEqualTo("changed");
	}

	@Test
	void gitInTheCheckoutRunsThePoisonedConfiguration() throws IOException {
		Workspace workspace = acquire(provider(), this.repository.hint());
		Path index = workspace.root().resolve(".git/index");
		byte[] usable = Files.readAllBytes(index);
		poison(workspace.root().resolve(".git"));
		Files.write(index, usable);
		Files.writeString(workspace.root().resolve(".git/HEAD"), this.repository.id("main") + "\n");
		new ProcessBuilder("git", "status").directory(workspace.root().toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.onExit()
			.join();
		assertThat(this.mark).as("the mark of a program that ran").exists();
	}

	@Test
	void historyIgnoresLinkInPlaceOfTheRepository() throws IOException {
		Workspace workspace = acquire(provider(), this.repository.hint());
		Path evil = Files.createDirectories(this.base.resolve("evil"));
		poison(evil);
		new OwnedTree(workspace.root().resolve(".git")).remove();
		Files.createSymbolicLink(workspace.root().resolve(".git"), evil);
		Files.writeString(workspace.root().resolve("new.txt"), "new\n");
		assertThat(history(workspace).commit("Add new").isOk()).isTrue();
		assertThat(history(workspace).push("linked").isOk()).isTrue();
		assertThat(this.mark).doesNotExist();
	}

	@Test
	void diffDoesNotFollowLinks() throws IOException {
		Path secret = Files.createDirectories(this.base.resolve("secret"));
		Files.writeString(secret.resolve("key.txt"), "TOP-SECRET\n");
		Workspace workspace = acquire(provider(), this.repository.hint());
		new OwnedTree(workspace.root().resolve("src")).remove();
		Files.createSymbolicLink(workspace.root().resolve("src"), secret);
		Files.createSymbolicLink(workspace.root().resolve("key"), secret.resolve("key.txt"));
		assertThat(history(workspace).diff().value()).doesNotContain("TOP-SECRET").contains("new file mode 120000");
	}

	@Test
	void diffDoesNotFollowDirectorySwappedForLink() throws Exception {
		Path secret = Files.createDirectories(this.base.resolve("secret"));
		Files.writeString(secret.resolve("Main.java"), "TOP-SECRET\n");
		Workspace workspace = acquire(provider(), this.repository.hint());
		Path source = workspace.root().resolve("src");
		Path aside = workspace.root().resolve("aside");
		AtomicBoolean over = new AtomicBoolean();
		Thread swapping = new Thread(() -> swap(source, aside, secret, over));
		swapping.start();
		try {
			for (int i = 0; i < 150; i++) {
				WorkspaceResult<String> diff = history(workspace).diff();
				if (diff instanceof WorkspaceResult.Ok<String> ok) {
					assertThat(ok.value()).doesNotContain("TOP-SECRET");
				}
			}
		}
		finally {
			over.set(true);
			swapping.join();
		}
	}

	private static void swap(Path source, Path aside, Path secret, AtomicBoolean over) {
		try {
			while (!over.get()) {
				Files.move(source, aside);
				Files.createSymbolicLink(source, secret);
				Files.delete(source);
				Files.move(aside, source);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
