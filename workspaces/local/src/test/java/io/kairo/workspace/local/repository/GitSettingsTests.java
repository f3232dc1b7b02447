package io.kairo.workspace.local.repository;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GitSettings}.
 */
class GitSettingsTests {

	private static boolean isHarmless(String text) {
		GitConfig config = Objects
			.requireNonNull(GitConfig.parse(text.replace("|", "\n").getBytes(StandardCharsets.ISO_8859_1)));
		assertThat(config.settings()).isNotEmpty();
		Set<String> remotes = GitSettings.remotes(config.settings(), List.of());
		return config.settings().stream().allMatch((setting) -> GitSettings.isHarmless(setting, remotes));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[core]|repositoryformatversion = 0|filemode = true|bare = false|logallrefupdates = true",
			"[user]|name = Ann|email = a@b", "[remote \"o\"]|url = https://host/x.git|fetch = +refs/heads/*:refs/x/*",
			"[remote \"o\"]|url = git@host:team/x.git|pushurl = ssh://git@host:22/x", "[remote \"o\"]|url = host.org:x",
			"[remote \"o\"]|url = https://u:p@host/x|[branch \"main\"]|remote = o|merge = refs/heads/main",
			"[branch \"main\"]|remote = .|rebase = true", "[branch \"main\"]|vscode-merge-base = origin/main",
			"[branch \"main\"]|github-pr-owner-number = a#b#1",
			"[submodule \"lib\"]|url = https://host/lib|active = true", "[init]|defaultBranch = main", "[pull]|rebase",
			"[color]|ui = never", "[commit]|gpgsign = false", "[gc]|auto = 0", "[http]|postBuffer = 1",
			"[lfs]|repositoryformatversion = 0|[lfs \"https://host/x\"]|access = basic",

			"[core]|sharedRepository = group", "[extensions]|objectFormat = sha256",
			"[remote \"o.x/y-z+1\"]|url = https://h/x" })
	void settingThatRunsNothingIsHarmless(String text) {
		assertThat(isHarmless(text)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[core]|fsmonitor = x", "[CORE]|HooksPath = x", "[core]|sshCommand = x",
			"[core]|editor = x", "[core]|pager = x", "[core]|gitProxy = x", "[core]|askPass = x",
			"[core]|alternateRefsCommand = x", "[core]|worktree = /srv", "[core]|worktree = ../lib",
			"[core]|attributesFile = x", "[core]|protectHFS = false", "[core]|protectNTFS = false",
			"[core]|excludesFile = x", "[include]|path = x", "[includeIf \"gitdir:x\"]|path = x", "[alias]|st = !x",
			"[filter \"a\"]|clean = x", "[diff]|external = x", "[diff \"a\"]|textconv = x", "[diff]|submodule = diff",
			"[diff \"a\"]|algorithm = x", "[merge \"a\"]|driver = x", "[url \"x\"]|insteadOf = y",
			"[credential]|helper = !x", "[gpg]|program = x", "[gpg \"ssh\"]|defaultKeyCommand = x", "[pager]|log = x",
			"[protocol]|allow = always", "[sequence]|editor = x", "[interactive]|diffFilter = x",
			"[hook \"a\"]|command = x", "[remote \"o\"]|url = https://h/x|uploadpack = x",
			"[remote \"o\"]|url = https://h/x|vcs = x", "[remote \"o\"]|url = https://h/x|proxy = x",
			"[remote \"o\"]|url = https://h/x|receivepack = x", "[remote \"o\"]|url = ext::sh -c x",
			"[remote \"o\"]|url = x::y", "[remote \"o\"]|url = -x", "[remote \"o\"]|url = ftp://x",
			"[remote \"o\"]|url", "[remote \"o\"]|url = ssh://-oProxyCommand=x/y",
			"[remote \"o\"]|url = ssh://a@-oProxyCommand=x/y", "[remote \"o\"]|url = ssh://%2DoProxyCommand=x/y",
			"[remote \"o\"]|url = -o:x", "[remote \"o\"]|url = a@-o:x", "[remote \"o\"]|url = host:-x",
			"[remote \"o\"]|url = /srv/x", "[remote \"o\"]|url = ../x", "[remote \"o\"]|url = x",
			"[remote \"o\"]|url = ./a:b", "[remote \"o\"]|url = file:///srv/x", "[remote \"o\"]|url = C:/x",
			"[remote \"o\"]|url = https://h/\u0001", "[remote \"o\"]|url = https://h/x|mirror = true",
			"[branch \"main\"]|remote = ext::sh -c x", "[branch \"main\"]|remote = evil", "[branch \"m\"]|remote = ./x",
			"[branch \"m\"]|remote", "[remote]|pushDefault = evil", "[remote]|pushDefault = .",
			"[remote \"o\"]|url = https://h/x|[branch \"m\"]|pushRemote = O", "[branch \"main\"]|mergeOptions = -s x",
			"[submodule \"a\"]|update = !x", "[submodule \"a\"]|update = rebase", "[submodule \"a\"]|url = ext::x",
			"[submodule \"a\"]|url = ../lib", "[submodule]|recurse = true", "[gc]|recentObjectsHook = x",
			"[uploadpack]|packObjectsHook = x", "[trailer \"a\"]|command = x", "[init]|templateDir = x",
			"[http]|proxy = x", "[pull]|twohead = x", "[unknown]|key = x", "[core \"x\"]|bare = false",
			"[core]|sharedRepository = world", "[core]|sharedRepository = 0666", "[transfer]|fsckObjects = false",
			"[fetch]|fsckObjects = false", "[receive]|denyCurrentBranch = updateInstead",
			"[extensions]|worktreeConfig = true", "[extensions]|partialClone = evil",
			"[extensions]|refStorage = reftable:///x", "[gitflow \"path\"]|hooks = x", "[gitflow]|origin = ./x",
			"[gitflow \"prefix\"]|feature = $(x)", "[commit]|gpgsign", "[commit]|gpgsign = true",
			"[remote \"o\"]|url = https://h/x|tagOpt = --upload-pack=x", "[format]|pretty = %w(2147483647)",
			"[lfs]|customtransfer = x", "[lfs \"customtransfer.a\"]|path = x", "[lfs \"x\"]|access = x",
			"[remote \"--upload-pack=touch x;\"]|url = https://h/x", "[remote \"-x\"]|fetch = x",
			"[remote \"a b\"]|url = https://h/x", "[submodule \"-x\"]|active = true", "[remote \"\"]|url = https://h/x",
			"[remote \"o\"]|url = https://h/x|promisor = true", "[remote \"o\"]|fetch = x",
			"[remote \"o\"]|url = https://h/x|partialCloneFilter = blob:none", "[extensions]|partialClone = o",
			"[gitflow]|origin = o", "[gitflow \"branch\"]|master = -x", "[gitflow \"branch\"]|master" })
	void settingThatMayRunSomethingIsNot(String text) {
		assertThat(isHarmless(text)).isFalse();
	}

	@Test
	void settingThatGitMayCutIsNotHarmless() {
		assertThat(isHarmless("[user]|name = " + "x".repeat(400))).isTrue();
		assertThat(isHarmless("[user]|name = " + "x".repeat(500))).isFalse();
		assertThat(isHarmless("[branch \"" + "x".repeat(500) + "\"]|merge = x")).isFalse();
	}

}
