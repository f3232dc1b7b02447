package io.kairo.tools.edit;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kairo.tools.ToolArgumentException;

/**
 * Fuzzes the readers of patches and unified diffs.
 */
class PatchFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void patchIsReadOrRefused(byte[] patch) {
		try {
			PatchReader.read(new String(patch, StandardCharsets.UTF_8));
		}
		catch (EditRefusal | ToolArgumentException ex) {
			// Explained to the model.
		}
	}

}
