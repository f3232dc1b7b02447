package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.host.ProcessIdentity;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Swaps an entry before each step of each change, until the end of the change. Comparing
 * paths must detect these swaps as handles do; only a swap there and back within a step
 * would go undetected.
 */
@Timeout(120)
class StepSwapTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	static Stream<Arguments> changes() {
		return Stream.of(true, false)
			.flatMap((handles) -> Stream.of(Attack.FILE, Attack.DIRECTORY, Attack.ROOT)
				.flatMap((attack) -> Arrays.stream(AttackedCall.values())
					.filter(AttackedCall::changes)
					.map((call) -> Arguments.of(handles ? "handles" : "paths", attack, call))));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void swapAtAnyStepReadsAndChangesNothingOutside(String kind, Attack attack, AttackedCall call) throws IOException {
		boolean handles = kind.equals("handles");
		boolean swapped = true;
		for (int step = 1; swapped; step++) {
			AttackedTree tree = AttackedTree
				.create(TestWorkspaces.directory(this.temp.toRealPath().resolve(String.valueOf(step))));
			SwapAtStep swap = new SwapAtStep(attack.on(tree), step);
			LocalWorkspaceFilesFactory factory = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS,
					handles ? DirectoryOpener.platform() : DirectoryOpener.checked(), ProcessIdentity.current(), swap);
			Map<String, String> before = tree.describeOutside();
			WorkspaceResult<?> result = call.make(factory.open(TestWorkspaces.of(tree.root())), attack.directory());
			swapped = swap.swapped;
			assertThat(tree.describeOutside()).as("swapped at step %d, %s", step, result).isEqualTo(before);
			if (handles) {
				tree.requireNoTraces();
			}
			assertThat(step > 1 || swapped).as("has steps").isTrue();
		}
	}

	/**
	 * Swaps once.
	 */
	private static final class SwapAtStep implements FaultPoints {

		private final Swap swap;

		private final int step;

		private int count;

		private boolean swapped;

		SwapAtStep(Swap swap, int step) {
			this.swap = swap;
			this.step = step;
		}

		@Override
		public void before(String name) throws IOException {
			if (++this.count == this.step) {
				this.swapped = true;
				this.swap.there();
			}
		}

	}

}
