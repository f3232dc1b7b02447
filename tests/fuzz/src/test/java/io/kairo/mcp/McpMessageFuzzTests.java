package io.kairo.mcp;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Fuzzes the messages of MCP clients.
 */
class McpMessageFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void messageIsReadOrRefused(byte[] json) {
		try {
			McpMessage message = McpMessage.read(json);
			if (message.method().equals("initialize")) {
				message.cleaned(json.length);
			}
		}
		catch (IllegalArgumentException ex) {
			// Answered with an error.
		}
	}

}
