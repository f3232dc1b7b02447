package io.kairo.sandbox.process;

import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a sandbox does where the disk that output is kept on is full: the command runs to
 * its end, and what was not kept is told.
 */
@EnabledOnOs(OS.LINUX)
class FullDiskTests {

	@TempDir
	Path disk;

	@Test
	void outputFloodDoesNotBlockAProcess() throws Exception {
		SmallDisk.run(FullDiskProgram.class, this.disk.toRealPath(), "process");
	}

	@Test
	@Tag("bubblewrap")
	void outputFloodDoesNotBlockAConfinedCommand() throws Exception {
		SmallDisk.runAsOrdinaryUser(FullDiskProgram.class, this.disk.toRealPath(), "bubblewrap");
	}

}
