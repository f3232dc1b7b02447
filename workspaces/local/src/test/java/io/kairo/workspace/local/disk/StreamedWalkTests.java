package io.kairo.workspace.local.disk;

import java.io.IOException;

import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.BeforeEach;

/**
 * The tests of a walk without direct system calls.
 */
class StreamedWalkTests extends DiskWalkTests {

	@BeforeEach
	@Override
	void openFiles() throws IOException {
		super.openFiles();
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withNativeCalls(false))
			.open(TestWorkspaces.of(this.root));
	}

}
