package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.sandbox.backend.CommandSettings;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Creates a sandbox with a workspace for each test, and asserts after the test that
 * closing the sandbox deletes its files.
 */
final class LocalProcessFixture implements BeforeEachCallback, AfterEachCallback {

	private Path directory;

	private LocalProcessSandbox sandbox;

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.directory = Files.createTempDirectory("sandbox-fixture-");
		Files.createDirectory(workspace());
		Files.createDirectory(state());
		this.sandbox = new LocalProcessSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.directory(state())));
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		this.sandbox.close();
		try {
			assertThat(state()).isEmptyDirectory();
		}
		finally {
			try (var files = Files.walk(this.directory)) {
				files.sorted((a, b) -> b.compareTo(a)).forEach((file) -> file.toFile().delete());
			}
		}
	}

	LocalProcessSandbox sandbox() {
		return this.sandbox;
	}

	Commands commands() {
		return new Commands(this.sandbox, workspace());
	}

	Path workspace() {
		return this.directory.resolve("workspace");
	}

	private Path state() {
		return this.directory.resolve("state");
	}

}
