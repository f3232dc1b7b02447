package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxCapability;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks on files that make other programs run a command later. All except the last one
 * are run twice: with these files protected, and without protection, where they have to
 * succeed.
 */
final class ConfigAttacks {

	/** The bits of a file that runs with the rights of its owner or group. */
	private static final int SET_IDS = 06000;

	private ConfigAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(denied("write-hook", "writes, replaces, links or removes `.git/hooks`",
				new ProtectedProbe("echo evil > .git/hooks/pre-commit", "rm -rf .git/hooks",
						"echo evil > h; mv h .git/hooks/pre-commit", "echo evil >> .git/hooks/kept",
						"ln -s /bin/true .git/hooks/pre-commit", "chmod 777 .git/hooks/kept; : > .git/hooks/kept",
						"cd .git/hooks; echo evil > pre-commit", "rm -rf .git")),
				denied("rename-above",
						"renames the directory above and creates it again: `mv .git g; mkdir -p .git/hooks`",
						new ProtectedProbe("mv .git g; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
								"mv .git g; cp -r g .git; echo evil > .git/hooks/pre-commit",
								"mv .git g; mkdir x; ln -s x .git; mkdir .git/hooks; echo evil > .git/hooks/pre-commit")),
				denied("revoke-access",
						"revokes the access to the directory above, and grants it again in the next command: `chmod 0 .git`",
						new RevokedAccessProbe()),
				denied("git-config", "sets `core.fsmonitor` or `core.hooksPath`",
						new ProtectedProbe("printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config",
								"cp .git/config c; echo evil >> c; mv c .git/config",
								"git config core.hooksPath evil || echo evil >> .git/config",
								"sed -i s/kept/evil/ .git/config")),
				new Attack<>("git-redirect", AttackGroup.CONFIG,
						"leaves what makes Git read another configuration: `.git/commondir`, or `HEAD`, `objects` and `refs` in the workspace",
						AttackOutcome.CONTAINED,
						new ProtectedProbe("echo ../evil > .git/commondir", "ln -s ../evil .git/commondir",
								"echo ../evil > c; mv c .git/commondir; chmod 555 .git",
								"echo ../evil > .git/commondir; chmod 333 .git",
								"mkdir objects refs; echo 'ref: refs/heads/x' > HEAD; echo evil > config",
								"mkdir -p objects refs evil/refs; ln -s refs/heads/x HEAD; echo evil > commondir")),
				denied("nested-repository", "leaves a repository in a subdirectory: `lib/.git/config`",
						new ProtectedProbe("mkdir -p lib/.git/hooks; echo evil > lib/.git/hooks/pre-commit")),
				denied("rebase-todo", "leaves commands for the next `git rebase --continue`",
						new ProtectedProbe(
								"mkdir .git/rebase-merge; echo 'exec evil' > .git/rebase-merge/git-rebase-todo")),
				denied("make-missing", "creates a missing protected file, such as `.claude/settings.json`",
						new ProtectedProbe("mkdir -p .claude; echo evil > .claude/settings.json",
								"mkdir x; echo evil > x/settings.json; mv x .claude", "echo evil > .envrc",
								"ln -s /bin/true .envrc",
								"mkdir x; ln -s x .claude; echo evil > .claude/settings.json")),
				denied("protected-hard-link", "changes a protected file by another name",
						new ProtectedProbe("ln .git/config c; echo evil >> c", "cp -l .git/config c; echo evil >> c")),
				denied("protected-is-link", "replaces a protected path with a link before the command starts",
						ConfigAttacks::protectedIsLink),
				new Attack<>("swap-while-launching", AttackGroup.RACE,
						"swaps a directory above a protected path for a link outside while commands are launched",
						AttackOutcome.DENIED, new LaunchRace()),
				new Attack<>("swap-from-above", AttackGroup.RACE,
						"swaps it from a command in the directory above, as quickly as possible", AttackOutcome.DENIED,
						new SwapFromAbove()),
				new Attack<>("setuid-copy", AttackGroup.CONFIG, "leaves a setuid copy of a shell, or a device",
						AttackOutcome.CONTAINED, ConfigAttacks::setuidCopy));
	}

	private static Attack<SandboxScene> denied(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.CONFIG, description, AttackOutcome.DENIED, probe);
	}

	private static Finding protectedIsLink(SandboxScene scene) throws IOException {
		ProtectedProbe.prepare(scene);
		Path target = Files.createDirectory(scene.workspace().resolve("elsewhere"));
		Files.createSymbolicLink(scene.workspace().resolve(".claude"), Path.of("elsewhere"));
		String write = "echo evil > .claude/settings.json; echo ran";
		assertThat(scene.run(write).out()).isEqualTo("ran\n");
		assertThat(target.resolve("settings.json")).as("the file written without protection").hasContent("evil\n");
		Files.delete(target.resolve("settings.json"));
		boolean held = ProtectedProbe.runProtected(scene, write) ? !Files.exists(target.resolve("settings.json"))
				: scene.trial().claims(SandboxCapability.PROTECTED_PATHS);
		return scene.found(Finding.heldIf(held), write);
	}

	private static Finding setuidCopy(SandboxScene scene) throws IOException {
		scene.attack("cp /usr/bin/id planted; chmod 6755 planted; ./planted; mknod d c 1 3; mknod b b 7 0");
		assertThat(scene.workspace().resolve("planted")).exists();
		Object owner = Files.getAttribute(scene.workspace().resolve("planted"), "unix:uid", LinkOption.NOFOLLOW_LINKS);
		Object mode = Files.getAttribute(scene.workspace().resolve("planted"), "unix:mode", LinkOption.NOFOLLOW_LINKS);
		boolean root = owner.equals(0) && ((int) mode & SET_IDS) != 0;
		boolean device = Files.exists(scene.workspace().resolve("d")) || Files.exists(scene.workspace().resolve("b"));
		return scene.found(Finding.heldIf(!root && !device),
				"the owner of the copy is " + owner + ", its mode " + Integer.toOctalString((int) mode));
	}

}
