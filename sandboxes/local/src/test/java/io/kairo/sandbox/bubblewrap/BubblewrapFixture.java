package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Creates a sandbox, a workspace and a secret of the host beside it for each test.
 * Asserts after the test that the secret is unchanged and that closing the sandbox
 * deletes its files.
 */
final class BubblewrapFixture implements BeforeEachCallback, AfterEachCallback {

	private static final String SECRET = "secret of the host\n";

	private final UnaryOperator<BubblewrapOptions> changes;

	private final Function<BubblewrapOptions, BubblewrapSandbox> factory;

	private Path directory;

	private BubblewrapSandbox sandbox;

	BubblewrapFixture() {
		this(UnaryOperator.identity());
	}

	BubblewrapFixture(UnaryOperator<BubblewrapOptions> changes) {
		this(changes, BubblewrapSandbox::new);
	}

	BubblewrapFixture(UnaryOperator<BubblewrapOptions> changes,
			Function<BubblewrapOptions, BubblewrapSandbox> factory) {
		this.changes = changes;
		this.factory = factory;
	}

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.directory = Files.createTempDirectory("confined-").toRealPath();
		Files.createDirectory(workspace());
		Files.createDirectory(state());
		Files.writeString(secret(), SECRET);
		this.sandbox = this.factory.apply(this.changes.apply(JvmUser.bubblewrapOptions()
			.with((changes) -> changes
				.commands((commands) -> commands.directory(state()).hiddenPaths(List.of(state()))))));
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		this.sandbox.close();
		try {
			assertThat(secret()).hasContent(SECRET);
			assertThat(state()).isEmptyDirectory();
		}
		finally {
			try (Stream<Path> files = Files.walk(this.directory)) {
				files.sorted((a, b) -> b.compareTo(a)).forEach((file) -> file.toFile().delete());
			}
		}
	}

	BubblewrapSandbox sandbox() {
		return this.sandbox;
	}

	Path workspace() {
		return this.directory.resolve("workspace");
	}

	Path state() {
		return this.directory.resolve("state");
	}

	Path secret() {
		return this.directory.resolve("secret");
	}

	/**
	 * Creates a directory beside the workspace.
	 */
	Path beside(String name) throws IOException {
		return Files.createDirectories(this.directory.resolve(name));
	}

	SandboxHandle start(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		SandboxAttributes attributes = SandboxAttributes.builder().sessionId("a").build();
		SandboxRequest request = changes.apply(new SandboxRequest.Builder(command, workspace()).attributes(attributes))
			.build();
		return this.sandbox.start(JvmUser.grantAccess(request));
	}

	Outcome run(String command) {
		return run(command, UnaryOperator.identity());
	}

	Outcome runWith(UnaryOperator<SandboxAttributes.Builder> changes, String command) {
		return run(command,
				(request) -> request.attributes(changes.apply(SandboxAttributes.builder().sessionId("a")).build()));
	}

	Outcome run(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		try (SandboxHandle handle = start(command, changes)) {
			return outcome(handle);
		}
	}

	static Outcome outcome(SandboxHandle handle) {
		SandboxExit exit = Objects.requireNonNull(handle.exit().block());
		StringBuilder out = new StringBuilder();
		StringBuilder err = new StringBuilder();
		for (SandboxOutputChunk chunk : handle.output().toIterable()) {
			((chunk instanceof SandboxOutputChunk.Stdout) ? out : err)
				.append(new String(chunk.data(), StandardCharsets.UTF_8));
		}
		return new Outcome(exit, out.toString(), err.toString(), handle.workingDirectory());
	}

	record Outcome(SandboxExit exit, String out, String err, @Nullable Path directory) {

	}

}
