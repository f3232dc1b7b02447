package io.kairo.workspace.local.disk;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent;
import io.kairo.api.workspace.tck.WorkspaceAttackKit;
import io.kairo.workspace.local.LocalFilesOptions;

/**
 * Attack tests for the disk store.
 */
class DiskFilesAttackTests extends WorkspaceAttackKit {

	@Override
	protected FileAgent createAgent(Path root, WritePolicy policy) {
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withWritePolicy(policy);
		return FileAgent.of(new LocalWorkspaceFilesFactory(options).open(TestWorkspaces.of(root)));
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new LinkedHashMap<>();
		for (String id : List.of("swap-while-restoring", "restore-through-link", "trash-by-path", "trash-of-tenant",
				"full-trash")) {
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
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "On files", "disk");
	}

}
