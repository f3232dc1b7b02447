package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.TreeDeletion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A sandbox with a workspace for all tests of a class and of those nested in it, which
 * run one after the other: a machine is started once instead of for each test. Tests
 * whose name starts with "closing" have a sandbox of their own.
 */
final class SharedSandbox implements BeforeEachCallback, AfterAllCallback {

	private final MicroVmOptions options;

	private @Nullable MicroVmSandbox sandbox;

	private @Nullable Path directory;

	/** The sandbox of a test that closes it. */
	private @Nullable MicroVmSandbox own;

	private boolean closing;

	/**
	 * Creates the value.
	 * @param options the options of the sandbox
	 */
	SharedSandbox(MicroVmOptions options) {
		this.options = options;
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.closing = context.getRequiredTestMethod().getName().startsWith("closing");
	}

	/**
	 * Returns the workspace, which is empty.
	 */
	Path workspace() throws IOException {
		Path parent = this.directory;
		if (parent == null) {
			parent = Files.createTempDirectory("shared-").toRealPath();
			this.directory = parent;
		}
		Path workspace = Files.createDirectories(parent.resolve("workspace"));
		List<Path> entries;
		try (Stream<Path> listed = Files.list(workspace)) {
			entries = listed.toList();
		}
		for (Path entry : entries) {
			TreeDeletion.delete(entry);
		}
		return workspace;
	}

	/**
	 * Returns the sandbox, which the test cannot close, or one that it can.
	 */
	ExecutionSandbox sandbox() {
		if (this.closing) {
			MicroVmSandbox created = MicroVmFixture.sandbox(this.options);
			this.own = created;
			return MicroVmFixture.granting(created);
		}
		this.own = null;
		MicroVmSandbox shared = this.sandbox;
		if (shared == null) {
			shared = MicroVmFixture.sandbox(this.options);
			this.sandbox = shared;
		}
		return new Open(MicroVmFixture.granting(shared));
	}

	int countProcesses(String argument) {
		return Stream.of(this.sandbox, this.own)
			.mapToInt((opened) -> (opened != null) ? opened.countProcesses(argument) : 0)
			.sum();
	}

	/**
	 * Closes the sandbox. Called for nested classes as well.
	 */
	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		boolean nested = context.getRequiredTestClass().isMemberClass();
		if (!nested && this.sandbox != null) {
			this.sandbox.close();
			this.sandbox = null;
		}
		if (!nested && this.directory != null) {
			TreeDeletion.delete(this.directory);
			this.directory = null;
		}
	}

	/**
	 * A sandbox that cannot be closed.
	 *
	 * @param sandbox the sandbox
	 */
	private record Open(ExecutionSandbox sandbox) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return this.sandbox.capabilities();
		}

	}

}
