package io.kairo.api.workspace.tck;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A provider on a full disk reports the failure, leaves existing files unchanged, and
 * works again as soon as there is space.
 */
abstract class FullDiskContract {

	private final WorkspaceProviderContract suite;

	FullDiskContract(WorkspaceProviderContract suite) {
		this.suite = suite;
	}

	@TestFactory
	Stream<DynamicTest> fullDiskIsReportedWithoutSideEffects(@TempDir Path directory) {
		Class<? extends FullDiskTrial> trial = this.suite.fullDiskTrial();
		return (trial == null) ? Stream.empty()
				: Stream.of(DynamicTest.dynamicTest(trial.getSimpleName(), () -> run(trial, directory.toRealPath())));
	}

	private void run(Class<? extends FullDiskTrial> trial, Path directory) throws Exception {
		List<String> arguments = new ArrayList<>(List.of(trial.getName()));
		arguments.addAll(this.suite.fullDiskArguments());
		SmallDisk.run(FullDiskProgram.class, directory, arguments.toArray(String[]::new));
	}

}
