package io.kairo.mcp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fuzzes the messages of MCP clients.
 */
class McpMessageFuzzTests {

	private final JsonMapper mapper = JsonMapper.builder(new JsonFactory()).build();

	@FuzzTest(maxDuration = "1m")
	void messageIsReadOrRefused(byte[] json) {
		try {
			if (McpMessage.read(this.mapper, json).method().equals("initialize")) {
				McpMessage.read(this.mapper, McpMessage.cleanInitialize(this.mapper, json));
			}
		}
		catch (IllegalArgumentException ex) {
			// Answered with an error.
		}
	}

}
