package io.kairo.sandbox.support.proxy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequestPath}.
 */
class RequestPathTests {

	@ParameterizedTest
	@CsvSource({ "/, /", "/a/b.c, /a/b.c", "/%74eam/%7ex, /team/~x", "/a%2Egit, /a.git", "/a%20b%c3%a9, /a%20b%C3%A9",
			"/a%3ab, /a%3Ab", "/.well-known/a..b, /.well-known/a..b", "/caf%c3%a9/e%cc%81, /caf%C3%A9/e%CC%81" })
	void plainPathIsNormalized(String text, String path) {
		assertThat(RequestPath.of(text)).hasToString(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "//", "/a//b", "/a/./b", "/a/../b", "/..", "/a/..", "/%2e%2e/b", "/.%2E/b", "/a%2fb",
			"/a%2Fb", "/a%5cb", "/a\\b", "/a;x/b", "/a%3bx", "/..;/b", "/a%252fb", "/a%", "/a%4", "/a%zz", "/a%00b",
			"/a%0d%0ab", "/a%7fb", "/a%3fb", "/a%23b", "/..%20/b", "/.%20./b", "/%c0%ae%c0%ae/b", "/a%c0%afb", "/%ff",
			"/a%ef%bc%8fb", "/%ef%bc%8e%ef%bc%8e/b", "/a%e2%84%80b%ed%a0%80", "/a<b", "/a|b", "/a{b", "/a\"b", "/a^b",
			"/a[b]", "/a`b", "/v1/admin.", "/v1/admin%2e/x", "/v1/admin%20", "/v1/%20admin/x", "/v1/admin%20%2E",
			"/v1/admin%c2%a0", "/v1/%ef%bd%81dmin", "/v1/%e2%93%90dmin", "/%e2%84%aaairo", "/v1/adm%c4%b1n",
			"/v1/adm%C4%B0n", "/u%c5%bfers" })
	void ambiguousPathIsRejected(String text) {
		assertThat(RequestPath.of(text)).isNull();
	}

	@Test
	void queryIsKeptAsItIs() {
		RequestPath path = RequestPath.of("/%61?x=%2F..//;y?z");
		assertThat(path.path()).isEqualTo("/a");
		assertThat(path).hasToString("/a?x=%2F..//;y?z");
		assertThat(RequestPath.of("/a").query()).isNull();
		assertThat(RequestPath.of("/a?").query()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/team, /team, true", "/team/, /team, true", "/team/x, /team, true", "/teammates, /team, false",
			"/team, /team/, false", "/team/x, /team/, true", "/x, /, true", "/, /, true", "/TEAM/x, /team, false" })
	void prefixEndsAtSlash(String path, String prefix, boolean within) {
		assertThat(RequestPath.of(path).isWithin(prefix, false)).isEqualTo(within);
		assertThat(RequestPath.of("/TEAM/x").isWithin("/team", true)).isTrue();
	}

}
