package io.kairo.sandbox.remote;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of copies on full disks.
 */
@Timeout(120)
class FullDiskTests {

	@Test
	void fullDiskIsReportedAndLosesNothing(@TempDir Path directory) throws Exception {
		SmallDisk.run(FullDiskProgram.class, Files.createDirectory(directory.resolve("disk")),
				Files.createDirectory(directory.resolve("elsewhere")).toString());
	}

}
