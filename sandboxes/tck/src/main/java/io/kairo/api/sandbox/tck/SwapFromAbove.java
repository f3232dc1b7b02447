package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Starts commands with protected paths in a directory of the workspace, while a command
 * in the workspace swaps the mounted directory for a link to the host and back. The link
 * resolves to the same target from every directory. The duration of the swaps varies, so
 * that some of them last from the lookup of a path to its mount. The mount points exist
 * before, because bubblewrap would create missing ones empty and with the permissions of
 * the command.
 */
final class SwapFromAbove implements Attack.Probe<SandboxScene> {

	private static final int ROUNDS = Trial.rounds(60, 500);

	/** Rounds that are made however long they take. */
	private static final int LEAST_ROUNDS = 30;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** Far more than all rounds take. */
	private static final Duration LIFETIME = Duration.ofMinutes(30);

	private static final String SWAP = "cd inner; while :; do perl -e 'for (1 .. 100) { $n++;"
			+ " rename(q(.git), q(parked)) and rename(q(link), q(.git)); select(undef, undef, undef, 0.0005 * ($n % 8));"
			+ " rename(q(.git), q(link)) if -l q(.git); rename(q(parked), q(.git)) if -d q(parked);"
			+ " select(undef, undef, undef, 0.0005 * ($n % 8)) }'; done";

	private static final String ATTACK = "cat .git/secret; echo x > .git/x; echo x > .git/hooks/x";

	@Override
	public Finding attempt(SandboxScene scene) throws Exception {
		Path inner = Files.createDirectory(scene.workspace().resolve("inner"));
		Path git = inner.resolve(".git");
		Files.createDirectories(git.resolve("hooks"));
		Path elsewhere = elsewhere(scene);
		Files.createSymbolicLink(inner.resolve("link"), inner.relativize(elsewhere));
		assertThat(inner.resolve("link/secret")).as("the target of the link").exists();
		try (SandboxHandle attacker = scene.trial()
			.start(SWAP, (request) -> scene.marked(Map.of()).apply(request).timeout(LIFETIME))) {
			for (int swaps = 0; swaps < 3; swaps++) {
				await("a swap").atMost(Trial.PATIENCE).until(() -> Files.isSymbolicLink(git));
				await("a swap back").atMost(Trial.PATIENCE).until(() -> !Files.isSymbolicLink(git));
			}
			Finding finding = rounds(scene, inner, elsewhere);
			assertThat(attacker.exit().toFuture()).as("the end of the attacker").isNotDone();
			return finding;
		}
	}

	private static String run(SandboxScene scene, Path inner) {
		SandboxRequest.Builder request = new SandboxRequest.Builder(ATTACK, inner)
			.attributes(SandboxAttributes.builder().protectedPaths(List.of(".git/hooks")).build());
		try (SandboxHandle handle = scene.trial().sandbox().start(scene.marked(Map.of()).apply(request).build())) {
			Trial.exit(handle);
			return Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class));
		}
	}

	/**
	 * Makes the rounds, and more until one launch was not refused: a slow launch meets
	 * many swaps.
	 */
	private static Finding rounds(SandboxScene scene, Path inner, Path elsewhere) throws IOException {
		boolean claimed = scene.trial().claims(SandboxCapability.PROTECTED_PATHS);
		int unsupported = 0;
		String reason = "";
		Finding finding = Finding.HELD;
		int round = 0;
		long started = System.nanoTime();
		while (round < LEAST_ROUNDS || (System.nanoTime() - started < LONGEST.toNanos()
				&& (round < ROUNDS || (claimed && unsupported == round)))) {
			try {
				if (run(scene, inner).contains(scene.canary().secret())) {
					finding = scene.found(Finding.BROKEN, "round " + round);
				}
			}
			catch (SandboxException ex) {
				unsupported += (ex.code() == SandboxErrorCode.UNSUPPORTED_REQUEST) ? 1 : 0;
				reason = String.valueOf(ex.getMessage());
			}
			round++;
		}
		if (unsupported == round && !claimed) {
			return Finding.ABSENT;
		}
		assertThat(unsupported).as("launches that were refused, of %s: %s", round, reason).isLessThan(round);
		return isUntouched(elsewhere) ? finding : scene.found(Finding.BROKEN, "a file was written");
	}

	/**
	 * Creates the directory outside that links lead to, with a secret and the mount
	 * point.
	 */
	static Path elsewhere(SandboxScene scene) throws IOException {
		Path elsewhere = scene.beside("elsewhere");
		Files.writeString(elsewhere.resolve("secret"), scene.canary().secret());
		for (Path open : List.of(elsewhere, Files.createDirectory(elsewhere.resolve("hooks")))) {
			Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		}
		return elsewhere;
	}

	static boolean isUntouched(Path elsewhere) throws IOException {
		try (Stream<Path> files = Files.walk(elsewhere)) {
			return files.map((file) -> elsewhere.relativize(file).toString())
				.sorted()
				.toList()
				.equals(List.of("", "hooks", "secret"));
		}
	}

}
