package io.kairo.api.sandbox.tck;

import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two commands in a row: the first revokes the access to a directory above protected
 * paths, so that nothing can be mounted below it, and the second one grants it again.
 * Without protection they have to succeed. The second command has to run: a sandbox that
 * refused it would refuse every command in this workspace from then on.
 */
final class RevokedAccessProbe implements Attack.Probe<SandboxScene> {

	private static final List<String> REVOKE = List.of("chmod 0 .git", "chmod 600 .git", "chmod 077 .git");

	private static final String GRANT = "chmod 755 .git; echo evil > .git/hooks/pre-commit;"
			+ " printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config";

	@Override
	public Finding attempt(SandboxScene scene) throws Exception {
		Finding finding = Finding.HELD;
		for (String revoke : REVOKE) {
			scene.reset();
			ProtectedProbe.prepare(scene);
			scene.attack(revoke);
			scene.attack(GRANT);
			assertThat(ProtectedProbe.isTampered(scene.workspace())).as("success without protection: %s", revoke)
				.isTrue();
			scene.reset();
			ProtectedProbe.prepare(scene);
			if (!run(scene, revoke) || !run(scene, GRANT) || ProtectedProbe.isTampered(scene.workspace())) {
				finding = scene.found(Finding.BROKEN, revoke);
			}
		}
		return finding;
	}

	private static boolean run(SandboxScene scene, String command) {
		return ProtectedProbe.runProtected(scene, "{ " + command + "\n} 2>/dev/null; echo x > own; echo ran");
	}

}
