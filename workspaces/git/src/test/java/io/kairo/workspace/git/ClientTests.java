package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

import static java.util.Objects.requireNonNull;

/**
 * Base class of the tests of both clients, with a repository to fetch from and providers
 * that are closed after the test.
 */
@ExtendWith(GitProgram.class)
abstract class ClientTests {

	@Parameter
	GitClientKind client;

	Path base;

	TestRepository repository;

	private final List<AutoCloseable> closing = new ArrayList<>();

	@BeforeEach
	void makeRepository(@TempDir Path directory, RepositoryTemplates templates) throws IOException {
		this.base = directory.toRealPath();
		this.repository = templates.copyTo(this.base);
	}

	@AfterEach
	void closeAll() throws Exception {
		for (AutoCloseable closeable : this.closing) {
			closeable.close();
		}
	}

	GitOptions options() {
		return GitOptions.in(state())
			.withClient(this.client)
			.withAllowedUrls("file://", "http://", "git://")
			.withFetchAfter(Duration.ofHours(1));
	}

	Path state() {
		return this.base.resolve("state");
	}

	GitWorkspaceProvider provider(GitOptions options, GitCredentials credentials) {
		return closing(new GitWorkspaceProvider(options, credentials));
	}

	GitWorkspaceProvider provider() {
		return provider(options(), GitCredentials.NONE);
	}

	<T extends AutoCloseable> T closing(T closeable) {
		this.closing.add(0, closeable);
		return closeable;
	}

	static Workspace acquire(GitWorkspaceProvider provider, String hint) {
		return provider.acquire(WorkspaceRequest.writable(hint));
	}

	static WorkspaceHistory history(Workspace workspace) {
		return requireNonNull(workspace.history());
	}

	/**
	 * Returns the files below a directory, each with its size and a hash.
	 */
	static Map<String, String> snapshot(Path directory) throws IOException {
		Map<String, String> found = new TreeMap<>();
		if (Files.exists(directory)) {
			try (Stream<Path> paths = Files.walk(directory)) {
				for (Path path : paths.filter(Files::isRegularFile).toList()) {
					found.put(directory.relativize(path).toString(),
							Files.size(path) + " " + Arrays.hashCode(Files.readAllBytes(path)));
				}
			}
		}
		return found;
	}

}
