package io.kairo.sandbox.remote.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.host.Sha256;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.remote.protocol.WantedMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ServedCopy}, with requests as any client may send them.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CopyRequestsTests {

	private static final String ONE = "the token of client one";

	private static final String TWO = "the token of client two";

	private static final CopyLine ROOT = new CopyLine(CopyLine.Type.ROOT, "/client/work", 0755, 0, 0, null, false);

	private static final byte[] SECRET = "the content of a secret".getBytes(StandardCharsets.US_ASCII);

	private static final String HASH = Sha256.hex(SECRET);

	private static final HttpClient http = HttpClient.newHttpClient();

	@TempDir
	Path directory;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private SandboxServer server;

	@BeforeEach
	void open() throws Exception {
		Files.createDirectory(this.directory.resolve("copies"));
		open(Duration.ofSeconds(30));
	}

	private void open(Duration lease) {
		this.server = new SandboxServer(this.sandbox,
				SandboxServerOptions
					.of(new RemoteClient("one", ONE, Set.of(), List.of("/srv/none")),
							new RemoteClient("two", TWO, Set.of("a"), List.of("/srv/none")))
					.withMaxCommands(4)
					.withLease(lease)
					.withCopies(new CopyOptions(this.directory.resolve("copies"), 1 << 20, null)));
	}

	@AfterEach
	void close() throws IOException {
		this.server.close();
		this.sandbox.close();
		try (Stream<Path> left = Files.list(this.directory.resolve("copies"))) {
			assertThat(left).isEmpty();
		}
	}

	private HttpResponse<byte[]> send(String token, String method, String path, byte[] body) throws Exception {
		int port = Objects.requireNonNull(this.server.address()).getPort();
		return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/" + path))
			.header("Authorization", "Bearer " + token)
			.method(method, BodyPublishers.ofByteArray(body))
			.build(), BodyHandlers.ofByteArray());
	}

	private static String text(HttpResponse<byte[]> response) {
		return new String(response.body(), StandardCharsets.UTF_8);
	}

	private String lease(String token) throws Exception {
		return "leases/" + Messages.read(send(token, "POST", "leases", new byte[0]).body(), LeaseMessage.class).lease();
	}

	private static byte[] manifest(CopyLine... lines) throws IOException {
		ByteArrayOutputStream manifest = new ByteArrayOutputStream();
		for (CopyLine line : lines) {
			line.write(manifest);
		}
		return manifest.toByteArray();
	}

	private static CopyLine file(String path, byte[] content) {
		return new CopyLine(CopyLine.Type.FILE, path, 0644, 0, content.length, Sha256.hex(content), false);
	}

	private static CopyLine link(String path, String target) {
		return new CopyLine(CopyLine.Type.LINK, path, 0777, 0, 0, target, false);
	}

	private static CopyLine directory(String path, boolean fixed) {
		return new CopyLine(CopyLine.Type.DIRECTORY, path, 0755, 0, 0, null, fixed);
	}

	private static byte[] copy(String tenant, byte[] manifest) {
		return Messages.write(new CopyMessage(tenant, Sha256.hex(manifest), manifest.length));
	}

	private static byte[] piece(String hash, long from, byte[] bytes) {
		ByteBuffer piece = ByteBuffer.allocate(Piece.HEADER + bytes.length);
		Piece.putHeader(piece, hash, from, bytes.length);
		return piece.put(bytes).array();
	}

	/**
	 * Sends a manifest, and returns the last answer.
	 */
	private HttpResponse<byte[]> prepare(String token, String copy, String tenant, byte[] manifest) throws Exception {
		HttpResponse<byte[]> first = send(token, "PUT", copy, copy(tenant, manifest));
		assertThat(first.statusCode()).isEqualTo(200);
		MissingMessage missing = Messages.read(first.body(), MissingMessage.class);
		if (!missing.missing().isEmpty()) {
			assertThat(missing.missing()).containsExactly(Sha256.hex(manifest));
			assertThat(send(token, "PUT", copy + "/content", piece(Sha256.hex(manifest), 0, manifest)).statusCode())
				.isEqualTo(204);
		}
		return send(token, "PUT", copy, copy(tenant, manifest));
	}

	private static byte[] start(String command, String tenant, @Nullable String directory) {
		return Messages.write(new StartMessage(command, "copy:/client/work", directory, null, Map.of(), 30_000, 1 << 20,
				0, new StartMessage.TenantMessage(tenant, "someone", Map.of()), false, List.of(), List.of(), true,
				false, null, false, false, List.of()));
	}

	@Test
	void missingContentsAreAskedForAndTheCommandSeesThem() throws Exception {
		String lease = lease(ONE);
		byte[] manifest = manifest(ROOT, directory("dir", false), file("dir/secret", SECRET));
		assertThat(text(prepare(ONE, lease + "/copies/1", "a", manifest))).contains(HASH, "\"ready\":false");
		assertThat(send(ONE, "PUT", lease + "/commands/1", start("true", "a", null)).statusCode()).isEqualTo(409);
		byte[] first = piece(HASH, 0, Arrays.copyOf(SECRET, 10));
		for (int i = 0; i < 2; i++) {
			assertThat(send(ONE, "PUT", lease + "/copies/1/content", first).statusCode()).isEqualTo(204);
		}
		byte[] gap = piece(HASH, 11, Arrays.copyOfRange(SECRET, 11, SECRET.length));
		assertThat(send(ONE, "PUT", lease + "/copies/1/content", gap).statusCode()).isEqualTo(409);
		byte[] rest = piece(HASH, 5, Arrays.copyOfRange(SECRET, 5, SECRET.length));
		for (int i = 0; i < 2; i++) {
			assertThat(send(ONE, "PUT", lease + "/copies/1/content", rest).statusCode()).isEqualTo(204);
		}
		for (int i = 0; i < 2; i++) {
			assertThat(text(send(ONE, "PUT", lease + "/copies/1", copy("a", manifest)))).contains("\"ready\":true");
		}
		assertThat(send(ONE, "PUT", lease + "/copies/1", copy("b", manifest)).statusCode()).isEqualTo(409);
		assertThat(
				send(ONE, "PUT", lease + "/commands/1", start("cat dir/secret", "a", "copy:/client/work")).statusCode())
			.isEqualTo(201);
		assertThat(text(send(ONE, "GET", lease + "/commands/1/output", new byte[0])))
			.contains(new String(SECRET, StandardCharsets.US_ASCII));
		assertThat(text(send(ONE, "GET", lease + "/copies/1/changes", new byte[0]))).contains("\"ready\":true",
				"\"size\":0");
	}

	@Test
	void contentOfAnotherTenantOrClientIsMissing() throws Exception {
		byte[] manifest = manifest(ROOT, file("secret", SECRET));
		String lease = lease(ONE);
		prepare(ONE, lease + "/copies/1", "a", manifest);
		send(ONE, "PUT", lease + "/copies/1/content", piece(HASH, 0, SECRET));
		assertThat(text(send(ONE, "PUT", lease + "/copies/1", copy("a", manifest)))).contains("\"ready\":true");
		// the same client and tenant need not send it again
		assertThat(text(prepare(ONE, lease + "/copies/2", "a", manifest))).contains("\"ready\":true");
		String other = lease(TWO);
		assertThat(text(prepare(ONE, lease + "/copies/3", "b", manifest))).contains(HASH, "\"ready\":false");
		assertThat(text(prepare(TWO, other + "/copies/1", "a", manifest))).contains(HASH, "\"ready\":false");
		byte[] wanted = Messages.write(new WantedMessage(List.of(new WantedMessage.Content(HASH, 0))));
		for (String copy : List.of(lease + "/copies/1", lease + "/copies/3")) {
			assertThat(send(ONE, "POST", copy + "/content", wanted).statusCode()).isEqualTo(400);
		}
		assertThat(send(TWO, "POST", other + "/copies/1/content", wanted).statusCode()).isEqualTo(400);
		assertThat(send(TWO, "POST", lease + "/copies/1/content", wanted).statusCode()).isEqualTo(404);
		assertThat(send(TWO, "PUT", lease + "/copies/1", copy("a", manifest)).statusCode()).isEqualTo(404);
		assertThat(send(TWO, "PUT", other + "/copies/2", copy("b", manifest)).statusCode()).isEqualTo(403);
	}

	@Test
	void copyOfOneTenantIsNotUsedForACommandOfAnother() throws Exception {
		String lease = lease(ONE);
		prepare(ONE, lease + "/copies/1", "a", manifest(ROOT));
		HttpResponse<byte[]> response = send(ONE, "PUT", lease + "/commands/1", start("true", "b", null));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(text(response)).contains("another tenant");
	}

	static Stream<List<CopyLine>> hostile() {
		CopyLine inner = new CopyLine(CopyLine.Type.ROOT, "/client/work/inner", 0755, 0, 0, null, false);
		return Stream.of(List.of(ROOT, link("a", "/etc"), link("a/b", "x")), List.of(ROOT, link("missing/b", "x")),
				List.of(ROOT, link("a", "x"), link("a", "y")), List.of(ROOT, link("../a", "x")),
				List.of(ROOT, link("/a", "x")), List.of(ROOT, link("a/../b", "x")), List.of(ROOT, link("./a", "x")),
				List.of(ROOT, link("", "x")), List.of(ROOT, link(".", "x")), List.of(ROOT, link("..", "x")),
				List.of(ROOT, directory("a", false), link("a//b", "x")), List.of(ROOT, link("a\0b", "x")),
				List.of(ROOT, link("a", "x\0y")), List.of(link("a", "x")), List.of(ROOT, ROOT), List.of(ROOT, inner),
				List.of(ROOT, link("inner", "/etc"), inner), List.of(ROOT, directory("inner", false), inner),
				List.of(ROOT, directory("inner", true), link("inner/a", "x"), inner),
				List.of(new CopyLine(CopyLine.Type.ROOT, "/", 0755, 0, 0, null, false)),
				List.of(new CopyLine(CopyLine.Type.ROOT, "/a/../b", 0755, 0, 0, null, false)),
				List.of(new CopyLine(CopyLine.Type.ROOT, "relative", 0755, 0, 0, null, false)),
				List.of(ROOT, new CopyLine(CopyLine.Type.DELETED, "a", 0, 0, 0, null, false)),
				List.of(ROOT, file("a", SECRET), new CopyLine(CopyLine.Type.FILE, "b", 0644, 0, 7, HASH, false)));
	}

	@ParameterizedTest
	@MethodSource("hostile")
	void manifestThatLeadsElsewhereIsRefusedAndNothingIsLeft(List<CopyLine> lines) throws Exception {
		String lease = lease(ONE);
		HttpResponse<byte[]> response = prepare(ONE, lease + "/copies/1", "a",
				manifest(lines.toArray(CopyLine[]::new)));
		if (response.statusCode() == 200) {
			// the directories are created when nothing is missing
			send(ONE, "PUT", lease + "/copies/1/content", piece(HASH, 0, SECRET));
			response = prepare(ONE, lease + "/copies/1", "a", manifest(lines.toArray(CopyLine[]::new)));
		}
		assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
		assertThat(text(response)).contains("invalid_request");
		assertNoDirectories();
	}

	private void assertNoDirectories() {
		// another directory may be removed meanwhile
		await().ignoreException(UncheckedIOException.class).untilAsserted(() -> {
			try (Stream<Path> all = Files.walk(this.directory.resolve("copies"))) {
				assertThat(all.filter((path) -> path.getFileName().toString().startsWith("copy-"))).isEmpty();
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "null", "[]", "{\"type\":\"ROOT\"}\n", "{\"type\":\"WHATEVER\",\"path\":\"/a\"}",
			"{\"type\":\"FILE\",\"path\":\"a\",\"size\":1,\"content\":\"x\"}" })
	void manifestThatCannotBeReadIsRefused(String manifest) throws Exception {
		HttpResponse<byte[]> response = prepare(ONE, lease(ONE) + "/copies/1", "a",
				manifest.getBytes(StandardCharsets.UTF_8));
		assertThat(response.statusCode()).isEqualTo(400);
	}

	@Test
	void contentWithAnotherHashIsRefused() throws Exception {
		String lease = lease(ONE);
		prepare(ONE, lease + "/copies/1", "a", manifest(ROOT, file("secret", SECRET)));
		byte[] other = SECRET.clone();
		other[0]++;
		HttpResponse<byte[]> response = send(ONE, "PUT", lease + "/copies/1/content", piece(HASH, 0, other));
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(text(response)).contains("another hash");
		assertThat(send(ONE, "PUT", lease + "/copies/1/content", piece(HASH, 0, SECRET)).statusCode()).isEqualTo(204);
	}

	@Test
	void contentThatIsNotMissingOrTooLongIsRefused() throws Exception {
		String lease = lease(ONE);
		prepare(ONE, lease + "/copies/1", "a", manifest(ROOT, file("secret", SECRET)));
		byte[] planted = "planted".getBytes(StandardCharsets.US_ASCII);
		assertThat(send(ONE, "PUT", lease + "/copies/1/content", piece(Sha256.hex(planted), 0, planted)).statusCode())
			.isEqualTo(400);
		byte[] longer = Arrays.copyOf(SECRET, SECRET.length + 1);
		assertThat(send(ONE, "PUT", lease + "/copies/1/content", piece(HASH, 0, longer)).statusCode()).isEqualTo(409);
		byte[] cut = Arrays.copyOf(piece(HASH, 0, SECRET), Piece.HEADER + 3);
		assertThat(send(ONE, "PUT", lease + "/copies/1/content", cut).statusCode()).isEqualTo(400);
	}

	@Test
	void sizeThatIsPretendedIsRefused() throws Exception {
		CopyLine bomb = new CopyLine(CopyLine.Type.FILE, "bomb", 0644, 0, 1L << 40, HASH, false);
		HttpResponse<byte[]> response = prepare(ONE, lease(ONE) + "/copies/1", "a", manifest(ROOT, bomb));
		assertThat(response.statusCode()).isEqualTo(422);
		assertThat(text(response)).contains("setup_failed", "more than 1048576 bytes");
		for (long size : new long[] { 0, -1, CopyMessage.MOST_BYTES + 1 }) {
			String message = "{\"tenant\":\"a\",\"manifest\":\"" + HASH + "\",\"size\":" + size + "}";
			assertThat(
					send(ONE, "PUT", lease(ONE) + "/copies/1", message.getBytes(StandardCharsets.UTF_8)).statusCode())
				.isEqualTo(400);
		}
	}

	@Test
	void linkInTheCopyLeadsNoCommandElsewhere() throws Exception {
		String lease = lease(ONE);
		prepare(ONE, lease + "/copies/1", "a", manifest(ROOT, link("out", "/etc"), link("up", "../../..")));
		for (String start : List.of("copy:/client/work/out", "copy:/client/work/up", "copy:/client/work/../..",
				"copy:/client", "copy:/etc", "copy:", "copy:work", "/etc", "/client/work")) {
			assertThat(send(ONE, "PUT", lease + "/commands/1", start("true", "a", start)).statusCode()).as(start)
				.isEqualTo(403);
		}
	}

	@Test
	void numberOfCopiesIsLimitedAndEndsWithTheLease() throws Exception {
		this.server.close();
		open(Duration.ofSeconds(2));
		String lease = lease(ONE);
		for (int i = 1; i <= 4; i++) {
			assertThat(text(prepare(ONE, lease + "/copies/" + i, "a", manifest(ROOT)))).contains("\"ready\":true");
		}
		assertThat(send(ONE, "PUT", lease + "/copies/6", copy("a", manifest(ROOT))).statusCode()).isEqualTo(429);
		send(ONE, "DELETE", lease + "/commands/2", new byte[0]);
		assertThat(send(ONE, "PUT", lease + "/copies/2", copy("a", manifest(ROOT))).statusCode()).isEqualTo(410);
		assertThat(text(prepare(ONE, lease + "/copies/5", "a", manifest(ROOT)))).contains("\"ready\":true");
		assertThat(send(ONE, "GET", lease + "/copies/5/changes", new byte[0]).statusCode()).isEqualTo(409);
		// nothing renews the lease
		await().atMost(Duration.ofSeconds(20)).untilAsserted(this::assertNoDirectories);
		assertThat(text(prepare(ONE, lease(ONE) + "/copies/1", "a", manifest(ROOT)))).contains("\"ready\":true");
	}

	@Test
	void changesCanBeReadFromAnyByteAndNothingElse() throws Exception {
		String lease = lease(ONE);
		byte[] manifest = manifest(ROOT);
		prepare(ONE, lease + "/copies/1", "a", manifest);
		send(ONE, "PUT", lease + "/commands/1", start("printf 0123456789 > new; read x", "a", null));
		byte[] pending = send(ONE, "GET", lease + "/copies/1/changes", new byte[0]).body();
		assertThat(Messages.read(pending, ChangesMessage.class).ready()).isFalse();
		send(ONE, "PUT", lease + "/commands/1/input?end=true", new byte[0]);
		ChangesMessage changes = Messages.read(send(ONE, "GET", lease + "/copies/1/changes", new byte[0]).body(),
				ChangesMessage.class);
		assertThat(changes.ready()).isTrue();
		String content = Sha256.hex("0123456789".getBytes(StandardCharsets.US_ASCII));
		String list = Objects.requireNonNull(changes.changes());
		byte[] wanted = Messages.write(
				new WantedMessage(List.of(new WantedMessage.Content(content, 4), new WantedMessage.Content(list, 0))));
		for (int i = 0; i < 2; i++) {
			byte[] pieces = send(ONE, "POST", lease + "/copies/1/content", wanted).body();
			assertThat(pieces).startsWith(piece(content, 4, "456789".getBytes(StandardCharsets.US_ASCII)));
			assertThat(new String(pieces, StandardCharsets.ISO_8859_1)).contains("\"/client/work\"", "\"new\"",
					content);
		}
		for (WantedMessage.Content other : List.of(new WantedMessage.Content(Sha256.hex(manifest), 0),
				new WantedMessage.Content(content, 11), new WantedMessage.Content(HASH, 0))) {
			assertThat(send(ONE, "POST", lease + "/copies/1/content", Messages.write(new WantedMessage(List.of(other))))
				.statusCode()).isEqualTo(400);
		}
	}

}
