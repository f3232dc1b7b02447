package io.kairo.governance.audit;

import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a {@link FileAuditSink} on a full disk.
 */
class FullDiskTests {

	@Test
	void failedRecordsLeaveNothingBehind(@TempDir Path directory) throws Exception {
		SmallDisk.run(FullDiskProgram.class, directory);
	}

}
