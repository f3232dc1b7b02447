package io.kairo.tools.command;

import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests for the result of a command whose long output does not fit on the disk.
 */
@EnabledOnOs(OS.LINUX)
class FullDiskOutputTests {

	@Test
	void fullDiskIsReportedAndDoesNotFailCommand(@TempDir Path disk) throws Exception {
		SmallDisk.run(FullDiskOutputProgram.class, disk.toRealPath());
	}

}
