package io.kairo.api.workspace.tck;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks with paths that point outside the workspace. Each path is read, listed,
 * searched, written, replaced, moved from and to, and removed.
 */
final class PathAttacks {

	private PathAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(denied("parent", "`../outside`, `a/../../outside`, `../../../etc/passwd`",
				(scene) -> List.of("../outside/secret", "../outside", "dir/../../outside/secret", "./../outside/secret",
						"dir/sub/../../../outside/secret", "..", "../../../../../etc/passwd",
						"../../../../../../../../../../etc/passwd", "dir/..//..///outside/secret")),
				denied("absolute", "`/etc/passwd`, and the path of a file outside",
						(scene) -> List.of("/etc/passwd", scene.canary().file().toString(), "/" + scene.canary().file(),
								scene.canary().directory() + "/./secret", scene.root() + "/../outside/secret",
								"//etc/passwd")),
				denied("sibling", "a directory beside whose name begins like that of the workspace: `/ws-evil`",
						PathAttacks::siblings),
				contained("home", "`~/x`, `$HOME/x`, `~root/x`: no shell expands them",
						(scene) -> literal(scene,
								List.of("~/kairo-attack", "$HOME/kairo-attack", "${HOME}/kairo-attack",
										"~root/kairo-attack"))),
				denied("url", "`file:///etc/passwd`",
						(scene) -> List.of("file:///etc/passwd", "file:/etc/passwd", "file://" + scene.canary().file(),
								"FILE:" + scene.canary().file(), "jar:file:/etc/passwd!/x")),
				denied("encoded", "`%2e%2e/`, `..%2f`, `..%c0%af`, `\\u002e\\u002e`: nobody decodes them",
						(scene) -> List.of("%2e%2e/outside/secret", "..%2foutside%2fsecret",
								"%2e%2e%2foutside%2fsecret", "..%c0%af../outside/secret",
								"\\u002e\\u002e/outside/secret", "&#46;&#46;/outside/secret",
								"\u2024\u2024/outside/secret", "..\u2215outside\u2215secret",
								"\uff0e\uff0e/outside/secret")),
				denied("backslash", "`..\\outside\\secret`",
						(scene) -> List.of("..\\outside\\secret", "dir\\..\\..\\outside\\secret", "\\etc\\passwd",
								"..\\/outside/secret")),
				denied("control-characters", "`x\\0.txt`, line ends and escapes in names",
						(scene) -> List.of("../outside/secret\0.txt", "inside\0/../../outside/secret", "\0",
								"../outside/secret\n", "\u001b]0;x\u0007/../../outside/secret", "..\r/outside/secret")),
				denied("proc", "`/proc/self/environ`, `/proc/self/root`, `/dev/fd`", PathAttacks::proc),
				contained("windows-names", "`CON`, `f::$DATA`, `\\\\host\\share`, `C:\\x`",
						(scene) -> all(scene,
								List.of("CON", "NUL.txt", "f::$DATA", "\\\\host\\share\\x", "C:\\x", "\\\\?\\C:\\x",
										"x. ", "AUX/x"))),
				denied("too-long", "a path of 4097 bytes, a name of 300, 3000 levels",
						(scene) -> List.of("d/".repeat(2049), "n".repeat(4097), "n".repeat(300),
								"d/".repeat(3000) + "x", "../".repeat(1000) + "etc/passwd")),
				new Attack<>("names-as-code", AttackGroup.OUTPUT,
						"names and texts that are code: `$(touch x);'\"`, `-rf`, `--pre=sh`, `*`",
						AttackOutcome.CONTAINED, PathAttacks::namesAsCode));
	}

	private static Attack<WorkspaceScene> denied(String id, String description,
			Function<WorkspaceScene, List<String>> paths) {
		return new Attack<>(id, AttackGroup.PATH, description, AttackOutcome.DENIED,
				(scene) -> all(scene, paths.apply(scene)));
	}

	private static Attack<WorkspaceScene> contained(String id, String description, Attack.Probe<WorkspaceScene> probe) {
		return new Attack<>(id, AttackGroup.PATH, description, AttackOutcome.CONTAINED, probe);
	}

	private static Finding all(WorkspaceScene scene, List<String> paths) throws IOException {
		assertThat(Files.readString(scene.canary().file())).as("secret to be found").contains(scene.canary().secret());
		Finding finding = Finding.HELD;
		for (String path : paths) {
			if (scene.everything(path) == Finding.BROKEN) {
				finding = Finding.BROKEN;
			}
			scene.agent().write("inside", WorkspaceScene.INSIDE);
		}
		return finding;
	}

	private static List<String> siblings(WorkspaceScene scene) {
		try {
			Path evil = Files.createDirectory(scene.beside("ws-evil"));
			Files.writeString(evil.resolve("secret"), scene.canary().secret());
			return List.of(evil + "/secret", "../ws-evil/secret", "-evil/secret", scene.root() + "-evil/secret");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> proc(WorkspaceScene scene) {
		assertThat(new File("/proc/self/environ")).as("target of the attack").exists();
		return List.of("/proc/self/root" + scene.canary().file(), "/proc/self/cwd/../../../../../../etc/passwd",
				"/proc/1/root/etc/passwd", "/dev/fd/../../etc/passwd", "proc/self/root/etc/passwd");
	}

	private static Finding literal(WorkspaceScene scene, List<String> paths) throws IOException {
		Finding finding = all(scene, paths);
		File file = new File(System.getProperty("user.home"), "kairo-attack");
		return file.exists() ? scene.found(Finding.BROKEN, file + " exists") : finding;
	}

	private static Finding namesAsCode(WorkspaceScene scene) throws IOException {
		Finding finding = Finding.HELD;
		for (String name : List.of("$(touch x);'\"", "`touch x`", "-rf", "--pre=touch x", "* x", "x; touch x", "-")) {
			FileAgent agent = scene.agent();
			assertThat(agent.write(name, name).done()).as("writing %s", name).isTrue();
			boolean found = agent.read(name).text().contains(name) && agent.find(".", name).done()
					&& agent.list(".").text().contains(name.substring(1));
			boolean ran = agent.read("x").done();
			if (!found || ran) {
				finding = scene.found(Finding.BROKEN, name);
			}
		}
		return finding;
	}

}
