package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks through changes to protected files that cause the later execution of programs.
 */
final class PolicyAttacks {

	private PolicyAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(
				denied("write-hook", "writes `.git/hooks/pre-commit`, `.git/config`",
						(scene) -> writes(scene, ".git/hooks/pre-commit", ".git/config", ".git/hooks",
								"./.git//hooks/pre-commit", "dir/../.git/hooks/pre-commit")),
				denied("make-missing", "makes a protected file that is not there, such as `.claude/settings.json`",
						(scene) -> writes(scene, ".claude/settings.json", ".claude", ".claude/x/y")),
				denied("nested-repository",
						"makes a repository of its own below: `lib/.git/config`, `lib/.git/hooks`, a directory moved to `lib/.git`",
						PolicyAttacks::nested),
				denied("redirected-repository",
						"makes Git read another directory: a file `lib/.git`, `.git/commondir`, `.git/worktrees`",
						(scene) -> writes(scene, "dir/.git", "dir/sub/.git", ".git/commondir", "dir/.git/commondir",
								".git/worktrees/x/commondir", ".git/worktrees/x/config.worktree")),
				denied("bare-repository",
						"makes a directory that Git takes for a repository: `HEAD`, `config`, `objects/` and `refs/`, or `commondir`",
						PolicyAttacks::bare),
				denied("rebase-todo", "leaves commands for the next `git rebase --continue`",
						(scene) -> writes(scene, ".git/rebase-merge/git-rebase-todo",
								"dir/.git/rebase-merge/git-rebase-todo", ".git/rebase-apply/x", ".git/sequencer/opts")),
				denied("rename-above", "moves something to where a protected path is to be",
						PolicyAttacks::renameAbove),
				new Attack<>("spelling", AttackGroup.CONFIG,
						"spells a protected path otherwise: `.GIT/hooks`, `GIT~1`, `.git.`, `.g\u200cit`",
						AttackOutcome.CONTAINED,
						(scene) -> twins(scene, ".GIT/hooks/x", ".git./hooks/x", "GIT~1/hooks/x", ".git /hooks/x",
								".g\u200cit/hooks/x", ".git::$INDEX_ALLOCATION/hooks/x", ".Git\\hooks\\x")),
				new Attack<>("normal-forms", AttackGroup.CONFIG,
						"spells a protected name in another normal form of Unicode", AttackOutcome.CONTAINED,
						(scene) -> twins(scene, "cafe\u0301/x", "CAF\u00c9/x")),
				denied("protected-by-link", "writes to a protected path through a link", PolicyAttacks::throughLink));
	}

	private static Attack<WorkspaceScene> denied(String id, String description, Attack.Probe<WorkspaceScene> probe) {
		return new Attack<>(id, AttackGroup.CONFIG, description, AttackOutcome.DENIED, probe);
	}

	private static Finding writes(WorkspaceScene scene, String... paths) {
		assertThat(scene.agent().write(".gitignore", "x").done()).as("writing an unprotected file").isTrue();
		Finding finding = Finding.HELD;
		for (String path : paths) {
			if (scene.agent().write(path, "evil").done()) {
				finding = scene.found(Finding.BROKEN, path);
			}
		}
		return finding;
	}

	private static Finding nested(WorkspaceScene scene) {
		FileAgent agent = scene.agent();
		agent.write("g/hooks/pre-commit", "evil");
		agent.write("g/config", "evil");
		agent.move("g", "dir/.git");
		agent.move("g/hooks", "dir/.git/hooks");
		agent.write("h/lib/git/config", "evil");
		agent.move("h/lib/git", "h/lib/.git");
		agent.move("h", "dir/h");
		Finding written = writes(scene, "dir/.git/hooks/pre-commit", "dir/.git/config", "dir/sub/.git/config",
				"new/.git/config.worktree", "dir/.git/modules/x/config", "dir/.GIT/hooks/x");
		boolean created = Stream.of("dir/.git/hooks/pre-commit", "dir/.git/config", "dir/h/lib/.git/config")
			.anyMatch((path) -> agent.read(path).done());
		return created ? scene.found(Finding.BROKEN, "a repository was made by moving directories") : written;
	}

	/**
	 * Writes the parts of a repository, each of them last in one of the directories.
	 */
	private static Finding bare(WorkspaceScene scene) {
		FileAgent agent = scene.agent();
		Finding finding = Finding.HELD;
		for (List<String> repository : List.of(List.of("config", "hooks/pre-commit", "HEAD", "objects/x", "refs/x"),
				List.of("HEAD", "commondir"))) {
			for (int last = 0; last < repository.size(); last++) {
				List<String> parts = new ArrayList<>(repository);
				parts.add(parts.remove(last));
				String directory = "bare" + parts.size() + last + "/";
				parts.forEach((part) -> agent.write(directory + part, "ref: refs/heads/main"));
				if (parts.stream().allMatch((part) -> agent.read(directory + part).done())) {
					finding = scene.found(Finding.BROKEN, directory + parts);
				}
			}
		}
		return finding;
	}

	private static Finding renameAbove(WorkspaceScene scene) {
		FileAgent agent = scene.agent();
		agent.write("g/hooks/pre-commit", "evil");
		agent.write("c/settings.json", "evil");
		agent.move("g", ".git");
		agent.move("g/hooks", ".git/hooks");
		agent.move("c", ".claude");
		agent.move("g/hooks/pre-commit", ".git/hooks/pre-commit");
		boolean created = agent.read(".git/hooks/pre-commit").done() || agent.read(".claude/settings.json").done();
		return scene.found(Finding.heldIf(!created), "a protected file was created");
	}

	/**
	 * Writes to paths that resemble protected ones. Such a write may succeed if it
	 * creates another file, but must not create a protected file.
	 */
	private static Finding twins(WorkspaceScene scene, String... paths) {
		Finding finding = Finding.HELD;
		for (String path : paths) {
			scene.agent().write(path, "evil");
			if (scene.agent().read(".git/hooks/x").done() || scene.agent().read("caf\u00e9/x").done()) {
				finding = scene.found(Finding.BROKEN, path);
			}
		}
		return finding;
	}

	private static Finding throughLink(WorkspaceScene scene) throws IOException {
		if (!scene.onDisk()) {
			return Finding.ABSENT;
		}
		scene.agent().write(".git/x", "x");
		scene.link("g", Path.of(".git"));
		scene.link("h", Path.of(".git/hooks"));
		scene.link("c", Path.of(".claude"));
		assertThat(scene.agent().read("g/x").done()).as("reading through the link").isTrue();
		return writes(scene, "g/hooks/x", "h/x", "c/settings.json", "c", "h", "g/config");
	}

}
