package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that end a change at each of its steps, by an error and by a crash.
 */
@Timeout(60)
class CrashTests extends CrashFixture {

	@ParameterizedTest
	@EnumSource
	void crashAtAnyStepLeavesTheOldOrTheNewTree(AnyChange change) throws IOException {
		createTree(0);
		Map<String, String> old = tree();
		Recorder recorder = new Recorder();
		assertThat(factory("recorder-", recorder).open(TestWorkspaces.of(this.root)).apply(change.make(this)).isOk())
			.isTrue();
		Map<String, String> changed = tree();
		assertThat(changed).isNotEqualTo(old);
		assertThat(recorder.count).isGreaterThan(2);
		boolean rolledForward = false;
		boolean rolledBack = false;
		for (int step = 1; step <= recorder.count; step++) {
			createTree(step);
			LocalWorkspaceFilesFactory dying = factory("dying" + step + "-", new Dying(step));
			try {
				dying.open(TestWorkspaces.of(this.root)).apply(change.make(this));
				assertThat(false).as("survived step %d", step).isTrue();
			}
			catch (Killed ex) {
				dying.state().journal().abandon();
			}
			factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
			assertThat(tree()).as("after step %d", step).isIn(old, changed);
			rolledForward |= tree().equals(changed);
			rolledBack |= tree().equals(old);
		}
		assertThat(rolledBack).isTrue();
		assertThat(rolledForward).isTrue();
		if (Files.exists(this.state.resolve("journal"))) {
			assertThat(this.state.resolve("journal"))
				.isDirectoryNotContaining((journal) -> IntStream.rangeClosed(1, recorder.count)
					.mapToObj((step) -> process("dying" + step + "-").prefix())
					.anyMatch(journal.getFileName().toString()::startsWith));
		}
	}

	@ParameterizedTest
	@EnumSource
	void errorAtAnyStepChangesNothing(AnyChange change) throws IOException {
		createTree(0);
		Map<String, String> old = tree();
		Recorder recorder = new Recorder();
		factory("recorder-", recorder).open(TestWorkspaces.of(this.root)).apply(change.make(this));
		Map<String, String> changed = tree();
		Set<WorkspaceErrorCode> codes = new TreeSet<>();
		for (int step = 1; step <= recorder.count; step++) {
			createTree(step);
			WorkspaceResult<?> result = factory("failing-", new Failing(step)).open(TestWorkspaces.of(this.root))
				.apply(change.make(this));
			if (result instanceof WorkspaceResult.Failure<?> failure) {
				codes.add(failure.code());
			}
			Map<String, String> tree = withoutTemporary(tree());
			assertThat(tree).as("after step %d", step).isIn(old, changed);
			boolean saidToBeChanged = result.isOk() || result.toString().contains("was changed");
			assertThat(tree.equals(changed)).as("after step %d: %s", step, result).isEqualTo(saidToBeChanged);
		}
		assertThat(codes).containsExactly(WorkspaceErrorCode.WRITE_FAILED);
	}

	private static Map<String, String> withoutTemporary(Map<String, String> tree) {
		Map<String, String> rest = new TreeMap<>(tree);
		rest.keySet().removeIf((path) -> path.contains(".kairo-"));
		return rest;
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCHANGE", "DELETE", "MOVE" })
	void unconfirmedChangeIsNotRetried(AnyChange change) throws IOException {
		createTree(0);
		FaultPoints steps = (step) -> {
			if (step.equals("dirsync")) {
				throw new FileSystemException("", null, "Too many open files");
			}
		};
		WorkspaceFiles files = factory("failing-", steps).open(TestWorkspaces.of(this.root));
		assertThat(TestWorkspaces.failure(files.apply(change.make(this)), WorkspaceErrorCode.WRITE_FAILED).message())
			.contains("was changed");
	}

	/**
	 * Counts steps.
	 */
	private static class Recorder implements FaultPoints {

		private int count;

		@Override
		public void before(String step) {
			this.count++;
		}

	}

	/**
	 * Fails at a step, once.
	 */
	private static final class Failing implements FaultPoints {

		private final int failing;

		private int count;

		Failing(int failing) {
			this.failing = failing;
		}

		@Override
		public void before(String step) throws IOException {
			if (++this.count == this.failing) {
				throw new IOException("No space left on device");
			}
		}

	}

}
