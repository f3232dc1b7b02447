package io.kairo.sandbox.remote;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a client stays in its roots if its directories are replaced with links to
 * those of another client while its commands start, on a worker with bubblewrap. A
 * program in the place of bubblewrap can replace them as well.
 */
@RequiresBubblewrap
class SwappedDirectoryTests {

	private static final String ONE = "the token of client one";

	private static final String TWO = "the token of client two";

	private static final String ATTACK = "cat secret; echo x > written";

	@TempDir
	Path directory;

	private Path own;

	private Path other;

	/** What happens after the server has checked a request. */
	private Runnable afterCheck = () -> {
	};

	private BubblewrapSandbox sandbox;

	private SandboxServer server;

	private RemoteSandbox client;

	@BeforeEach
	void open() throws IOException {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.own = directory("one/work");
		this.other = directory("two/work");
		Files.writeString(this.other.resolve("secret"), "secret of two");
		Path program = Files.writeString(directory("program").resolve("bwrap"), """
				#!/bin/sh
				[ ! -f '%1$s/swap' ] || (cd '%1$s' && . ./swap)
				exec bwrap "$@"
				""".formatted(this.own));
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)));
		this.server = new SandboxServer(new Delaying(this.sandbox, () -> this.afterCheck.run()),
				SandboxServerOptions.of(
						new RemoteClient("one", ONE, Set.of(), List.of(this.directory.resolve("one").toString())),
						new RemoteClient("two", TWO, Set.of(), List.of(this.directory.resolve("two").toString()))));
		int port = Objects.requireNonNull((InetSocketAddress) this.server.address()).getPort();
		this.client = new RemoteSandbox(RemoteSandboxOptions.of(URI.create("http://127.0.0.1:" + port), ONE,
				new PathMapping(Path.of("/"), "/")));
	}

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
		this.sandbox.close();
	}

	private Path directory(String name) throws IOException {
		Path created = Files.createDirectories(this.directory.toRealPath().resolve(name));
		for (Path each : List.of(created.getParent(), created)) {
			Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
		}
		return created;
	}

	private String run(SandboxRequest.Builder request) {
		try (SandboxHandle handle = this.client.start(request.build())) {
			StringBuilder out = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((SandboxOutputChunk chunk) -> out.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return out + " " + Objects.requireNonNull(handle.exit().block()).exitCode();
		}
	}

	private void replace(Path directory) {
		try {
			Files.move(directory, directory.resolveSibling("moved"));
			Files.createSymbolicLink(directory, this.other);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void assertRefused(SandboxRequest.Builder request) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> {
			String out = run(request);
			assertThat(out).as("output of a command that should not have run").doesNotContain("secret of two");
		}).satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
		assertThat(this.other.resolve("written")).doesNotExist();
	}

	@Test
	void workspaceThatIsReplacedAfterTheCheckIsRefused() throws IOException {
		Files.writeString(this.own.resolve("secret"), "own");
		assertThat(run(new SandboxRequest.Builder(ATTACK, this.own))).isEqualTo("own 0");
		this.afterCheck = () -> replace(this.own);
		assertRefused(new SandboxRequest.Builder(ATTACK, this.own));
	}

	@Test
	void mountThatIsReplacedAfterTheCheckIsRefused() throws IOException {
		Path mount = directory("one/mount");
		this.afterCheck = () -> replace(mount);
		assertRefused(new SandboxRequest.Builder("cd /shown; " + ATTACK, this.own)
			.attributes(SandboxAttributes.builder().mounts(List.of(new Mount(mount, "/shown", true))).build()));
	}

	@Test
	void environmentOfAClientDoesNotRunIfItsMountIsReplacedMeanwhile() throws IOException {
		Path mount = directory("one/work/mount");
		Path hook = Files.writeString(this.own.resolve("hook"), "cd /shown; " + ATTACK + "; exit");
		Files.writeString(this.own.resolve("swap"), "mv mount moved; ln -s '" + this.other + "' mount");
		assertRefused(new SandboxRequest.Builder("true", this.own).env(Map.of("BASH_ENV", hook.toString()))
			.attributes(SandboxAttributes.builder().mounts(List.of(new Mount(mount, "/shown", true))).build()));
	}

	/**
	 * A sandbox that does something before each start.
	 */
	private record Delaying(ExecutionSandbox sandbox, Runnable before) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			this.before.run();
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return this.sandbox.capabilities();
		}

	}

}
