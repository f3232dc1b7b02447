package io.kairo.api.sandbox.tck;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks on files of the host.
 */
final class FileAttacks {

	private FileAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				denied("read-host-file", "reads a file outside: by its path, by `..`, by links, by descriptors",
						CommandProbe.of("cat '{secret}'", "cat ../outside/secret", "ln -s '{secret}' l; cat l",
								"ln -s ../outside l; cat l/secret", "mkdir -p a; cd a; cd -P ../../outside; cat secret",
								"exec 9<'{secret}'; cat <&9", "cat /dev/fd/9 9<'{secret}'",
								"tar -cf - -C '{outside}' secret", "cp '{secret}' copy; cat copy")),
				denied("read-host-file-by-proc", "reads it through `/proc/*/root`, `/proc/*/cwd`, `/proc/self`",
						CommandProbe.of("cat /proc/[0-9]*/root'{secret}'", "cat '/proc/self/root{secret}'",
								"cat /proc/self/cwd/../outside/secret", "cat /proc/[0-9]*/cwd/../outside/secret")),
				denied("read-host-file-as-root", "reads it by `chroot`, `nsenter` and its own namespaces",
						CommandProbe.ofRoot("chroot /proc/1/root cat '{secret}'", "nsenter -t 1 -m cat '{secret}'",
								"unshare -Urm cat '{secret}'", "unshare -m cat '{secret}'")),
				denied("mount", "mounts, binds, unmounts, remounts, and pivots its root away", CommandProbe
					.withoutControl("unshare -Urm sh -c 'mkdir m; mount --bind /proc/1/root m; cat m{secret}'",
							"unshare -Urm sh -c 'mount -t proc proc /proc; cat /proc/1/root{secret}'",
							"mkdir -p r/old; unshare -Urm sh -c 'mount --bind r r; pivot_root r r/old; cat /old{secret}'",
							"unshare -Urm sh -c 'umount -l /; umount -l .; cat {secret}'")),
				denied("hard-link", "creates a hard link to it",
						CommandProbe.of("ln '{secret}' hard; cat hard", "cp -l '{secret}' hard; cat hard")),
				denied("write-host-file", "writes outside: by path, by `..`, by links, by `/proc`", CommandProbe.of(
						"echo x > '{drop}/x'", "echo x > ../outside/drop/x", "ln -s '{drop}' l; echo x > l/x",
						"cp /bin/sh '{drop}/x'", "mkdir -p '{drop}/x/y'", "ln -s /nowhere '{drop}/x'",
						"echo x > '/proc/self/root{drop}/x'",
						"ln -s '{drop}' l; tar cf a.tar l; rm l; tar xf a.tar; echo x > l/x",
						"cd '{outside}/drop' && tar cPf /dev/stdout ../secret | (cd - && tar xPf -; cat ../secret)")),
				denied("change-attributes",
						"changes permissions and times of a file outside, without opening it: `chmod`, `touch`",
						FileAttacks::changeAttributes),
				new Attack<>("shared-tmp", AttackGroup.FILES,
						"leaves files in the world-writable directories of the host", AttackOutcome.CONTAINED,
						FileAttacks::sharedTmp),
				new Attack<>("remove-own-directory", AttackGroup.FILES,
						"removes and replaces the workspace, its current directory", AttackOutcome.CONTAINED,
						FileAttacks::removeOwnDirectory),
				denied("launcher-environment",
						"makes the launcher run its code: `LD_DEBUG_OUTPUT`, `BASH_ENV`, `ENV`, `PERL5OPT`",
						FileAttacks::launcherEnvironment));
	}

	private static Attack<SandboxScene> denied(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.FILES, description, AttackOutcome.DENIED, probe);
	}

	private static Finding changeAttributes(SandboxScene scene) throws Exception {
		Path file = scene.canary().directory().resolve("secret");
		String command = scene.in("chmod 640 '{secret}'; touch -d 2001-02-03 '{secret}'; chmod 640 ../outside/secret");
		Map<String, Object> before = Files.readAttributes(file, "unix:mode,lastModifiedTime");
		try {
			scene.plain().run(command);
			assertThat(Files.readAttributes(file, "unix:mode,lastModifiedTime")).as("success outside of a sandbox")
				.isNotEqualTo(before);
			restore(file, before);
			scene.attack(command);
			return scene.found(Finding.heldIf(Files.readAttributes(file, "unix:mode,lastModifiedTime").equals(before)),
					command);
		}
		finally {
			restore(file, before);
		}
	}

	private static void restore(Path file, Map<String, Object> attributes) throws IOException {
		for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
			Files.setAttribute(file, "unix:" + attribute.getKey(), attribute.getValue());
		}
	}

	private static Finding sharedTmp(SandboxScene scene) {
		String name = "kairo-attack-" + System.nanoTime();
		Finding finding = Finding.HELD;
		for (String directory : List.of("/tmp", "/var/tmp", "/dev/shm")) {
			File file = new File(directory, name);
			scene.attack("echo x > " + file + "; ls " + file);
			if (file.delete()) {
				finding = scene.found(Finding.BROKEN, file.getParent());
			}
		}
		return finding;
	}

	private static Finding removeOwnDirectory(SandboxScene scene) throws Exception {
		Object before = Files.getAttribute(scene.workspace(), "unix:ino");
		scene.attack("d=\"$PWD\"; cd /; rm -rf \"$d\"; rmdir \"$d\"; mv \"$d\" \"$d.moved\"; ln -s '{outside}' \"$d\";"
				+ " mkdir -p \"$d\"; echo x > \"$d/drop/x\"");
		boolean same = Files.isDirectory(scene.workspace(), LinkOption.NOFOLLOW_LINKS)
				&& Files.getAttribute(scene.workspace(), "unix:ino").equals(before);
		return scene.found(Finding.heldIf(same), "the workspace is another one");
	}

	/**
	 * Verifies that the environment of a request affects only the command, not programs
	 * that run before it on the host.
	 */
	private static Finding launcherEnvironment(SandboxScene scene) throws Exception {
		String script = scene.in("echo x > '{drop}/x'");
		Map<String, String> hooks = Map.of("LD_DEBUG", "libs", "LD_DEBUG_OUTPUT", scene.in("{drop}/x"), "BASH_ENV",
				scene.workspace() + "/hook", "ENV", scene.workspace() + "/hook");
		Files.writeString(scene.workspace().resolve("hook"), script);
		Finding finding = Finding.HELD;
		for (String name : List.of("BASH_ENV", "LD_DEBUG_OUTPUT")) {
			Map<String, String> env = name.startsWith("LD_")
					? Map.of("LD_DEBUG", "libs", name, hooks.getOrDefault(name, ""))
					: Map.of(name, hooks.getOrDefault(name, ""));
			new PlainShell(scene.workspace(), env).run("cat /dev/null");
			assertThat(scene.canary().isHarmed("")).as("success of %s outside of a sandbox", name).isTrue();
		}
		assertThat(scene.run("echo ran", hooks).out()).contains("ran\n");
		if (scene.canary().isHarmed("")) {
			finding = scene.found(Finding.BROKEN, hooks.toString());
		}
		return finding;
	}

}
