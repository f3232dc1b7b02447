package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.Trees;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts commands with protected paths while the directory above is swapped for a link to
 * the host and back, as a concurrent command in the same workspace could do. The mount
 * points exist at the target of the link, as in {@link SwapFromAbove}.
 */
final class LaunchRace implements Attack.Probe<SandboxScene> {

	private static final int ROUNDS = Trial.rounds(60, 1000);

	/** Rounds that are made however long they take. */
	private static final int LEAST_ROUNDS = 30;

	private static final Duration LONGEST = Duration.ofSeconds(30);

	@Override
	public Finding attempt(SandboxScene scene) throws Exception {
		ProtectedProbe.prepare(scene);
		Path elsewhere = SwapFromAbove.elsewhere(scene);
		Path git = scene.workspace().resolve(".git");
		Path parked = scene.workspace().resolve("parked");
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger swaps = new AtomicInteger();
		Thread attacker = new Thread(() -> {
			while (!over.get()) {
				try {
					swap(git, parked, elsewhere);
					swaps.incrementAndGet();
				}
				catch (IOException ex) {
					repair(git, parked);
				}
			}
			repair(git, parked);
		}, "attacker");
		attacker.start();
		try {
			return rounds(scene, elsewhere, swaps);
		}
		finally {
			over.set(true);
			attacker.join();
		}
	}

	private static Finding rounds(SandboxScene scene, Path elsewhere, AtomicInteger swaps) throws IOException {
		int met = 0;
		int unsupported = 0;
		Finding finding = Finding.HELD;
		int round = 0;
		long started = System.nanoTime();
		for (; round < ROUNDS && (round < LEAST_ROUNDS || System.nanoTime() - started < LONGEST.toNanos()); round++) {
			int before = swaps.get();
			try {
				String out = scene.trial()
					.run("cat .git/secret; echo x > .git/hooks/x; echo x > .git/x",
							(request) -> request
								.attributes(SandboxAttributes.builder().protectedPaths(List.of(".git/hooks")).build()))
					.out();
				if (out.contains(scene.canary().secret())) {
					finding = scene.found(Finding.BROKEN, "round " + round);
				}
			}
			catch (SandboxException ex) {
				unsupported += (ex.code() == SandboxErrorCode.UNSUPPORTED_REQUEST) ? 1 : 0;
			}
			met += (swaps.get() > before) ? 1 : 0;
		}
		if (unsupported == round && !scene.trial().claims(SandboxCapability.PROTECTED_PATHS)) {
			return Finding.ABSENT;
		}
		assertThat(met).as("launches during which there was a swap").isPositive();
		return SwapFromAbove.isUntouched(elsewhere) ? finding : scene.found(Finding.BROKEN, "a file was written");
	}

	private static void swap(Path git, Path parked, Path outside) throws IOException {
		Files.move(git, parked, StandardCopyOption.ATOMIC_MOVE);
		Files.createSymbolicLink(git, outside);
		Thread.onSpinWait();
		Files.delete(git);
		Files.move(parked, git, StandardCopyOption.ATOMIC_MOVE);
	}

	private static void repair(Path git, Path parked) {
		try {
			if (Files.isSymbolicLink(git)) {
				Files.delete(git);
			}
			if (Files.isDirectory(parked) && !Files.exists(git)) {
				Files.move(parked, git, StandardCopyOption.ATOMIC_MOVE);
			}
			else if (Files.isDirectory(parked)) {
				Trees.delete(git);
			}
		}
		catch (IOException ex) {
			// retried in the next round
		}
	}

}
