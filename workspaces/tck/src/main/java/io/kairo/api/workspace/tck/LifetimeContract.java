package io.kairo.api.workspace.tck;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kairo.api.workspace.Workspace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * The lifetime of a workspace, from its first acquire to its last release, independent of
 * concurrent calls.
 */
abstract class LifetimeContract {

	private static final int ROUNDS = 50;

	private final WorkspaceProviderContract suite;

	LifetimeContract(WorkspaceProviderContract suite) {
		this.suite = suite;
	}

	private void assertRootExists(Workspace workspace) {
		if (workspace.onDisk() && this.suite.rootsExist()) {
			assertThat(Files.isDirectory(workspace.root())).as("root of %s exists", workspace.id()).isTrue();
		}
	}

	@Test
	void workspaceExistsUntilLastRelease() {
		for (String hint : this.suite.hints()) {
			Workspace first = this.suite.acquire(hint);
			Workspace second = this.suite.acquire(hint);
			assertRootExists(first);
			this.suite.provider().release(first.id());
			assertRootExists(second);
			this.suite.provider().release(second.id());
		}
	}

	@Test
	void releaseOfUnknownOrReleasedIdIsIgnored() {
		Workspace workspace = this.suite.acquire(this.suite.hints().get(0));
		assertThatCode(() -> {
			this.suite.provider().release(null);
			this.suite.provider().release("");
			this.suite.provider().release("unknown:workspace");
			this.suite.provider().release(workspace.id() + "x");
			assertRootExists(workspace);
			this.suite.provider().release(workspace.id());
			this.suite.provider().release(workspace.id());
		}).doesNotThrowAnyException();
	}

	@Test
	void concurrentReleasesOfSameIdSucceed() throws Exception {
		for (int round = 0; round < ROUNDS / 5; round++) {
			Workspace workspace = this.suite.acquire(this.suite.hints().get(round % 2));
			List<Boolean> released = Race.run((number, barrier) -> {
				barrier.await();
				this.suite.provider().release(workspace.id());
				return true;
			});
			assertThat(released).hasSize(Race.THREADS);
		}
		assertRootExists(this.suite.acquire(this.suite.hints().get(0)));
	}

	@Test
	void workspaceExistsWhileOtherThreadsRelease() throws Exception {
		// workspaces that are not shared can only lose what is beside them
		int rounds = this.suite.freshForEachAcquire() ? ROUNDS / 10 : ROUNDS;
		List<Integer> done = Race.run((number, barrier) -> {
			barrier.await();
			for (int i = 0; i < rounds; i++) {
				Workspace workspace = this.suite.acquire(this.suite.hints().get((number + i) % 2));
				assertThat(workspace.root()).isAbsolute();
				assertRootExists(workspace);
				this.suite.provider().release(workspace.id());
			}
			return rounds;
		});
		assertThat(done).hasSize(Race.THREADS).containsOnly(rounds);
		assertRootExists(this.suite.acquire(this.suite.hints().get(0)));
	}

	@Test
	void releasedWorkspacesLeaveNoFiles() {
		// creates directories that remain for later calls
		acquireAndRelease();
		Set<String> before = this.suite.snapshot();
		for (int i = 0; i < 3; i++) {
			acquireAndRelease();
		}
		assertThat(this.suite.snapshot()).isEqualTo(before);
	}

	private void acquireAndRelease() {
		List<Workspace> acquired = new ArrayList<>();
		for (String hint : this.suite.hints()) {
			acquired.add(this.suite.acquire(hint));
			acquired.add(this.suite.acquire(hint));
		}
		acquired.forEach((workspace) -> this.suite.provider().release(workspace.id()));
	}

}
