package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An attack that swaps files and directories for FIFOs while agents work. Each FIFO is in
 * the workspace for a moment only, so that nothing in the workspace leads to it when an
 * open of it blocks. The system property {@code kairo.stress=long} makes the attack
 * longer.
 */
final class FifoAttacks {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final int FIFOS = LONG ? 2000 : 500;

	private static final int MAX_ROUNDS = 2000;

	/** Duration of the attack, and of the calls that begin meanwhile. */
	private static final Duration ATTACK = Duration.ofMillis(LONG ? 8000 : 800);

	/** Maximum duration of a call: more than the deadline of any tool. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final List<Function<FileAgent, FileAgent.Answer>> CALLS = List.of((agent) -> agent.read("inside"),
			(agent) -> agent.find(".", "inside"), (agent) -> agent.replace("inside", WorkspaceScene.INSIDE, "inside"),
			(agent) -> agent.list("."), (agent) -> agent.read("dir/sub/file"),
			(agent) -> agent.write("dir/sub/file", WorkspaceScene.INSIDE));

	private FifoAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(new Attack<>("swap-fifo", AttackGroup.RACE,
				"swaps files, ignore files and directories for named pipes while they are read, edited and searched",
				AttackOutcome.DENIED, (scene) -> scene.onDisk() ? race(scene) : Finding.ABSENT));
	}

	private static Finding race(WorkspaceScene scene) throws Exception {
		Path fifos = Files.createDirectory(scene.beside("fifos"));
		makeFifos(fifos);
		Path originals = Files.createDirectory(scene.beside("originals"));
		for (String name : List.of("inside", ".gitignore")) {
			Files.writeString(originals.resolve(name), WorkspaceScene.INSIDE);
			Files.copy(originals.resolve(name), scene.root().resolve(name), StandardCopyOption.REPLACE_EXISTING);
		}
		AtomicInteger swaps = new AtomicInteger();
		Thread attacker = new Thread(() -> swap(swaps, scene, fifos, originals), "attacker");
		List<Worker> workers = CALLS.stream().map((call) -> new Worker(scene.agent(), call)).toList();
		attacker.start();
		try {
			workers.forEach(Thread::start);
			join(workers, ATTACK.plus(PATIENCE));
		}
		finally {
			attacker.join();
		}
		assertThat(swaps).as("swaps").hasPositiveValue();
		Files.deleteIfExists(scene.beside("parked"));
		place(originals.resolve("inside"), scene.root().resolve("inside"), scene.beside("parked"));
		List<Worker> blocked = workers.stream().filter(Thread::isAlive).toList();
		openOtherEnds(fifos);
		join(blocked, PATIENCE);
		Finding finding = scene.found(Finding.heldIf(blocked.isEmpty()),
				blocked.size() + " of " + workers.size() + " calls did not return");
		for (Worker worker : workers) {
			Finding told = scene.judge("swap-fifo", worker.answers);
			finding = (told == Finding.BROKEN) ? told : finding;
		}
		return isUsable(scene) ? finding : scene.found(Finding.BROKEN, "the workspace remained out of use");
	}

	private static void join(List<Worker> workers, Duration patience) throws InterruptedException {
		long end = System.nanoTime() + patience.toNanos();
		for (Worker worker : workers) {
			worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
		}
	}

	private static void makeFifos(Path directory) throws Exception {
		List<String> command = new ArrayList<>(List.of("mkfifo"));
		IntStream.range(0, FIFOS).forEach((i) -> command.add(directory.resolve(Integer.toString(i)).toString()));
		boolean made = false;
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			made = process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			// There is no such command.
		}
		Assumptions.assumeTrue(made, "SKIPPED: needs the command mkfifo");
	}

	private static void swap(AtomicInteger swaps, WorkspaceScene scene, Path fifos, Path originals) {
		Path parked = scene.beside("parked");
		long end = System.nanoTime() + ATTACK.toNanos();
		for (int i = 0; System.nanoTime() - end < 0; i++) {
			Path fifo = fifos.resolve(Integer.toString(i % FIFOS));
			try {
				switch (i % 3) {
					case 0 -> swapFile(scene.root().resolve("inside"), originals.resolve("inside"), fifo, parked);
					case 1 ->
						swapFile(scene.root().resolve(".gitignore"), originals.resolve(".gitignore"), fifo, parked);
					default -> swapDirectory(scene.root().resolve("dir/sub"), fifo, parked);
				}
				swaps.incrementAndGet();
			}
			catch (IOException ex) {
				// an agent was faster; the next round tries again
			}
		}
	}

	private static void swapFile(Path victim, Path original, Path fifo, Path parked) throws IOException {
		place(fifo, victim, parked);
		place(original, victim, parked);
	}

	private static void place(Path original, Path victim, Path parked) throws IOException {
		Files.createLink(parked, original);
		Files.move(parked, victim, StandardCopyOption.ATOMIC_MOVE);
		// two names of the same file: then the move does nothing
		Files.deleteIfExists(parked);
	}

	private static void swapDirectory(Path victim, Path fifo, Path parked) throws IOException {
		Path away = parked.resolveSibling("away");
		if (!Files.exists(away, LinkOption.NOFOLLOW_LINKS)) {
			Files.move(victim, away, StandardCopyOption.ATOMIC_MOVE);
		}
		try {
			Files.createLink(victim, fifo);
			Files.delete(victim);
		}
		finally {
			Files.move(away, victim, StandardCopyOption.ATOMIC_MOVE);
		}
	}

	/**
	 * Lets all opens of the FIFOs return.
	 */
	private static void openOtherEnds(Path fifos) throws IOException {
		for (int i = 0; i < FIFOS; i++) {
			Files.newByteChannel(fifos.resolve(Integer.toString(i)), StandardOpenOption.READ, StandardOpenOption.WRITE)
				.close();
		}
	}

	/**
	 * Returns whether the workspace can be used when the attack is over.
	 */
	private static boolean isUsable(WorkspaceScene scene) throws Exception {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!scene.agent().read("inside").text().contains("inside") || !scene.agent().list(".").done()) {
			if (System.nanoTime() - end > 0) {
				return false;
			}
			openOtherEnds(scene.beside("fifos"));
			Thread.onSpinWait();
		}
		return true;
	}

	/**
	 * A thread of an agent that makes the same call again and again.
	 */
	private static final class Worker extends Thread {

		private final FileAgent agent;

		private final Function<FileAgent, FileAgent.Answer> call;

		/** Answers, for use by other threads when this one has ended. */
		private final List<FileAgent.Answer> answers = new ArrayList<>();

		Worker(FileAgent agent, Function<FileAgent, FileAgent.Answer> call) {
			super("agent");
			this.agent = agent;
			this.call = call;
			setDaemon(true);
		}

		@Override
		public void run() {
			long end = System.nanoTime() + ATTACK.toNanos();
			for (int round = 0; round < MAX_ROUNDS && System.nanoTime() - end < 0; round++) {
				this.answers.add(this.call.apply(this.agent));
			}
		}

	}

}
