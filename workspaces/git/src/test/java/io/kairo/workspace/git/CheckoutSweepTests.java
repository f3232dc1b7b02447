package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Checkouts#sweep()}, with checkouts of a second process.
 */
class CheckoutSweepTests {

	private static final RemoteUrl URL = RemoteUrl.parse("https://git.example.org/team/app.git");

	@TempDir
	Path directory;

	private static Process start(Path directory) throws IOException {
		Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp",
				System.getProperty("java.class.path"), OtherProcess.class.getName(), directory.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		assertThat(process.getInputStream().read()).as("the process has created its checkout").isEqualTo('r');
		return process;
	}

	private long checkouts() throws IOException {
		try (var entries = Files.list(this.directory)) {
			return entries.filter(Files::isDirectory).count();
		}
	}

	@Test
	void sweepRemovesOnlyCheckoutsOfDeadProcesses() throws Exception {
		try (Checkouts own = new Checkouts(this.directory)) {
			own.create(URL);
			Process other = start(this.directory);
			try {
				own.sweep();
				assertThat(checkouts()).as("checkouts while both processes are alive").isEqualTo(2);
			}
			finally {
				other.destroyForcibly().waitFor();
			}
			own.sweep();
			assertThat(checkouts()).as("checkouts after the end of one process").isEqualTo(1);
		}
	}

	@Test
	void sweepKeepsCheckoutsOfOtherProvidersInThisProcess() throws IOException {
		try (Checkouts one = new Checkouts(this.directory); Checkouts two = new Checkouts(this.directory)) {
			one.create(URL);
			two.sweep();
			assertThat(checkouts()).isEqualTo(1);
		}
	}

	@Test
	void sweepRemovesUnclaimedCheckouts() throws IOException {
		Files.createDirectories(this.directory.resolve("1-1-abcdef12-1/tree"));
		try (Checkouts checkouts = new Checkouts(this.directory)) {
			checkouts.sweep();
			assertThat(checkouts()).isZero();
		}
	}

	/**
	 * A program that creates a checkout and waits to be ended.
	 */
	static final class OtherProcess {

		private OtherProcess() {
		}

		public static void main(String[] arguments) throws Exception {
			try (Checkouts checkouts = new Checkouts(Path.of(arguments[0]))) {
				checkouts.create(URL);
				System.out.write('r');
				System.out.flush();
				Thread.currentThread().join();
			}
		}

	}

}
