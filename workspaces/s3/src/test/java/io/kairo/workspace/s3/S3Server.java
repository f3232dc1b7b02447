package io.kairo.workspace.s3;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * An S3 server, s3proxy, in a process of its own, which all test classes of this JVM
 * share. It enforces {@code If-Match} and {@code If-None-Match} of writes and deletions,
 * though not atomically, which a {@link Gateway} in front of it adds. What needs neither
 * that nor a fault uses the server directly.
 */
final class S3Server implements AutoCloseable {

	static final String ACCESS_KEY = "test-access-key";

	static final String SECRET_KEY = "test-secret-key";

	private static final AtomicInteger buckets = new AtomicInteger();

	private final Process process;

	private final URI direct;

	private final Gateway gateway;

	private final S3Client client;

	private S3Server() throws IOException {
		int port;
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = free.getLocalPort();
		}
		this.direct = URI.create("http://127.0.0.1:" + port);
		this.gateway = new Gateway(port);
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(), S3ProxyProgram.class.getName(),
				String.valueOf(port))
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> {
			try (Socket socket = new Socket("127.0.0.1", port)) {
				return socket.isConnected();
			}
			catch (IOException ex) {
				return false;
			}
		});
		this.client = S3Client.builder()
			.endpointOverride(this.direct)
			.region(Region.US_EAST_1)
			.forcePathStyle(true)
			.httpClientBuilder(UrlConnectionHttpClient.builder())
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
			.build();
	}

	static String classPath() {
		return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
			.replace("\n", File.pathSeparator);
	}

	URI endpoint() {
		return this.gateway.endpoint();
	}

	/**
	 * Returns the endpoint of the server behind the gateway.
	 */
	URI direct() {
		return this.direct;
	}

	/**
	 * Returns the gateway, by which a test of this JVM can put a fault in the place of an
	 * answer.
	 */
	Gateway gateway() {
		return this.gateway;
	}

	/**
	 * Returns a plain client, such as another writer has.
	 */
	S3Client client() {
		return this.client;
	}

	String newBucket() {
		String name = "bucket-" + buckets.incrementAndGet() + "-" + ProcessHandle.current().pid();
		this.client.createBucket((request) -> request.bucket(name));
		return name;
	}

	void put(String bucket, String key, String content) {
		this.client.putObject((request) -> request.bucket(bucket).key(key), RequestBody.fromString(content));
	}

	String get(String bucket, String key) {
		return this.client.getObjectAsBytes((request) -> request.bucket(bucket).key(key)).asUtf8String();
	}

	void delete(String bucket, String key) {
		this.client.deleteObject((request) -> request.bucket(bucket).key(key));
	}

	List<String> keys(String bucket) {
		return this.client.listObjectsV2Paginator((request) -> request.bucket(bucket))
			.contents()
			.stream()
			.map(S3Object::key)
			.toList();
	}

	S3Options.Builder options(Path directory, String... scopes) {
		return S3Options.in(directory, scopes).endpoint(this.gateway.endpoint()).pathStyle(true);
	}

	static S3Credentials credentials() {
		StaticCredentialsProvider credentials = StaticCredentialsProvider
			.create(AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY));
		return (tenant) -> credentials;
	}

	@Override
	public void close() throws IOException {
		this.client.close();
		this.gateway.close();
		this.process.destroy();
	}

	/**
	 * Passes the server of this JVM to the constructors of tests.
	 */
	static final class Extension implements ParameterResolver {

		@Override
		public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
			return parameter.getParameter().getType() == S3Server.class;
		}

		@Override
		public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
			// the root has a store for each class, as Surefire runs one after the other
			return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.GLOBAL)
				.computeIfAbsent(S3Server.class, (type) -> {
					try {
						return new S3Server();
					}
					catch (IOException ex) {
						throw new UncheckedIOException(ex);
					}
				}, S3Server.class);
		}

	}

}
