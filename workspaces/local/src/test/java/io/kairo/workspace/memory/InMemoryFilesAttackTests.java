package io.kairo.workspace.memory;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.Declared;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent;
import io.kairo.api.workspace.tck.WorkspaceAttackKit;

/**
 * Attack tests for the store in memory.
 */
class InMemoryFilesAttackTests extends WorkspaceAttackKit {

	@Override
	protected FileAgent createAgent(Path root, WritePolicy policy) {
		return FileAgent.of(new InMemoryWorkspaceFiles(policy));
	}

	@Override
	protected boolean onDisk() {
		return false;
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new LinkedHashMap<>();
		attacks().stream()
			.filter((attack) -> attack.group() == AttackGroup.LINKS || attack.group() == AttackGroup.RACE)
			.forEach((attack) -> declared.put(attack.id(), Declared.absent("only this JVM can reach files in memory")));
		declared.put("protected-by-link", Declared.absent("there are no links"));
		for (String id : List.of("trash-by-path", "trash-of-tenant", "full-trash")) {
			declared.put(id, Declared.absent("only the tools have a trash"));
		}
		for (String id : List.of("swap-while-undoing", "undo-through-link", "commit-through-link",
				"swap-while-committing", "undo-by-path", "undo-of-tenant")) {
			declared.put(id, Declared.absent("only what sessions of tools change is recorded"));
		}
		return declared;
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "On files", "memory");
	}

}
