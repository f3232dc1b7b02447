package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that make calls of every kind while files, directories and roots are swapped for
 * links to targets outside. The system property {@code kairo.attack.rounds} sets the
 * number of calls of each kind, for all attacks together.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class SwapAttackTests {

	private static final int ROUNDS = Integer.getInteger("kairo.attack.rounds", 180) / Attack.values().length;

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private AttackedTree tree;

	private final AtomicBoolean over = new AtomicBoolean();

	private final AtomicLong swaps = new AtomicLong();

	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	/** Number of swaps during calls of a kind. */
	private final Map<AttackedCall, Long> met = new EnumMap<>(AttackedCall.class);

	private final Map<AttackedCall, Integer> succeeded = new EnumMap<>(AttackedCall.class);

	private int refused;

	@BeforeEach
	void createTree() throws IOException {
		this.tree = AttackedTree.create(this.temp.toRealPath());
	}

	@ParameterizedTest
	@EnumSource
	void concurrentSwapsReadAndChangeNothingOutside(Attack attack) throws Exception {
		LocalWorkspaceFilesFactory factory = new LocalWorkspaceFilesFactory(
				options().withStateDirectory(this.tree.temp().resolve("state")));
		Workspace workspace = TestWorkspaces.of(this.tree.root());
		WorkspaceFiles files = factory.open(workspace);
		Swap swap = attack.on(this.tree);
		Map<String, String> before = this.tree.describeOutside();
		Thread attacker = new Thread(() -> swapUntilOver(swap), "attacker");
		attacker.start();
		try {
			long deadline = System.nanoTime() + PATIENCE;
			for (int round = 0; round < ROUNDS || (!isDone() && System.nanoTime() < deadline); round++) {
				for (AttackedCall call : AttackedCall.values()) {
					// The workspace is opened again from time to time.
					call(call, (round % 16 == 0) ? factory.open(workspace) : files, attack.directory());
				}
			}
		}
		finally {
			this.over.set(true);
			attacker.join();
		}
		assertThat(this.failure.get()).isNull();
		assertThat(this.tree.describeOutside()).isEqualTo(before);
		this.tree.requireNoTraces();
		assertThat(this.met.keySet()).as("swapped while under way").containsExactly(AttackedCall.values());
		assertThat(this.succeeded).as("not refused").containsKeys(AttackedCall.WRITE, AttackedCall.READ);
		assertThat(this.refused).as("refused").isPositive();
	}

	LocalFilesOptions options() {
		return LocalFilesOptions.DEFAULTS;
	}

	private boolean isDone() {
		return this.met.size() == AttackedCall.values().length && this.succeeded.containsKey(AttackedCall.WRITE)
				&& this.succeeded.containsKey(AttackedCall.READ);
	}

	private void call(AttackedCall call, WorkspaceFiles files, String directory) {
		long before = this.swaps.get();
		WorkspaceResult<?> result = call.make(files, directory);
		long during = this.swaps.get() - before;
		if (during > 0) {
			this.met.merge(call, during, Long::sum);
		}
		if (result instanceof WorkspaceResult.Failure<?> refusal) {
			this.refused++;
			assertThat(refusal.message()).doesNotContain(this.tree.outside().toString())
				.doesNotContain(AttackedTree.SECRET);
		}
		else {
			this.succeeded.merge(call, 1, Integer::sum);
		}
	}

	private void swapUntilOver(Swap swap) {
		Random random = new Random(11);
		try {
			while (!this.over.get()) {
				try {
					swap.there();
					this.swaps.incrementAndGet();
					LockSupport.parkNanos(random.nextInt(400_000));
					swap.back();
					this.swaps.incrementAndGet();
					// Some calls should reach their end.
					LockSupport.parkNanos(random.nextInt(3_000_000));
				}
				catch (FileSystemException ex) {
					repair(swap);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			this.failure.set(ex);
		}
	}

	private static void repair(Swap swap) throws IOException {
		for (int attempt = 0;; attempt++) {
			try {
				swap.repair();
				return;
			}
			catch (FileSystemException ex) {
				if (attempt == 1000) {
					throw ex;
				}
			}
		}
	}

}
