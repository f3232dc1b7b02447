package io.kairo.boot;

import java.lang.Thread.State;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link BundleSslContext}.
 */
@Timeout(30)
class BundleSslContextTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	private static Path directory;

	private static SslBundle first;

	private static SslBundle second;

	private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

	private SSLContext context;

	@BeforeAll
	static void createBundles() throws Exception {
		first = bundle("first");
		second = bundle("second");
	}

	@BeforeEach
	void register() {
		this.bundles.registerBundle("worker", first);
		this.context = BundleSslContext.of(this.bundles, "worker");
	}

	/**
	 * Returns a bundle with a key and its own certificate as the only trusted one.
	 */
	private static SslBundle bundle(String name) throws Exception {
		Path file = directory.resolve(name);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-storepass", PASSWORD,
				"-keystore", file.toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
		return SslBundle.of(SslStoreBundle.of(store, PASSWORD, store));
	}

	/**
	 * Returns the name of the server that a new connection finds, at which both sides use
	 * the context.
	 */
	private String connect() throws Exception {
		try (SSLServerSocket server = (SSLServerSocket) this.context.getServerSocketFactory()
			.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
				try (SSLSocket socket = (SSLSocket) server.accept()) {
					socket.startHandshake();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			});
			try (SSLSocket client = (SSLSocket) this.context.getSocketFactory()
				.createSocket(server.getInetAddress(), server.getLocalPort())) {
				client.startHandshake();
				accepted.join();
				return client.getSession().getPeerPrincipal().getName();
			}
		}
	}

	@Test
	void newConnectionsUseTheUpdatedBundle() throws Exception {
		assertThat(connect()).isEqualTo("CN=first");
		this.bundles.updateBundle("worker", second);
		assertThat(connect()).isEqualTo("CN=second");
	}

	@Test
	void updateDuringTheCreationIsUsed() throws Exception {
		AtomicBoolean handled = new AtomicBoolean();
		AtomicInteger creations = new AtomicInteger();
		DefaultSslBundleRegistry updated = new DefaultSslBundleRegistry() {

			@Override
			public void addBundleUpdateHandler(String name, Consumer<SslBundle> handler) {
				super.addBundleUpdateHandler(name, handler);
				handled.set(true);
			}

		};
		Thread update = new Thread(() -> updated.updateBundle("worker", second));
		updated.registerBundle("worker", SslBundle.of(new SslStoreBundle() {

			@Override
			public KeyStore getKeyStore() {
				creations.incrementAndGet();
				if (handled.get()) {
					update.start();
					await().until(() -> update.getState() == State.BLOCKED || !update.isAlive());
				}
				return first.getStores().getKeyStore();
			}

			@Override
			public String getKeyStorePassword() {
				return PASSWORD;
			}

			@Override
			public KeyStore getTrustStore() {
				return first.getStores().getTrustStore();
			}

		}));
		this.context = BundleSslContext.of(updated, "worker");
		update.join();
		assertThat(connect()).isEqualTo("CN=second");
		assertThat(creations).hasValue(1);
	}

	@Test
	void updateThatCannotBeReadLeavesThePreviousBundleInUse() throws Exception {
		this.bundles.updateBundle("worker", SslBundle.of(new SslStoreBundle() {

			@Override
			public KeyStore getKeyStore() {
				throw new IllegalStateException("half of a file");
			}

			@Override
			public String getKeyStorePassword() {
				return PASSWORD;
			}

			@Override
			public KeyStore getTrustStore() {
				throw new IllegalStateException("half of a file");
			}

		}));
		assertThat(connect()).isEqualTo("CN=first");
		this.bundles.updateBundle("worker", second);
		assertThat(connect()).isEqualTo("CN=second");
	}

}
