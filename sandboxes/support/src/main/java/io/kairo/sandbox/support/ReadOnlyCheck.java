package io.kairo.sandbox.support;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a {@link ReadOnlyNamespace} is effective on this machine, with a command
 * that tries to write, remount, unmount and overmount.
 */
public final class ReadOnlyCheck {

	private static final long PATIENCE_SECONDS = 10;

	/**
	 * Exits with 0 if exactly the attempts to escape failed.
	 */
	private static final String CANARY = """
			[ -f kept ] || exit 1
			true > written && exit 2
			mount -o remount,rw,bind "$PWD" && exit 3
			umount -l "$PWD" && exit 4
			mount -t tmpfs none "$PWD" && exit 5
			unshare -Um mount -o remount,rw,bind "$PWD" && exit 6
			cd "$PWD" && true > "$PWD/written" && exit 7
			true > "/proc/$1/root$PWD/written" && exit 8
			exit 0
			""";

	private ReadOnlyCheck() {
	}

	/**
	 * Runs the check. It takes some ten milliseconds.
	 * @param namespace the namespace to check
	 * @param directory the parent of a directory that is created for the check and
	 * removed again
	 * @return the problem, or null if the namespace is effective
	 */
	public static @Nullable String problem(ReadOnlyNamespace namespace, PrivateDirectory directory) {
		try {
			Path canary = Files.createDirectory(directory.newPath("canary")).toRealPath();
			try {
				Files.createFile(canary.resolve("kept"));
				return problem(namespace, canary);
			}
			finally {
				Files.deleteIfExists(canary.resolve("written"));
				Files.deleteIfExists(canary.resolve("kept"));
				Files.deleteIfExists(canary);
			}
		}
		catch (IOException ex) {
			return "the check could not be run: " + ex.getMessage();
		}
	}

	private static @Nullable String problem(ReadOnlyNamespace namespace, Path canary) throws IOException {
		String self = Long.toString(ProcessHandle.current().pid());
		List<String> command = namespace.arguments(List.of("/bin/sh", "-c", CANARY, "kairo", self), canary,
				List.of(canary));
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectInput(Redirect.from(new File("/dev/null")))
			.start();
		try (InputStream output = process.getInputStream()) {
			if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				return "the check did not end";
			}
			if (Files.exists(canary.resolve("written"))) {
				return "a write in a mount namespace succeeded";
			}
			if (process.exitValue() != 0) {
				return "a mount namespace without capabilities cannot be created here (" + process.exitValue() + ", "
						+ firstLine(output) + ")";
			}
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "the check was interrupted";
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static String firstLine(InputStream stream) throws IOException {
		byte[] output = stream.readNBytes(1024);
		return new String(output, StandardCharsets.UTF_8).lines().findFirst().orElse("");
	}

}
