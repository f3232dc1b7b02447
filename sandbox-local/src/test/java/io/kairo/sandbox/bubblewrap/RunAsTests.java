package io.kairo.sandbox.bubblewrap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RunAs}.
 */
class RunAsTests {

	@ParameterizedTest
	@CsvSource({ "65534, 65534, 65534", "1000:50, 1000, 50" })
	void parseAcceptsNumericIds(String text, int uid, int gid) {
		assertThat(RunAs.parse(text)).isEqualTo(new RunAs(uid, gid));
	}

	@Test
	void parseLooksUpUserName() {
		assertThat(RunAs.parse("nobody").uid()).isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "root", "0:5", "5:0", "kairo-nobody-has-this-name", "", "-1", "1:2:3" })
	void parseRefusesRootAndUnknownOrMalformedUsers(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RunAs.parse(text)).withMessageContaining("65534");
	}

}
