package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is removed of what others left. The other process is a real one.
 */
class CheckoutSweepTests {

	@TempDir
	Path directory;

	private static Process start(Path directory) throws IOException {
		Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp",
				System.getProperty("java.class.path"), OtherProcess.class.getName(), directory.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		assertThat(process.getInputStream().read()).as("it has made its checkout").isEqualTo('r');
		return process;
	}

	private long checkouts() throws IOException {
		try (var entries = Files.list(this.directory)) {
			return entries.filter(Files::isDirectory).count();
		}
	}

	@Test
	void isWhatADeadProcessLeftAndNothingElse() throws Exception {
		try (Checkouts own = new Checkouts(this.directory)) {
			own.create(own.nextNumber());
			Process other = start(this.directory);
			try {
				own.sweep();
				assertThat(checkouts()).as("both are alive").isEqualTo(2);
			}
			finally {
				other.destroyForcibly().waitFor();
			}
			own.sweep();
			assertThat(checkouts()).as("one is dead").isEqualTo(1);
		}
	}

	@Test
	void sparesAnotherProviderOfThisProcess() throws IOException {
		try (Checkouts one = new Checkouts(this.directory); Checkouts two = new Checkouts(this.directory)) {
			one.create(one.nextNumber());
			two.sweep();
			assertThat(checkouts()).isEqualTo(1);
		}
	}

	@Test
	void takesWhatNobodyClaims() throws IOException {
		Files.createDirectories(this.directory.resolve("1-1-abcdef12-1/tree"));
		try (Checkouts checkouts = new Checkouts(this.directory)) {
			checkouts.sweep();
			assertThat(checkouts()).isZero();
		}
	}

	/**
	 * Makes a checkout and waits to be ended.
	 */
	static final class OtherProcess {

		private OtherProcess() {
		}

		public static void main(String[] arguments) throws Exception {
			try (Checkouts checkouts = new Checkouts(Path.of(arguments[0]))) {
				checkouts.create(checkouts.nextNumber());
				System.out.write('r');
				System.out.flush();
				Thread.currentThread().join();
			}
		}

	}

}
