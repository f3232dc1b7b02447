package io.kairo.sandbox.microvm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Fuzzes the frames of the agent in a virtual machine.
 */
class FrameFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void framesAreReadOrRefused(byte[] frames) {
		InputStream input = new ByteArrayInputStream(frames);
		try {
			for (Frame frame = Frame.read(input); frame != null; frame = Frame.read(input)) {
				frame.text();
			}
		}
		catch (IOException ex) {
			// Ends the machine.
		}
	}

}
