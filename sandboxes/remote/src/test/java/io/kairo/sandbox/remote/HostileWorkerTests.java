package io.kairo.sandbox.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.EndMessage;
import io.kairo.sandbox.remote.protocol.Frame;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RemoteSandbox} with a worker that answers what the test wants.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostileWorkerTests {

	private static final byte[] CONTENT = "evil".getBytes(StandardCharsets.US_ASCII);

	private static final String HASH = Sha256.hex(CONTENT);

	@TempDir
	Path directory;

	private Path workspace;

	private HttpServer worker;

	private RemoteSandbox sandbox;

	/** What the worker needs before it is ready. */
	private volatile List<String> missing = List.of();

	/** The list of changes. */
	private volatile byte[] list = {};

	/** The size that it is told to have. */
	private volatile long listSize = -1;

	/** The pieces that it sends besides those of the list. */
	private volatile byte[] pieces = piece(HASH, 0, CONTENT);

	@BeforeEach
	void open() throws IOException {
		this.workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
		Files.createDirectory(this.workspace.resolve("dir"));
		Files.writeString(this.workspace.resolve("dir/kept"), "kept");
		Files.createSymbolicLink(this.workspace.resolve("link"),
				Files.createDirectory(this.workspace.resolveSibling("outside")));
		this.worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.worker.createContext("/", this::answer);
		this.worker.start();
		this.sandbox = new RemoteSandbox(RemoteSandboxOptions
			.of(URI.create("http://127.0.0.1:" + this.worker.getAddress().getPort()), RemotePair.TOKEN)
			.with((options) -> options.copies(new WorkspaceCopies(1 << 20, List.of()))
				.patience(Duration.ofSeconds(2))));
	}

	@AfterEach
	void close() {
		this.sandbox.close();
		this.worker.stop(0);
	}

	private void answer(HttpExchange exchange) throws IOException {
		String route = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
		byte[] request = exchange.getRequestBody().readAllBytes();
		byte[] body = {};
		if (route.equals("POST /v1/leases")) {
			body = Messages.write(new LeaseMessage("lease", 10, 0, 100, false));
		}
		else if (route.matches("PUT .*/copies/\\d+")) {
			body = Messages.write(new MissingMessage(this.missing, this.missing.isEmpty()));
		}
		else if (route.endsWith("/output")) {
			body = Frame.of(Frame.END, Messages.write(new EndMessage(0, null, false, 0, false, null, false, 0, null)),
					0);
		}
		else if (route.endsWith("/changes")) {
			long size = (this.listSize >= 0) ? this.listSize : this.list.length;
			body = Messages.write(new ChangesMessage(true, Sha256.hex(this.list), size));
		}
		else if (route.matches("POST .*/content")) {
			body = new String(request, StandardCharsets.US_ASCII).contains(Sha256.hex(this.list))
					? piece(Sha256.hex(this.list), 0, this.list) : this.pieces;
		}
		exchange.sendResponseHeaders(200, (body.length > 0) ? body.length : -1);
		try (OutputStream output = exchange.getResponseBody()) {
			output.write(body);
		}
	}

	private static byte[] piece(String hash, long from, byte[] bytes) {
		ByteBuffer piece = ByteBuffer.allocate(Piece.HEADER + bytes.length);
		Piece.putHeader(piece, hash, from, bytes.length);
		return piece.put(bytes).array();
	}

	private CopyLine root() {
		return new CopyLine(CopyLine.Type.ROOT, this.workspace.toString(), 0755, 0, 0, null, false);
	}

	private static CopyLine file(String path) {
		return new CopyLine(CopyLine.Type.FILE, path, 0644, 0, CONTENT.length, HASH, false);
	}

	private static CopyLine other(CopyLine.Type type, String path, String content) {
		return new CopyLine(type, path, 0755, 0, 0, content, false);
	}

	private static byte[] lines(CopyLine... lines) throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (CopyLine line : lines) {
			line.write(all);
		}
		return all.toByteArray();
	}

	/**
	 * Runs a command.
	 * @return its error output
	 */
	private String run() {
		try (SandboxHandle handle = this.sandbox.start(new SandboxRequest.Builder("true", this.workspace).build())) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(40)));
			assertThat(exit.exitCode()).isZero();
			StringBuilder output = new StringBuilder();
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				output.append(new String(chunk.data(), StandardCharsets.UTF_8));
			}
			return output.toString();
		}
	}

	private void assertUntouched() throws IOException {
		try (Stream<Path> all = Files.walk(this.workspace.getParent())) {
			assertThat(all.map((path) -> this.workspace.getParent().relativize(path).toString()))
				.containsExactlyInAnyOrder("", "workspace", "workspace/dir", "workspace/dir/kept", "workspace/link",
						"outside");
		}
		assertThat(this.workspace.resolve("dir/kept")).hasContent("kept");
	}

	private static void assertRefused(String remarks, String reason) {
		assertThat(remarks).startsWith("kairo: what the command changed was not or not completely copied back: ")
			.contains(reason)
			.hasLineCount(1);
	}

	@Test
	void changesOfAnHonestWorkerAreApplied() throws IOException {
		this.list = lines(root(), file("new"), other(CopyLine.Type.DELETED, "dir/kept", null),
				other(CopyLine.Type.DELETED, "dir", null));
		assertThat(run()).isEmpty();
		assertThat(this.workspace.resolve("new")).hasContent("evil");
		assertThat(this.workspace.resolve("dir")).doesNotExist();
	}

	static Stream<CopyLine> elsewhere() {
		return Stream
			.of("../escaped", "/tmp/escaped", "dir/../../escaped", "./x", "", ".", "..", "dir//x", "a\0b", "dir/")
			.flatMap((path) -> Stream.of(file(path), other(CopyLine.Type.DIRECTORY, path, null),
					other(CopyLine.Type.LINK, path, "x"), other(CopyLine.Type.DELETED, path, null)));
	}

	@ParameterizedTest
	@MethodSource("elsewhere")
	void pathThatLeadsElsewhereIsRefusedAndNothingIsApplied(CopyLine line) throws IOException {
		this.list = lines(root(), file("first"), line);
		assertRefused(run(), "the worker sent something else: The path");
		assertUntouched();
	}

	@Test
	void linkIsNotFollowed() throws IOException {
		this.list = lines(root(), other(CopyLine.Type.LINK, "planted", this.directory.toString()),
				file("planted/escaped"), file("link/escaped"), other(CopyLine.Type.DELETED, "link/x", null));
		assertThat(run().lines()).hasSize(2)
			.anyMatch((line) -> line.startsWith("kairo: planted/escaped was not copied back"))
			.anyMatch((line) -> line.startsWith("kairo: link/escaped was not copied back"));
		assertThat(Files.isSymbolicLink(this.workspace.resolve("planted"))).isTrue();
		assertThat(this.directory.resolve("escaped")).doesNotExist();
		assertThat(this.workspace.resolveSibling("outside")).isEmptyDirectory();
	}

	@Test
	void pathTwiceIsRefused() throws IOException {
		this.list = lines(root(), file("new"), other(CopyLine.Type.DELETED, "new", null));
		assertRefused(run(), "twice");
		this.list = lines(root(), file("new"), file("new"));
		assertRefused(run(), "twice");
		assertUntouched();
	}

	@Test
	void otherDirectoryIsRefused() throws IOException {
		CopyLine outside = new CopyLine(CopyLine.Type.ROOT, this.workspace.resolveSibling("outside").toString(), 0755,
				0, 0, null, false);
		for (byte[] each : List.of(lines(outside, file("new")), lines(file("new")), lines(root(), root()))) {
			this.list = each;
			assertRefused(run(), "the worker");
		}
		assertUntouched();
	}

	@Test
	void otherContentIsRefusedAndNothingIsApplied() throws IOException {
		this.list = lines(root(), other(CopyLine.Type.DELETED, "dir/kept", null), file("new"));
		byte[] other = "EVIL".getBytes(StandardCharsets.US_ASCII);
		byte[] longer = "evil and more".getBytes(StandardCharsets.US_ASCII);
		for (byte[] each : List.of(piece(HASH, 0, other), piece(HASH, 0, longer), piece(HASH, 1, other),
				piece(Sha256.hex(other), 0, other), piece(HASH, 0, new byte[0]), new byte[0], new byte[10],
				new byte[5 << 20])) {
			this.pieces = each;
			assertRefused(run(), "");
			assertUntouched();
		}
	}

	@Test
	void tooMuchIsRefusedBeforeItIsReceived() throws IOException {
		CopyLine bomb = new CopyLine(CopyLine.Type.FILE, "bomb", 0644, 0, 1L << 40, HASH, false);
		this.list = lines(root(), other(CopyLine.Type.DELETED, "dir/kept", null), bomb);
		assertRefused(run(), "more than 1048576 bytes");
		this.list = lines(root());
		this.listSize = 1L << 40;
		assertRefused(run(), "their list has more than");
		assertUntouched();
	}

	@Test
	void listThatIsNoneIsRefused() throws IOException {
		for (String each : List.of("{", "[1]", "null", "{\"type\":\"FILE\",\"path\":\"x\"}")) {
			this.list = each.getBytes(StandardCharsets.US_ASCII);
			assertRefused(run(), "the worker sent something else");
		}
		assertUntouched();
	}

	@Test
	void contentThatIsNotCopiedIsNotSent() throws IOException {
		Path secret = Files.writeString(this.workspace.resolveSibling("outside").resolve("secret"), "secret");
		this.missing = List.of(Sha256.hex(Files.readAllBytes(secret)));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::run)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
			.havingCause()
			.withMessageContaining("cannot be missing");
	}

	@Test
	void workerThatIsNeverContentIsGivenUp() {
		this.missing = List.of(Sha256.hex("kept".getBytes(StandardCharsets.US_ASCII)));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::run)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE));
	}

}
