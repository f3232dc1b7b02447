package io.kairo.sandbox.support.proxy;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the heads of HTTP requests to the proxy, and their paths.
 */
class RequestHeadFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void headIsParsedOrRefused(byte[] head) {
		try {
			RequestHead parsed = RequestHead.parse(new String(head, StandardCharsets.ISO_8859_1));
			assertThat(parsed.fields()).noneMatch((field) -> field.value().matches("(?s).*[\r\n\0].*"));
			RequestPath path = RequestPath.of(ProxyRequest.of(parsed).path());
			if (path != null) {
				assertThat(path.path()).doesNotContain("//", "/../", "/./");
				assertThat(RequestPath.of(path.path())).isEqualTo(new RequestPath(path.path(), null));
			}
		}
		catch (ProxyRefusedException ex) {
			// Answered with a status.
		}
	}

}
