package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alternative commands that try to change protected paths. Without protection each of
 * them has to succeed. A sandbox that refuses requests with protected paths provides no
 * protection.
 *
 * @param ways the commands
 */
record ProtectedProbe(List<String> ways) implements Attack.Probe<SandboxScene> {

	private static final List<String> PATHS = List.of(".git/hooks", ".git/config", ".git/commondir", ".claude",
			".envrc");

	private static final String KEPT = "kept = true\n";

	ProtectedProbe(String... ways) {
		this(List.of(ways));
	}

	@Override
	public Finding attempt(SandboxScene scene) throws Exception {
		Finding finding = Finding.HELD;
		for (String way : this.ways) {
			scene.reset();
			prepare(scene);
			scene.attack(way);
			assertThat(isTampered(scene.workspace())).as("success without protection: %s", way).isTrue();
			scene.reset();
			prepare(scene);
			if (!runProtected(scene, "{ " + way + "\n} 2>/dev/null; echo x > own; echo ran")) {
				finding = scene.found(Finding.BROKEN, "refused although protected: " + way);
			}
			else if (isTampered(scene.workspace())) {
				finding = scene.found(Finding.BROKEN, way);
			}
		}
		return finding;
	}

	static void prepare(SandboxScene scene) throws IOException {
		Path git = scene.workspace().resolve(".git");
		Files.createDirectories(git.resolve("hooks"));
		Files.writeString(git.resolve("config"), KEPT);
		Files.writeString(git.resolve("hooks/kept"), KEPT);
	}

	/**
	 * Runs a command that ends with the line "ran".
	 * @return false if the sandbox cannot protect paths
	 */
	static boolean runProtected(SandboxScene scene, String command) {
		SandboxAttributes attributes = SandboxAttributes.builder().protectedPaths(PATHS).build();
		try {
			String out = scene.trial()
				.run(command, (request) -> scene.marked(Map.of()).apply(request).attributes(attributes))
				.out();
			assertThat(out).as("the attack").endsWith("ran\n");
			return true;
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST);
			return false;
		}
	}

	static boolean isTampered(Path workspace) throws IOException {
		return !isKept(workspace.resolve(".git/config")) || !isKept(workspace.resolve(".git/hooks/kept"))
				|| Stream
					.of(".git/hooks/pre-commit", ".git/commondir", ".git/rebase-merge", ".claude", ".envrc", "lib/.git")
					.anyMatch((path) -> exists(workspace, path))
				|| Stream.of("HEAD", "objects", "refs").allMatch((path) -> exists(workspace, path));
	}

	private static boolean exists(Path workspace, String path) {
		return Files.exists(workspace.resolve(path), LinkOption.NOFOLLOW_LINKS);
	}

	private static boolean isKept(Path file) throws IOException {
		return Files.isRegularFile(file) && Files.readString(file).equals(KEPT);
	}

}
