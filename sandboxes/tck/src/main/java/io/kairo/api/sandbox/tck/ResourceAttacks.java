package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks that exhaust resources of the host. An attack that would succeed without a
 * limit is run only if the sandbox claims the limit and a small attempt has proved it.
 */
final class ResourceAttacks {

	/**
	 * Creates inotify instances, as many as there are up to a number. The number of the
	 * system call depends on the processor; error 24 is EMFILE.
	 */
	private static final String INOTIFY = "perl -e '$| = 1; my ($most, $n) = (%s, 0);"
			+ " my $init = `uname -m` =~ /x86_64/ ? 294 : 26; $n++ while $n < $most && syscall($init, 0) >= 0;"
			+ " print $n || $! == 24 ? $n : q(refused); sleep %s'";

	private ResourceAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				limited("fork-bomb", "creates processes without end: `:(){ :|:& };:`",
						ifClaimed(SandboxCapability.PIDS_LIMIT, ResourceAttacks::forkBomb)),
				limited("memory", "allocates memory without end: `tail /dev/zero`",
						ifClaimed(SandboxCapability.MEMORY_LIMIT, ResourceAttacks::memory)),
				limited("socket-memory", "fills the buffers of connections to itself",
						ifClaimed(SandboxCapability.MEMORY_LIMIT, ResourceAttacks::socketMemory)),
				limited("waiting-connections", "fills connections to itself that it does not accept",
						ResourceAttacks::waitingConnections),
				limited("fill-tmpfs", "fills `/tmp`, `/dev/shm`, its home and `/`", ResourceAttacks::fillTmpfs),
				limited("big-file", "writes a file of 10 GB, or a sparse file of 1 TB", ResourceAttacks::bigFile),
				limited("many-files", "creates files without end", ResourceAttacks::manyFiles),
				limited("busy-loop", "occupies a processor without end: `while :; do :; done`",
						ResourceAttacks::busyLoop),
				limited("deep-directories", "creates directories so deep that they are hard to remove",
						ResourceAttacks::deepDirectories),
				limited("long-command", "has a command of 100 000 arguments", ResourceAttacks::longCommand),
				limited("core-dump", "leaves the memory of a process in a core file", ResourceAttacks::coreDump),
				limited("inotify-instances", "takes the `inotify` instances of another tenant",
						ResourceAttacks::inotifyInstances),
				new Attack<>("lock-program", AttackGroup.RESOURCES,
						"locks a program of `/usr`, so that another tenant waits: `flock`", AttackOutcome.CONTAINED,
						ResourceAttacks::lockProgram));
	}

	private static Attack<SandboxScene> limited(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.RESOURCES, description, AttackOutcome.LIMITED, probe);
	}

	/**
	 * Returns a probe that must not succeed where the sandbox claims a limit, and is not
	 * run elsewhere.
	 */
	private static Attack.Probe<SandboxScene> ifClaimed(SandboxCapability limit, Attack.Probe<SandboxScene> probe) {
		return (scene) -> {
			if (!scene.trial().claims(limit)) {
				return scene.found(Finding.BROKEN, "not run: the sandbox does not claim " + limit);
			}
			Finding finding = probe.attempt(scene);
			assertThat(finding).as("the claimed %s: %s", limit, scene).isEqualTo(Finding.HELD);
			return finding;
		};
	}

	private static Finding forkBomb(SandboxScene scene) {
		String fork = "perl -e 'for (1..300) { my $p = fork; last unless defined $p; if (!$p) { sleep 3; exit } $n++ }"
				+ " print $n < 300 ? qq(refused) : qq(all)'";
		assertThat(scene.run("(" + fork + "); true").out()).as("the proof of the limit").contains("refused");
		try (SandboxHandle handle = scene.trial()
			.start("(bomb() { bomb | bomb & }; bomb); sleep 60", (request) -> request.timeout(Duration.ofSeconds(1)))) {
			assertThat(Trial.exit(handle).signal()).isNotNull();
		}
		return Finding.heldIf(scene.run("echo next").out().equals("next\n"));
	}

	private static Finding memory(SandboxScene scene) {
		Outcome proof = scene.run("(perl -e '$x = q(x) x 600e6; print 1'); echo $?");
		assertThat(isEnded(proof) || proof.out().equals("137\n")).as("the proof of the limit: %s", proof).isTrue();
		Outcome outcome = scene.run("(tail /dev/zero); echo $?");
		boolean held = isEnded(outcome) || (outcome.out().equals("137\n") && !outcome.err().isBlank());
		return scene.found(Finding.heldIf(held), outcome.out());
	}

	/**
	 * Returns whether the limit ended the sandbox with all of its processes, as it does
	 * where their kernel is a process.
	 */
	private static boolean isEnded(Outcome outcome) {
		return SandboxExit.LOST.equals(outcome.exit().signal()) && outcome.out().isEmpty();
	}

	private static Finding socketMemory(SandboxScene scene) {
		Outcome outcome = scene
			.run("""
					perl -MSocket -e '
					socket(L, PF_INET, SOCK_STREAM, 0) and bind(L, sockaddr_in(0, INADDR_LOOPBACK)) and listen(L, 50) or die $!;
					my ($data, $sum, @open) = (q(x) x 65536, 0);
					for (1..40) {
						socket(my $c, PF_INET, SOCK_STREAM, 0) or die $!;
						setsockopt($c, SOL_SOCKET, SO_SNDBUF, 1 << 24);
						connect($c, getsockname(L)) and accept(my $s, L) or last;
						while ($sum < 300e6 and my $n = send($c, $data, MSG_DONTWAIT)) { $sum += $n }
						push @open, $c, $s;
					}
					print $sum' 2>/dev/null; echo; echo ran""");
		return heldBelow(64 << 20, scene, outcome);
	}

	/**
	 * Closes its side of each connection, so that only the queues of two listeners hold
	 * the data.
	 */
	private static Finding waitingConnections(SandboxScene scene) {
		if (!scene.trial().claims(SandboxCapability.MEMORY_LIMIT)) {
			return scene.found(Finding.BROKEN, "not run: the sandbox does not claim " + SandboxCapability.MEMORY_LIMIT);
		}
		Outcome outcome = scene.run("""
				perl -MSocket -MFcntl -e '
				my ($data, $sum, @open) = (q(x) x 65536, 0);
				for (1..50) {
					socket(my $l, PF_INET, SOCK_STREAM, 0) or die $!;
					bind($l, sockaddr_in(0, INADDR_LOOPBACK)) and listen($l, 4096) or die $!;
					push @open, $l;
					for (1..4096) {
						last if $sum >= 300e6;
						socket(my $c, PF_INET, SOCK_STREAM, 0) or last;
						fcntl($c, F_SETFL, O_NONBLOCK);
						vec(my $ready = q(), fileno($c), 1) = 1;
						connect($c, getsockname($l)) or select(undef, $ready, undef, 0.1) or last;
						$sum += send($c, $data, MSG_DONTWAIT) || last;
					}
				}
				print $sum' 2>/dev/null; echo; echo ran""");
		return heldBelow(256 << 20, scene, outcome);
	}

	private static Finding heldBelow(long limit, SandboxScene scene, Outcome outcome) {
		if (isEnded(outcome)) {
			return Finding.HELD;
		}
		String out = outcome.out();
		assertThat(out).as("the attack").endsWith("\nran\n");
		long bytes = Long.parseLong(out.lines().findFirst().orElse(""));
		assertThat(bytes).isPositive();
		return scene.found(Finding.heldIf(bytes < limit), bytes + " bytes in buffers");
	}

	private static Finding fillTmpfs(SandboxScene scene) {
		if (!scene.trial().claims(SandboxCapability.FILE_CONFINEMENT)) {
			return scene.found(Finding.BROKEN, "not run: these directories are those of the host");
		}
		Finding finding = Finding.HELD;
		for (String directory : List.of("/tmp", "/dev/shm", "$HOME", "/", "/run", "/dev", "/etc")) {
			String fill = "for i in 1 2 3 4 5 6 7 8 9 10; do head -c 10000000 /dev/zero > " + directory
					+ "/kairo-fill$i; done; cat " + directory + "/kairo-fill* | wc -c; echo ran";
			List<String> lines = scene.run("{ " + fill + "; } 2>/dev/null").out().lines().toList();
			assertThat(lines).hasSize(2).endsWith("ran");
			if (Long.parseLong(lines.get(0).strip()) > (64 << 20)) {
				finding = scene.found(Finding.BROKEN, directory + " took " + lines.get(0));
			}
		}
		return finding;
	}

	private static Finding bigFile(SandboxScene scene) throws IOException {
		scene.attack("dd if=/dev/zero of=big bs=1M seek=10240 count=1; truncate -s 1T sparse;"
				+ " head -c 100000000 /dev/zero > full; echo x > small");
		long most = 0;
		try (Stream<Path> files = Files.list(scene.workspace())) {
			for (Path file : files.toList()) {
				most = Math.max(most, Files.size(file));
			}
		}
		assertThat(most).as("the largest file").isPositive();
		return scene.found(Finding.heldIf(most < (64 << 20)), most + " bytes");
	}

	private static Finding manyFiles(SandboxScene scene) {
		String out = scene.attack("perl -e 'for (1..5000) { open(F, q(>), $_) or last; close F; $n++ } print $n'");
		return scene.found(Finding.heldIf(!out.startsWith("5000")), out);
	}

	private static Finding busyLoop(SandboxScene scene) {
		try (SandboxHandle handle = scene.trial()
			.start("while :; do :; done & while :; do :; done", (request) -> request.timeout(Duration.ofMillis(300)))) {
			SandboxExit exit = Trial.exit(handle);
			return scene.found(Finding.heldIf(exit.timedOut()), exit.toString());
		}
	}

	private static Finding deepDirectories(SandboxScene scene) throws IOException {
		// ten times the length of a path; each level takes milliseconds where files are
		// served to an emulated machine
		String depth = scene
			.attack("perl -e 'for (1..1000) { mkdir q(d) x 50 and chdir q(d) x 50 or last; $n++ } print $n'");
		assertThat(Integer.parseInt(depth.lines().findFirst().orElse("0").strip())).isGreaterThan(50);
		scene.attack("rm -rf d*");
		try (Stream<Path> files = Files.list(scene.workspace())) {
			return Finding.heldIf(files.findAny().isEmpty());
		}
	}

	private static Finding longCommand(SandboxScene scene) {
		Outcome outcome = scene.run("/bin/echo $(seq 100000) | wc -w; /bin/echo $(seq 400000) | wc -w; echo ran");
		assertThat(outcome.out()).endsWith("ran\n");
		return Finding.heldIf(scene.run("echo next").out().equals("next\n"));
	}

	private static Finding coreDump(SandboxScene scene) throws IOException {
		scene.attack("ulimit -c unlimited; sh -c 'kill -SEGV $$'; sh -c 'kill -ABRT $$'");
		try (Stream<Path> files = Files.list(scene.workspace())) {
			return scene.found(Finding.heldIf(files.findAny().isEmpty()), "there is a file");
		}
	}

	/**
	 * Takes some instances, and counts the instances left to another tenant. That tenant
	 * has none for that moment. The count has to stay below the usual limit of open
	 * files.
	 */
	private static Finding inotifyInstances(SandboxScene scene) throws Exception {
		String shown = scene.run("cat /proc/sys/fs/inotify/max_user_instances").out().strip();
		if (shown.isEmpty()) {
			return Finding.ABSENT;
		}
		int limit = Integer.parseInt(shown);
		if (limit > 900) {
			return scene.found(Finding.BROKEN, "not run: the limit is " + limit);
		}
		try (SandboxHandle handle = scene.trial().start(INOTIFY.formatted(20, 60))) {
			String taken = first(handle);
			if (taken.equals("refused")) {
				return Finding.HELD;
			}
			try (SandboxHandle other = scene.startOther(INOTIFY.formatted(limit, 0))) {
				int left = Integer.parseInt(first(other));
				return scene.found(Finding.heldIf(left > limit - Integer.parseInt(taken)), left + " are left");
			}
		}
	}

	private static Finding lockProgram(SandboxScene scene) throws Exception {
		try (SandboxHandle handle = scene.trial()
			.start("flock -w 50 /usr/bin/factor sh -c 'echo locked; sleep 60' || echo refused")) {
			assertThat(first(handle)).isIn("locked\n", "refused\n");
			try (SandboxHandle other = scene.startOther("flock -n /usr/bin/factor true && echo free || echo locked")) {
				String out = first(other);
				assertThat(out).isIn("free\n", "locked\n");
				return scene.found(Finding.heldIf(out.equals("free\n")), "it is locked");
			}
		}
	}

	private static String first(SandboxHandle handle) {
		SandboxOutputChunk chunk = Objects.requireNonNull(handle.output().blockFirst(Trial.PATIENCE), "no output");
		return Trial.text(chunk.data());
	}

}
