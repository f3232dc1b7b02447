package io.kairo.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcStat}.
 */
class ProcStatTests {

	@Test
	void parseAcceptsNameWithBlanksAndParentheses() {
		ProcStat stat = ProcStat.parse(7, "7 (a) R (b)) S 3 5 6 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 9 0 12345 1 2 3");
		assertThat(stat).isEqualTo(new ProcStat(7, 3, 5, 6, 12345, true));
	}

	@Test
	void zombieIsAliveOnlyWithMoreThanOneThread() {
		String line = "7 (a) Z 3 5 6 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 %d 0 12345 1 2 3";
		assertThat(ProcStat.parse(7, String.format(line, 1)).alive()).isFalse();
		assertThat(ProcStat.parse(7, String.format(line, 2)).alive()).isTrue();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void readReturnsNullWithoutProcess() {
		assertThat(ProcStat.read(0)).isNull();
		assertThat(ProcStat.read(ProcessHandle.current().pid())).isNotNull();
	}

}
