package io.kairo.host;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Sha256}, with the example of FIPS 180-4.
 */
class Sha256Tests {

	private static final String HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

	private final byte[] content = "abc".getBytes(StandardCharsets.UTF_8);

	@Test
	void hexReturnsHashOfContent() {
		assertThat(Sha256.hex(this.content)).isEqualTo(HASH);
		assertThat(Sha256.digest().digest(this.content)).asHexString().isEqualToIgnoringCase(HASH);
	}

	@Test
	void hashOfTextIsTruncated() {
		assertThat(Sha256.hex("abc", 32)).isEqualTo(HASH);
		assertThat(Sha256.hex("abc", 16)).isEqualTo(HASH.substring(0, 32));
		assertThat(Sha256.hex("\u00e9", 4))
			.isEqualTo(Sha256.hex("\u00e9".getBytes(StandardCharsets.UTF_8)).substring(0, 8));
	}

}
