package io.kairo.api.sandbox.tck;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Attacks by processes that outlive their command, and attacks on other processes.
 */
final class ProcessAttacks {

	private static final int STARTS = Trial.rounds(16, 1000);

	/** Commands that are started however long that takes. */
	private static final int LEAST_STARTS = 40;

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private ProcessAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(contained("leave-processes",
				"leaves processes behind: in the background, by `setsid`, `nohup` and double forks, ignoring SIGTERM",
				(scene) -> leave(scene, TreeScenarios.attempts().toList())),
				contained("leave-orphan",
						"leaves a process without session, group, parent and environment: `env -i setsid`",
						(scene) -> leave(scene, List.of("(env -i setsid sh -c '({sleep} &)' &); {sleep}"))),
				contained("outlive-background",
						"leaves processes behind when it is ended in the background, while another command runs on",
						ProcessAttacks::outliveBackground),
				contained("deaf-to-term", "ignores SIGTERM beyond its timeout",
						(scene) -> timeout(scene, "trap '' TERM HUP INT; {sleep} & wait; {sleep}")),
				contained("hold-output", "leaves a process that holds the output open", ProcessAttacks::holdOutput),
				contained("outlive-jvm", "keeps running when the JVM is killed by `kill -9`",
						ProcessAttacks::outliveJvm),
				contained("starts-and-cancels", "is started and cancelled many times, at any moment",
						ProcessAttacks::startsAndCancels),
				contained("starting-thread-ends", "is started by a thread that ends at once",
						ProcessAttacks::startingThreadEnds),
				contained("kill-all", "kills every process: `kill -9 -1`", ProcessAttacks::killAll),
				contained("kill-parent", "kills its parents and process 1", ProcessAttacks::killParent),
				contained("starve-launcher",
						"takes processor time and limits from process 1, and outlives its timeout: `chrt`, `taskset`, `prlimit`",
						ProcessAttacks::starveLauncher),
				denied("kill-host-process", "kills a process of the host by its id", ProcessAttacks::killVictim),
				denied("throttle-host-process",
						"takes priority, processors and limits from a process of the host: `renice`, `taskset`, `prlimit`",
						ProcessAttacks::throttleVictim),
				denied("see-host-processes", "finds a process of the host in `/proc`", ProcessAttacks::seeVictim),
				denied("host-memory", "reads a process of the host by `/proc/<pid>/mem`, `fd` and `root`",
						ProcessAttacks::victimMemory),
				new Attack<>("forge-end", AttackGroup.PROCESS,
						"disguises its end as a timeout or a cancellation, by exit codes and signals",
						AttackOutcome.DENIED, ProcessAttacks::forgeEnd),
				contained("standard-input", "waits for input that belongs to another process",
						ProcessAttacks::standardInput));
	}

	private static Attack<SandboxScene> contained(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.PROCESS, description, AttackOutcome.CONTAINED, probe);
	}

	private static Attack<SandboxScene> denied(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.PROCESS, description, AttackOutcome.DENIED, probe);
	}

	private static Finding leave(SandboxScene scene, List<String> attempts) {
		Finding finding = Finding.HELD;
		for (String attempt : attempts) {
			String command = scene.in(attempt.replace("%s", "{sleep}"));
			try (SandboxHandle handle = scene.trial().start(command)) {
				await().atMost(Trial.PATIENCE).until(() -> scene.sleepers() >= 2);
				handle.cancel();
				Trial.exit(handle);
				if (scene.sleepers() > 0) {
					finding = scene.found(Finding.BROKEN, attempt);
				}
			}
		}
		return finding;
	}

	private static Finding outliveBackground(SandboxScene scene) throws Exception {
		UnaryOperator<SandboxRequest.Builder> background = Trial
			.attributes((attributes) -> attributes.background(true).stdin(true));
		try (SandboxHandle other = scene.trial().start("cat", background);
				SandboxHandle handle = scene.trial()
					.start(scene
						.in("(setsid sh -c '({sleep} &)' &); (nohup {sleep} &); trap '' TERM; {sleep} & cat; wait"),
							background)) {
			await().atMost(Trial.PATIENCE).until(() -> scene.sleepers() >= 3);
			handle.cancel();
			Trial.exit(handle);
			boolean held = scene.sleepers() == 0;
			other.stdin().close();
			assertThat(Trial.exit(other).exitCode()).as("the exit code of the other command").isZero();
			return Finding.heldIf(held);
		}
	}

	private static Finding timeout(SandboxScene scene, String command) {
		Duration timeout = Duration.ofSeconds(1);
		while (!timeoutEnds(scene, command, timeout)) {
			timeout = timeout.multipliedBy(3);
			assertThat(timeout).as("the time in which the command starts its processes").isLessThan(Trial.PATIENCE);
		}
		return scene.found(Finding.heldIf(scene.sleepers() == 0), command);
	}

	/**
	 * Returns false if the timeout came before the command was seen to have started its
	 * processes, as on a busy machine.
	 */
	private static boolean timeoutEnds(SandboxScene scene, String command, Duration timeout) {
		try (SandboxHandle handle = scene.trial().start(scene.in(command), (request) -> request.timeout(timeout))) {
			Future<SandboxExit> exit = handle.exit().toFuture();
			boolean alive = false;
			while (!alive && !exit.isDone()) {
				alive = scene.sleepers() > 0;
			}
			assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.TIMEOUT);
			return alive;
		}
	}

	private static Finding holdOutput(SandboxScene scene) {
		Outcome outcome = scene.run("{sleep} & (setsid {sleep} &); echo hi");
		assertThat(outcome.out()).isEqualTo("hi\n");
		return Finding.heldIf(outcome.took().compareTo(Duration.ofSeconds(20)) < 0 && scene.sleepers() == 0);
	}

	private static Finding outliveJvm(SandboxScene scene) throws Exception {
		List<String> program = scene.program("(setsid {sleep} &); (env -i setsid sh -c '({sleep} &)' &); {sleep}");
		if (program == null) {
			return Finding.ABSENT;
		}
		Process jvm = new ProcessBuilder(program).redirectErrorStream(true).start();
		try (BufferedReader output = jvm.inputReader()) {
			// a JVM may print warnings first
			assertThat(output.lines().filter((line) -> !line.isBlank() && !line.startsWith("WARNING: ")).findFirst())
				.as("the output of the program")
				.hasValue("started");
			await().atMost(Trial.PATIENCE).until(() -> scene.sleepers() >= 3);
			jvm.destroyForcibly().waitFor();
			long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
			await().atMost(Trial.PATIENCE).until(() -> scene.sleepers() == 0 || System.nanoTime() > deadline);
			return Finding.heldIf(scene.sleepers() == 0);
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	/**
	 * Starts and cancels commands at random moments. The scene asserts afterwards that no
	 * resources are left.
	 */
	private static Finding startsAndCancels(SandboxScene scene) {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Deque<SandboxHandle> running = new ArrayDeque<>();
		long began = System.nanoTime();
		for (int i = 0; i < STARTS && (i < LEAST_STARTS || System.nanoTime() - began < LONGEST.toNanos()); i++) {
			running.add(scene.trial().start(scene.in((i % 2 == 0) ? "{sleep}" : "(setsid {sleep} &); echo x; exit 3")));
			LockSupport.parkNanos(random.nextInt(20_000_000));
			if (running.size() > 5) {
				end(running.remove());
			}
		}
		running.forEach(ProcessAttacks::end);
		return scene.found(Finding.heldIf(scene.sleepers() == 0), "seed " + seed);
	}

	private static void end(SandboxHandle handle) {
		handle.cancel();
		SandboxExit exit = Trial.exit(handle);
		handle.close();
		assertThat(exit.exitCode()).isIn(-1, 3);
	}

	private static Finding startingThreadEnds(SandboxScene scene) throws InterruptedException {
		CompletableFuture<SandboxHandle> handle = new CompletableFuture<>();
		Thread starter = new Thread(() -> handle.complete(scene.trial().start("sleep 0.5; echo alive")));
		starter.start();
		starter.join();
		try (SandboxHandle started = handle.join()) {
			SandboxExit exit = Trial.exit(started);
			String out = Trial.text(Trial.output(started, SandboxOutputChunk.Stdout.class));
			return scene.found(Finding.heldIf(exit.exitCode() == 0 && out.equals("alive\n")), exit.toString());
		}
	}

	/**
	 * Returns whether signals to all processes or to parents cannot reach the host:
	 * commands run in their own PID namespace, or may not even signal a single process of
	 * their user.
	 */
	private static boolean confinesSignals(SandboxScene scene) throws Exception {
		return hasOwnProcesses(scene) || isRefusedToSignal(scene);
	}

	private static boolean hasOwnProcesses(SandboxScene scene) throws IOException {
		String own = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
		String seen = scene.run("readlink /proc/self/ns/pid").out().strip();
		return seen.startsWith("pid:[") && !seen.equals(own);
	}

	private static boolean isRefusedToSignal(SandboxScene scene) throws Exception {
		Process victim = scene.plain().start("exec sleep 60");
		try {
			String ask = "kill -0 " + victim.pid() + " || echo refused; id -u";
			String user = scene.plain().run("id -u").strip();
			assertThat(scene.plain().run(ask)).as("success outside of a sandbox").isEqualTo(user + "\n");
			String own = "kill -0 " + ProcessHandle.current().pid() + " || echo refused; id -u";
			return scene.run(ask).out().equals("refused\n" + user + "\n")
					&& scene.run(own).out().equals("refused\n" + user + "\n");
		}
		finally {
			victim.destroyForcibly().waitFor();
		}
	}

	private static Finding killAll(SandboxScene scene) throws Exception {
		if (!confinesSignals(scene)) {
			return scene.found(Finding.BROKEN, "not run: signals reach the host");
		}
		Process victim = scene.plain().start("exec sleep 60");
		try (SandboxHandle other = scene.trial().start("sleep 60")) {
			Outcome outcome = scene.run("sleep 60 & kill -9 -1; kill -TERM -1; kill -STOP -1; echo ran");
			assertThat(outcome.out()).isEqualTo("ran\n");
			return Finding.heldIf(victim.isAlive() && !other.exit().toFuture().isDone());
		}
		finally {
			victim.destroyForcibly();
		}
	}

	private static Finding killParent(SandboxScene scene) throws Exception {
		if (!confinesSignals(scene)) {
			return scene.found(Finding.BROKEN, "not run: signals reach the host");
		}
		try (SandboxHandle other = scene.trial().start("sleep 60")) {
			scene.run("kill -9 $PPID; kill -9 1; kill -STOP 1; for s in TERM HUP INT SEGV; do kill -$s 1 $PPID; done");
			assertThat(scene.run("echo next").out()).as("the next command").isEqualTo("next\n");
			return Finding.heldIf(!other.exit().toFuture().isDone());
		}
	}

	private static Finding starveLauncher(SandboxScene scene) throws Exception {
		if (!hasOwnProcesses(scene)) {
			return scene.found(Finding.BROKEN, "not run: there is no PID namespace");
		}
		Finding finding = timeout(scene, """
				(setsid {sleep} &)
				chrt -i -p 0 1; taskset -p 1 1; taskset -p 1 $$; prlimit --pid 1 --nofile=3:3
				i=0
				while [ $i -lt 80 ]; do
					(trap '' TERM; while :; do :; done) &
					i=$((i + 1))
				done
				wait""");
		assertThat(scene.run("echo next").out()).as("the next command").isEqualTo("next\n");
		return finding;
	}

	private static Finding killVictim(SandboxScene scene) throws Exception {
		String name = scene.in("{sleep}").replace("sleep ", "V");
		String command = "kill -9 %d; for p in $(grep -l VICTIM=%s /proc/[0-9]*/environ); do"
				+ " p=${p%%/environ}; kill -9 ${p#/proc/}; done";
		Process control = victim(scene, name + "c");
		scene.plain().run(command.formatted(control.pid(), name + "c"));
		assertThat(control.waitFor()).as("success outside of a sandbox").isNotZero();
		Process victim = victim(scene, name + "v");
		try {
			scene.attack(command.formatted(victim.pid(), name + "v"));
			return scene.found(Finding.heldIf(victim.isAlive()), "it was ended");
		}
		finally {
			victim.destroyForcibly();
		}
	}

	private static Finding throttleVictim(SandboxScene scene) throws Exception {
		String command = "renice -n 19 -p %1$d; taskset -p 1 %1$d; prlimit --pid %1$d --nofile=9:9; chrt -i -p 0 %1$d";
		Process control = scene.plain().start("exec sleep 60");
		Process victim = scene.plain().start("exec sleep 60");
		try {
			List<String> before = settings(victim);
			scene.plain().run(command.formatted(control.pid()));
			assertThat(settings(control)).as("success outside of a sandbox").isNotEqualTo(before);
			scene.attack(command.formatted(victim.pid()));
			return scene.found(Finding.heldIf(settings(victim).equals(before)), command);
		}
		finally {
			control.destroyForcibly().waitFor();
			victim.destroyForcibly().waitFor();
		}
	}

	/**
	 * Returns the nice value, the scheduling policy, the processors and the limit of
	 * files.
	 */
	private static List<String> settings(Process process) throws IOException {
		Path proc = Path.of("/proc/" + process.pid());
		String stat = Files.readString(proc.resolve("stat"));
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
		List<String> settings = new ArrayList<>(List.of(fields[16], fields[38]));
		for (String file : List.of("status", "limits")) {
			Files.readAllLines(proc.resolve(file))
				.stream()
				.filter((line) -> line.startsWith("Cpus_allowed:") || line.startsWith("Max open files"))
				.forEach(settings::add);
		}
		return settings;
	}

	private static Process victim(SandboxScene scene, String name) throws IOException {
		return scene.plain().start("export VICTIM=" + name + "; exec sleep 60");
	}

	private static Finding seeVictim(SandboxScene scene) throws Exception {
		Process victim = scene.plain().start(scene.in("exec {sleep}"));
		String argument = scene.in("{sleep}").substring("sleep ".length());
		String command = "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -x " + scene.sleepPattern();
		try {
			await().until(() -> scene.sleepers() == 1);
			assertThat(scene.plain().run(command)).as("success outside of a sandbox").contains(argument);
			return scene.found(Finding.heldIf(!scene.attack(command).contains(argument)), command);
		}
		finally {
			victim.destroyForcibly().waitFor();
		}
	}

	private static Finding victimMemory(SandboxScene scene) throws Exception {
		Process victim = scene.plain().start(scene.in("exec 7<'{secret}'; exec sleep 60"));
		try {
			String proc = "/proc/" + victim.pid();
			String command = "cat " + proc + "/fd/7; cat " + proc + "/root{secret}; cat " + proc
					+ "/cwd/../outside/secret";
			await().until(() -> Files.exists(Path.of("/proc/" + victim.pid() + "/fd/7")));
			assertThat(scene.plain().run(scene.in(command))).as("success outside of a sandbox")
				.contains(scene.canary().secret());
			return scene.found(Finding.heldIf(!scene.canary().isHarmed(scene.attack(command))), command);
		}
		finally {
			victim.destroyForcibly().waitFor();
		}
	}

	private static Finding forgeEnd(SandboxScene scene) {
		Finding finding = Finding.HELD;
		for (String end : List.of("exit 124", "exit 125", "exit 137", "exit 143", "exit 255", "kill -TERM $$",
				"kill -KILL $$", "kill -HUP $$", "kill -SEGV $$")) {
			SandboxExit exit = scene.run("echo TIMEOUT; " + end).exit();
			List<String> reserved = List.of(SandboxExit.TIMEOUT, SandboxExit.CANCELLED, SandboxExit.LOST,
					SandboxExit.NOT_RUN);
			if (exit.timedOut() || exit.exitCode() < 0 || (exit.signal() != null && reserved.contains(exit.signal()))) {
				finding = scene.found(Finding.BROKEN, end);
			}
		}
		return finding;
	}

	private static Finding standardInput(SandboxScene scene) {
		Outcome outcome = scene.run("read x; echo \"$?$x\"; cat; cat /dev/stdin; ls /dev/tty; cat </dev/tty; echo ran",
				Map.of());
		assertThat(outcome.out()).endsWith("ran\n");
		return scene.found(Finding.heldIf(outcome.out().startsWith("1\n") && outcome.took().toSeconds() < 20),
				outcome.out());
	}

}
