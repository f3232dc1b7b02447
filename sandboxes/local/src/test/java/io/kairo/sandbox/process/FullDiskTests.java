package io.kairo.sandbox.process;

import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import io.kairo.sandbox.bubblewrap.RequiresBubblewrap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests sandboxes that keep output on a full disk: a command runs to its end, and
 * discarded output is reported.
 */
@EnabledOnOs(OS.LINUX)
class FullDiskTests {

	@TempDir
	Path disk;

	@Test
	void commandEndsAndReportsDiscardedOutputWhenTheDiskIsFull() throws Exception {
		SmallDisk.run(FullDiskProgram.class, this.disk.toRealPath(), "process");
	}

	@Test
	@RequiresBubblewrap
	void confinedCommandEndsOrIsRefusedWhenTheDiskIsFull() throws Exception {
		SmallDisk.runAsOrdinaryUser(FullDiskProgram.class, this.disk.toRealPath(), "bubblewrap");
	}

}
