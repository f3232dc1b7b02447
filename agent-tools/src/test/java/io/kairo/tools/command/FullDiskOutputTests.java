package io.kairo.tools.command;

import java.nio.file.Path;

import io.kairo.api.workspace.tck.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a model is told of long output where there is no space to keep it.
 */
@EnabledOnOs(OS.LINUX)
class FullDiskOutputTests {

	@Test
	void isSaidAndCostsNothingElse(@TempDir Path disk) throws Exception {
		SmallDisk.run(FullDiskOutputProgram.class, disk.toRealPath());
	}

}
