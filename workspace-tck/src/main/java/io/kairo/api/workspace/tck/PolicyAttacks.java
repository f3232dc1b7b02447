package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
