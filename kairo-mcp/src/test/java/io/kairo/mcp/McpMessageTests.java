package io.kairo.mcp;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpMessage}.
 */
class McpMessageTests {

	private static McpMessage read(String json) {
		return McpMessage.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * The SDK reads the last of equal names, and converts numbers to text.
	 */
	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '|', nullValues = "null",
			value = { "'params':{'uri':'a'} | a", "'params':{'uri':'a','uri':'b'} | b",
					"'params':{'uri':7,'uri':'b'} | b", "'params':{'uri':'a','uri':7} | null",
					"'params':{'uri':'a','uri':null} | null", "'params':{'uri':'a','uri':{'uri':'b'}} | null",
					"'params':{'uri':'a','uri':['b']} | null", "'params':{'uri':'a'},'params':['b'] | null",
					"'params':{'uri':'a'},'params':{} | null", "'params':{'uri':'a'},'params':7 | null",
					"'params':{},'params':{'uri':'b'} | b", "'other':{'uri':'b'} | null", "'uri':'b' | null" })
	void lastOfEqualNamesCounts(String rest, @Nullable String uri) {
		McpMessage message = read("{'jsonrpc':'2.0','id':1,'method':'resources/subscribe'," + rest + "}");
		assertThat(message.uri()).isEqualTo(uri);
		McpMessage list = read(
				"{'jsonrpc':'2.0','id':1,'method':'resources/list'," + rest.replace("uri", "cursor") + "}");
		assertThat(list.cursor()).isEqualTo(uri);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '|',
			value = { "'method':'ping','method':7 | \"\"", "'method':7,'method':'ping' | ping" })
	void lastMethodCounts(String methods, String method) {
		assertThat(read("{'jsonrpc':'2.0','id':1," + methods + "}").method()).isEqualTo(method);
	}

}
