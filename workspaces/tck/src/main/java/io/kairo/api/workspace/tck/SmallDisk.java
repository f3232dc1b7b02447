package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * Runs programs with a small private file system, to test their behaviour when it is
 * full. The file system is invisible to other processes and is removed with the program.
 * It needs Linux and permission to create a mount namespace. An ordinary user has it if
 * user namespaces are allowed. Without it, tests are skipped with a logged reason, unless
 * the environment variable {@code KAIRO_REQUIRE} names {@code bubblewrap}, since that
 * needs the same.
 */
public final class SmallDisk {

	/** Space for a few megabytes and some hundred files. */
	private static final String MOUNT = "mount -t tmpfs -o size=32m,nr_inodes=1200 kairo-small-disk \"$0\" && exec \"$@\"";

	private static final List<List<String>> NAMESPACES = List
		.of(List.of("unshare", "--user", "--map-root-user", "--mount"), List.of("unshare", "--mount"));

	private static final List<String> ORDINARY_USER = List.of("unshare", "--user", "--map-user=1000",
			"--map-group=1000");

	private static final String REASON = "needs user namespaces or root privileges to mount a small disk";

	private SmallDisk() {
	}

	/**
	 * Runs a program and waits for its end.
	 * @param program the program, whose {@code main} is called with the directory and the
	 * arguments
	 * @param directory the mount point of the disk for the program; must exist
	 * @param arguments further arguments
	 * @throws Exception if it cannot be started
	 * @throws AssertionError if its exit status is not 0, with its output
	 */
	public static void run(Class<?> program, Path directory, String... arguments) throws Exception {
		run(List.of(), program, directory, arguments);
	}

	/**
	 * Runs a program that is not the root of its namespace, for programs that create
	 * namespaces themselves, and waits for its end.
	 * @param program the program, whose {@code main} is called with the directory and the
	 * arguments
	 * @param directory the mount point of the disk for the program; must exist
	 * @param arguments further arguments
	 * @throws Exception if it cannot be started
	 * @throws AssertionError if its exit status is not 0, with its output
	 */
	public static void runAsOrdinaryUser(Class<?> program, Path directory, String... arguments) throws Exception {
		run(ORDINARY_USER, program, directory, arguments);
	}

	private static void run(List<String> prefix, Class<?> program, Path directory, String... arguments)
			throws Exception {
		List<String> command = new ArrayList<>(namespace());
		command.addAll(List.of("sh", "-c", MOUNT, directory.toString()));
		command.addAll(prefix);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp",
				System.getProperty("java.class.path"), program.getName(), directory.toString()));
		command.addAll(List.of(arguments));
		Path output = Files.createTempFile("kairo-small-disk", ".txt");
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			boolean ended = process.waitFor(5, TimeUnit.MINUTES);
			process.destroyForcibly().waitFor();
			String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
			assertThat(ended ? process.exitValue() : -1).as("%s on a small disk: %s", program.getSimpleName(), said)
				.isZero();
		}
		finally {
			Files.delete(output);
		}
	}

	private static List<String> namespace() throws Exception {
		Path probe = Files.createTempDirectory("kairo-small-disk");
		try {
			for (List<String> namespace : NAMESPACES) {
				List<String> command = new ArrayList<>(namespace);
				command.addAll(List.of("sh", "-c", MOUNT, probe.toString(), "true"));
				if (succeeds(command)) {
					return namespace;
				}
			}
		}
		finally {
			Files.delete(probe);
		}
		assertThat(List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(","))).as(REASON)
			.doesNotContain("bubblewrap");
		System.getLogger(SmallDisk.class.getName()).log(System.Logger.Level.WARNING, "Skipped: it {0}", REASON);
		return abort(REASON);
	}

	private static boolean succeeds(List<String> command) throws InterruptedException {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
