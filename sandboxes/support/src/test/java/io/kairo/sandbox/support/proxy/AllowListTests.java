package io.kairo.sandbox.support.proxy;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link AllowList}.
 */
class AllowListTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ok.com           | ok.com:443         | true
			ok.com           | ok.com:80          | true
			ok.com           | OK.Com:443         | true
			OK.com           | ok.com:443         | true
			ok.com           | ok.com:22          | false
			ok.com           | ok.com:8443        | false
			ok.com           | ok.com.evil:443    | false
			ok.com           | evil-ok.com:443    | false
			ok.com           | notok.com:443      | false
			ok.com           | www.ok.com:443     | false
			ok.com           | com:443            | false
			ok.com:8443      | ok.com:8443        | true
			ok.com:8443      | ok.com:443         | false
			*.ok.com         | www.ok.com:443     | true
			*.ok.com         | a.b.ok.com:80      | true
			*.ok.com         | ok.com:443         | false
			*.ok.com         | notok.com:443      | false
			*.ok.com         | www.ok.com.evil:443 | false
			*.ok.com:8443    | www.ok.com:8443    | true
			*.ok.com:8443    | www.ok.com:443     | false
			192.0.2.1        | 192.0.2.1:443      | true
			ok.com           | 192.0.2.1:443      | false
			""")
	void targetIsPermittedOnlyIfEntryMatches(String entry, String target, boolean permitted) {
		assertThat(AllowList.of(List.of(entry)).permits(Objects.requireNonNull(Target.of(target, null))))
			.isEqualTo(permitted);
	}

	@Test
	void targetIsPermittedIfAnyEntryMatches() {
		AllowList list = AllowList.of(List.of("ok.com", "ok.com:22", "*.fine.org"));
		assertThat(list.permits(Objects.requireNonNull(Target.of("ok.com:22", null)))).isTrue();
		assertThat(list).hasToString("[ok.com, ok.com:22, *.fine.org]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "*", "*.com", "*.", "*.192.0.2.1", "a.*.com", "*ok.com", "**.ok.com",
			"https://ok.com", "ok.com/path", "ok.com:0", "ok.com:*", "ok.com:", "[::1]", "bücher.example", "ok.com.",
			"2130706433", "user@ok.com" })
	void entryThatIsNotHostIsRefused(String entry) {
		assertThatIllegalArgumentException().isThrownBy(() -> AllowList.of(List.of("ok.com", entry)))
			.withMessageContainingAll("'" + entry + "'", "*.example.org");
	}

	@Test
	void emptyListIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> AllowList.of(List.of())).withMessageContaining("empty");
	}

}
