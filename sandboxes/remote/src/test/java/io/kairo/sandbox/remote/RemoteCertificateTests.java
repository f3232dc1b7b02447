package io.kairo.sandbox.remote;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RemoteSandbox} with certificates.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class RemoteCertificateTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	static Path stores;

	@TempDir
	Path directory;

	private final LocalProcessSandbox local = new LocalProcessSandbox();

	private SandboxServer server;

	@BeforeAll
	static void create() throws Exception {
		for (String name : List.of("worker", "agents", "stranger")) {
			create(name, name);
		}
	}

	@BeforeEach
	void open() throws Exception {
		RemoteClient client = new RemoteClient("agents", RemotePair.TOKEN, Set.of(), List.of("/"));
		this.server = new SandboxServer(this.local,
				new SandboxServerOptions(new InetSocketAddress("127.0.0.1", 0), List.of(client),
						ssl("worker", "agents", "stranger"), Duration.ofSeconds(30), 10, Duration.ofMinutes(1), null));
	}

	@AfterEach
	void close() {
		this.server.close();
		this.local.close();
	}

	private static void create(String store, String name) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", store, "-keyalg", "EC",
				"-dname", "CN=" + name + ", O=Tests", "-ext", "SAN=ip:127.0.0.1", "-storepass", new String(PASSWORD),
				"-keystore", stores.resolve(store).toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

	/**
	 * Returns a context with the key of one name that trusts the others.
	 */
	private SSLContext ssl(@Nullable String own, String... trusted) throws Exception {
		KeyStore authorities = KeyStore.getInstance("PKCS12");
		authorities.load(null, PASSWORD);
		for (String name : trusted) {
			authorities.setCertificateEntry(name, load(name).getCertificate(name));
		}
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(authorities);
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		if (own != null) {
			keys.init(load(own), PASSWORD);
		}
		SSLContext context = SSLContext.getInstance("TLS");
		context.init((own != null) ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
		return context;
	}

	private KeyStore load(String name) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream file = Files.newInputStream(stores.resolve(name))) {
			store.load(file, PASSWORD);
		}
		return store;
	}

	private RemoteSandbox sandbox(@Nullable String token, SSLContext ssl) {
		int port = Objects.requireNonNull(this.server.address()).getPort();
		return new RemoteSandbox(RemoteSandboxOptions
			.of(URI.create("https://127.0.0.1:" + port), token, new PathMapping(Path.of("/"), "/"))
			.with((options) -> options.ssl(ssl).patience(Duration.ofSeconds(1))));
	}

	private void assertRuns(RemoteSandbox sandbox) {
		try (sandbox; SandboxHandle handle = sandbox.start(request())) {
			assertThat(handle.exit().block().exitCode()).isEqualTo(7);
		}
	}

	private SandboxRequest request() {
		return new SandboxRequest.Builder("exit 7", this.directory).build();
	}

	private void assertUnavailable(RemoteSandbox sandbox) {
		try (sandbox) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE));
		}
	}

	@Test
	void clientIsKnownByTheNameInItsCertificate() throws Exception {
		assertRuns(sandbox(null, ssl("agents", "worker")));
		assertUnavailable(sandbox(null, ssl("stranger", "worker")));
		assertUnavailable(sandbox(null, ssl(null, "worker")));
	}

	@Test
	void clientIsKnownByItsToken() throws Exception {
		assertRuns(sandbox(RemotePair.TOKEN, ssl(null, "worker")));
		assertUnavailable(sandbox("a token that is wrong", ssl("agents", "worker")));
	}

	@Test
	void workerThatIsNotTrustedGetsNoToken() throws Exception {
		assertUnavailable(sandbox(RemotePair.TOKEN, ssl(null, "stranger")));
	}

	@Test
	void certificateThatTheWorkerRefusesIsTheProblem() throws Exception {
		create("impostor", "agents");
		try (RemoteSandbox sandbox = sandbox(null, ssl("impostor", "worker"))) {
			// on a busy machine the worker may not answer in time
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				sandbox.connect();
				assertThat(sandbox.isRefused()).isTrue();
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request()))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
					.withMessageContaining("no secure connection")
					.withMessageContaining("certificate_unknown");
			});
		}
	}

}
