package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs that run in another JVM until they are killed.
 */
final class OtherJvm {

	private OtherJvm() {
	}

	/**
	 * Starts a program in another JVM and waits until it has reported that it is ready.
	 */
	static Process start(Class<?> program, Object... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
						"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), program.getName()));
		for (Object argument : arguments) {
			command.add(argument.toString());
		}
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		assertThat(process.getInputStream().read()).as("%s is ready", program.getSimpleName()).isEqualTo('r');
		return process;
	}

	private static void reportAndWait() throws InterruptedException {
		System.out.write('r');
		System.out.flush();
		Thread.currentThread().join();
	}

	/**
	 * Does nothing.
	 */
	static final class Waiting {

		private Waiting() {
		}

		public static void main(String[] arguments) throws Exception {
			reportAndWait();
		}

	}

	/**
	 * Creates a claimed directory with a file in the given directory.
	 */
	static final class Claiming {

		private Claiming() {
		}

		public static void main(String[] arguments) throws Exception {
			try (ClaimedDirectories directories = new ClaimedDirectories(Path.of(arguments[0]))) {
				Files.createFile(Files.createDirectory(directories.newPath("other")).resolve("file"));
				reportAndWait();
			}
		}

	}

	/**
	 * Creates a private directory with a file in the given directory.
	 */
	static final class Private {

		private Private() {
		}

		public static void main(String[] arguments) throws Exception {
			try (PrivateDirectory directory = new PrivateDirectory(Path.of(arguments[0]))) {
				Files.createFile(directory.newPath("file"));
				reportAndWait();
			}
		}

	}

	/**
	 * Sweeps the given directory without end.
	 */
	static final class Sweeping {

		private Sweeping() {
		}

		public static void main(String[] arguments) throws Exception {
			System.out.write('r');
			System.out.flush();
			while (true) {
				new ClaimedDirectories(Path.of(arguments[0])).sweep(TreeDeletion::delete);
			}
		}

	}

	/**
	 * Creates and removes private directories, with a sweep each, without end.
	 */
	static final class PrivateSweeping {

		private PrivateSweeping() {
		}

		public static void main(String[] arguments) throws Exception {
			System.out.write('r');
			System.out.flush();
			while (true) {
				try (PrivateDirectory directory = new PrivateDirectory(Path.of(arguments[0]))) {
					directory.path();
				}
			}
		}

	}

}
