package io.kairo.api.sandbox.tck;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks on secrets of the host and of other tenants.
 */
final class SecretAttacks {

	private static final Set<String> PUBLIC = Set.of("PATH", "LANG", "HOME", "PWD", "OLDPWD", "SHLVL", "_");

	/**
	 * Watches the files of a directory being opened until the file {@code done} exists.
	 */
	private static final String WATCH = """
			perl -e '
			my ($init, $add) = `uname -m` =~ /x86_64/ ? (294, 254) : (26, 27);
			my ($directory, $all, $done) = (q(/usr/bin), q(), 0);
			my $fd = syscall($init, 0x800);
			if ($fd < 0 || syscall($add, $fd, $directory, 0x20) < 0) { print qq(refused\\n); exit }
			open(my $in, q(<&=), $fd);
			$| = 1;
			print qq(watching\\n);
			until ($done) {
				$done = -e q(done);
				select(undef, undef, undef, 0.1);
				while (sysread($in, my $events, 65536)) { $all .= $events }
			}
			print $all =~ /factor/ ? qq(seen\\n) : qq(missed\\n)'""";

	private SecretAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				redacted("own-environment", "looks at its environment: `env`, `/proc/self/environ`",
						(scene) -> environment(scene, "env; export -p; cat /proc/self/environ | tr '\\0' '\\n'")),
				redacted("jvm-environment", "looks at the environment of every process, including process 1",
						(scene) -> environment(scene, "env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'")),
				redacted("command-lines",
						"finds the command line of the JVM, and paths of the host, in `/proc/*/cmdline`",
						SecretAttacks::commandLines),
				redacted("mount-table", "finds the process id of the JVM in the paths of `/proc/self/mountinfo`",
						SecretAttacks::mountTable),
				redacted("descriptors", "finds open files of the JVM among its own", SecretAttacks::descriptors),
				redacted("home", "looks into the home of the user of the JVM: `~/.ssh`, `~/.aws`, tokens",
						SecretAttacks::home),
				redacted("other-workspace", "looks into the workspace of another tenant",
						SecretAttacks::otherWorkspace),
				redacted("other-tmp", "looks for files that another command has in `/tmp`", SecretAttacks::otherTmp),
				redacted("other-process", "looks at a command of another tenant, and signals it",
						SecretAttacks::otherProcess),
				redacted("watch-programs", "watches `/usr/bin` for the programs that another tenant runs: `inotify`",
						SecretAttacks::watchPrograms),
				redacted("refusals", "learns paths of the host from the messages of refusals",
						SecretAttacks::refusals));
	}

	private static Attack<SandboxScene> redacted(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.SECRETS, description, AttackOutcome.REDACTED, probe);
	}

	private static Finding environment(SandboxScene scene, String command) {
		Set<String> hidden = new TreeSet<>(System.getenv().keySet());
		hidden.removeAll(PUBLIC);
		assertThat(hidden).as("a variable to hide: run the tests with an additional environment variable").isNotEmpty();
		String out = scene.attack(command);
		assertThat(out).as("the environment of the command itself").contains("PATH=", "KAIRO_ATTACK=");
		List<String> found = out.lines()
			.map((line) -> line.replaceFirst("^(export|declare -x) ", "").replaceFirst("=.*", ""))
			.filter(hidden::contains)
			.toList();
		return scene.found(Finding.heldIf(found.isEmpty()), found.toString());
	}

	private static Finding commandLines(SandboxScene scene) throws IOException {
		String[] own = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1).split("\0", -1);
		List<String> telling = Arrays.stream(own).filter((argument) -> argument.length() > 12).toList();
		assertThat(telling).as("arguments of the JVM").isNotEmpty();
		String out = scene.attack("cat /proc/[0-9]*/cmdline /proc/self/cmdline | tr '\\0' '\\n';"
				+ " cat /proc/self/cmdline > own || echo refused");
		assertThat(out).as("its own, or a refusal").containsAnyOf("cat", "refused");
		List<String> found = out.lines().filter(telling::contains).toList();
		return scene.found(Finding.heldIf(found.isEmpty()), found.toString());
	}

	private static Finding mountTable(SandboxScene scene) {
		String out = scene.attack("while read -r id parent device root point rest; do echo \"$root $point\";"
				+ " done < /proc/self/mountinfo || echo refused");
		assertThat(out).as("the paths, or a refusal").containsAnyOf("/ /", "refused");
		Pattern jvm = Pattern.compile("(?<!\\d)" + ProcessHandle.current().pid() + "(?!\\d)");
		List<String> found = out.lines().filter((line) -> jvm.matcher(line).find()).toList();
		return scene.found(Finding.heldIf(found.isEmpty()), found.toString());
	}

	private static Finding descriptors(SandboxScene scene) {
		String out = scene.run("perl -e 'for (0 .. 1023) { open(my $f, q(<&), $_) and print qq($_ ) }'").out();
		assertThat(out).startsWith("0 1 2 ");
		return scene.found(Finding.heldIf(out.equals("0 1 2 ")), out);
	}

	private static Finding home(SandboxScene scene) {
		String home = System.getProperty("user.home");
		String[] names = Path.of(home).toFile().list();
		String out = scene.attack("ls -A '" + home + "'; ls -A ~root; ls -A /var/run/secrets");
		boolean seen = names != null && Arrays.stream(names).anyMatch((name) -> out.lines().anyMatch(name::equals));
		return scene.found(Finding.heldIf(!seen), out);
	}

	private static Finding otherWorkspace(SandboxScene scene) throws Exception {
		Files.writeString(scene.beside("other").resolve("secret"), scene.canary().secret());
		try (SandboxHandle handle = scene.startOther("sleep 60")) {
			assertThat(handle.exit().toFuture()).isNotDone();
			String path = scene.beside("other") + "/secret";
			return CommandProbe
				.of("cat ../other/secret", "cat '" + path + "'", "ln -s ../other o; cat o/secret",
						"cat /proc/[0-9]*/root'" + path + "' /proc/[0-9]*/cwd/secret")
				.attempt(scene);
		}
	}

	private static Finding otherTmp(SandboxScene scene) throws Exception {
		String name = scene.canary().secret();
		try (SandboxHandle handle = scene
			.startOther("f=$(mktemp /tmp/" + name + ".XXXXXX); : > /dev/shm/" + name + "; echo up; sleep 60 & wait")) {
			assertThat(handle.output().blockFirst(Trial.PATIENCE)).isNotNull();
			boolean seen = scene.attack("ls /tmp /var/tmp /dev/shm").contains(name);
			return scene.found(Finding.heldIf(!seen), "its files are seen");
		}
		finally {
			for (String directory : List.of("/tmp", "/dev/shm")) {
				File[] left = new File(directory).listFiles((dir, file) -> file.startsWith(name));
				Arrays.stream((left != null) ? left : new File[0]).forEach(File::delete);
			}
		}
	}

	private static Finding otherProcess(SandboxScene scene) throws Exception {
		try (SandboxHandle handle = scene.startOther("{sleep} & sleep 0.3; echo up; wait")) {
			assertThat(handle.output().blockFirst(Trial.PATIENCE)).isNotNull();
			String out = scene.attack("for p in $(grep -lxz " + scene.sleepPattern()
					+ " /proc/[0-9]*/cmdline); do echo seen; p=${p%/cmdline}; kill ${p#/proc/}; done");
			return scene.found(Finding.heldIf(!out.contains("seen")), "it is seen");
		}
	}

	private static Finding watchPrograms(SandboxScene scene) throws Exception {
		try (SandboxHandle spy = scene.trial().start(WATCH)) {
			assertThat(spy.output().blockFirst(Trial.PATIENCE)).isNotNull();
			try (SandboxHandle handle = scene.startOther("/usr/bin/factor 6")) {
				assertThat(Trial.exit(handle).exitCode()).isZero();
			}
			Files.createFile(scene.workspace().resolve("done"));
			String out = Trial.text(Trial.output(spy, SandboxOutputChunk.Stdout.class));
			assertThat(out).as("the spy").matches("watching\n(seen|missed)\n|refused\n");
			return scene.found(Finding.heldIf(!out.contains("seen")), "the program is seen");
		}
	}

	private static Finding refusals(SandboxScene scene) throws Exception {
		String outside = scene.canary().directory().toString();
		Files.createSymbolicLink(scene.workspace().resolve("link"), scene.canary().directory());
		List<SandboxAttributes> wrong = List.of(
				SandboxAttributes.builder().workingDirectory(scene.workspace().resolve("link/drop")).build(),
				SandboxAttributes.builder().workingDirectory(scene.workspace().resolve("missing")).build(),
				SandboxAttributes.builder().protectedPaths(List.of("link/drop")).build());
		Finding finding = Finding.HELD;
		int refused = 0;
		for (SandboxAttributes attributes : wrong) {
			try {
				Outcome outcome = scene.trial().run("pwd -P", (request) -> request.attributes(attributes));
				if (outcome.out().contains(outside)) {
					finding = scene.found(Finding.BROKEN, outcome.out());
				}
			}
			catch (SandboxException ex) {
				refused++;
				if ((ex.getMessage() + ex.remedy()).contains(outside)) {
					finding = scene.found(Finding.BROKEN, String.valueOf(ex.getMessage()));
				}
			}
		}
		assertThat(refused).as("requests that were refused").isPositive();
		return finding;
	}

}
