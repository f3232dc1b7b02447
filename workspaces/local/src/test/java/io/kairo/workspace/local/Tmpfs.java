package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assumptions.abort;

/**
 * A small separate file system, which only root can mount.
 */
public record Tmpfs(Path path) implements AutoCloseable {

	/**
	 * Mounts the file system, or skips the test with a printed reason.
	 */
	public static Tmpfs mount(Path directory, String size) throws Exception {
		Files.createDirectories(directory);
		if (!run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", directory.toString())) {
			System.out.println("SKIPPED: needs to mount a file system, which only root can do");
			abort("needs to mount a file system, which only root can do");
		}
		return new Tmpfs(directory);
	}

	/**
	 * Makes the file system read-only.
	 */
	public void makeReadOnly() throws Exception {
		if (!run("mount", "-o", "remount,ro", this.path.toString())) {
			throw new IOException("cannot remount " + this.path);
		}
	}

	private static boolean run(String... command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
	}

	@Override
	public void close() throws Exception {
		if (!run("umount", this.path.toString())) {
			run("umount", "-l", this.path.toString());
		}
	}

}
