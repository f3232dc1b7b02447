package io.kairo.autoconfigure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kairo.host.TreeDeletion;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The applications of a test class, each of which the tests with the same arguments
 * share. They end after the last test.
 *
 * @param <A> the type of an application
 */
public final class SharedApplications<A extends AutoCloseable> implements AfterAllCallback {

	private final Map<List<String>, A> running = new LinkedHashMap<>();

	/**
	 * Returns the application with some arguments, and starts it first if no other test
	 * has.
	 */
	public A get(Function<String[], A> start, String... arguments) {
		return this.running.computeIfAbsent(List.of(arguments), (key) -> start.apply(arguments));
	}

	/**
	 * Makes a directory empty that applications may have open.
	 */
	public static void empty(Path directory) throws IOException {
		Files.createDirectories(directory);
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
			for (Path file : files) {
				TreeDeletion.delete(file);
			}
		}
	}

	/**
	 * Ends all applications, before a test ends one of its own that shares resources of
	 * the JVM with them.
	 */
	public void close() throws Exception {
		for (A application : this.running.values()) {
			application.close();
		}
		this.running.clear();
	}

	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		close();
	}

}
