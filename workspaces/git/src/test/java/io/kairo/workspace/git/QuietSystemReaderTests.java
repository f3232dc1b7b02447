package io.kairo.workspace.git;

import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuietSystemReader}.
 */
class QuietSystemReaderTests {

	@Test
	void configurationOfUserWithoutHomeIsNotReadFromTheWorkingDirectory() {
		QuietSystemReader.install();
		String home = System.getProperty("user.home");
		assertThat(SystemReader.getInstance().getProperty("user.home")).isEqualTo(home);
		try {
			System.setProperty("user.home", "?");
			assertThat(SystemReader.getInstance().getProperty("user.home")).isEqualTo("/dev/null");
		}
		finally {
			System.setProperty("user.home", home);
		}
	}

}
