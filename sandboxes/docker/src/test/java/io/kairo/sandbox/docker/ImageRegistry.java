package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A registry of images on the loopback interface, from which an engine on this machine
 * pulls without TLS. It has a single image, a copy of one of the engine that differs in a
 * label.
 */
final class ImageRegistry implements AutoCloseable {

	private static final String REPOSITORY = "kairo/pulled";

	private static final String MANIFEST_TYPE = "application/vnd.docker.distribution.manifest.v2+json";

	/** Files by the end of their path in the registry. */
	private final Map<String, Path> files = new ConcurrentHashMap<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final HttpServer server;

	private final Path directory;

	private String manifestDigest = "";

	private ImageRegistry(Path directory) throws IOException {
		this.directory = directory;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.createContext("/v2/", this::answer);
		this.server.start();
	}

	/**
	 * Returns a registry with a copy of an image.
	 * @param directory an empty directory for its files
	 * @param image the name of an image of the engine, which has a single layer
	 */
	static ImageRegistry of(Path directory, String image) throws IOException, InterruptedException {
		Process saving = new ProcessBuilder("bash", "-c", "docker save \"$0\" | tar -x -C \"$1\"", image,
				directory.toString())
			.redirectErrorStream(true)
			.start();
		String errors = new String(saving.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (saving.waitFor() != 0) {
			throw new IOException("The image could not be saved: " + errors);
		}
		ImageRegistry registry = new ImageRegistry(directory);
		registry.addImage();
		return registry;
	}

	/**
	 * Returns the name of the image.
	 * @param suffix the tag or digest, with its separator
	 */
	String image(String suffix) {
		return "127.0.0.1:" + this.server.getAddress().getPort() + "/" + REPOSITORY + suffix;
	}

	/**
	 * Returns the digest of the manifest of the image, as names contain it.
	 */
	String digest() {
		return this.manifestDigest;
	}

	/**
	 * Returns the paths of the requests so far.
	 */
	List<String> requests() {
		return this.requests;
	}

	private void addImage() throws IOException {
		String saved = Files.readString(this.directory.resolve("manifest.json"));
		Path layer = this.directory.resolve(find(saved, "\"Layers\":\\[\"([^\"]+)\"\\]"));
		String settings = Files.readString(this.directory.resolve(find(saved, "\"Config\":\"([^\"]+)\"")));
		Path config = Files.writeString(this.directory.resolve("config"), settings.replaceFirst("\"Env\":",
				"\"Labels\":{\"io.kairo.test.pulled\":\"" + this.server.getAddress().getPort() + "\"},\"Env\":"));
		Path manifest = Files.writeString(this.directory.resolve("manifest"), """
				{
				  "schemaVersion": 2,
				  "mediaType": "%s",
				  "config": { "mediaType": "application/vnd.docker.container.image.v1+json", %s },
				  "layers": [ { "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip", %s } ]
				}
				""".formatted(MANIFEST_TYPE, addBlob(config), addBlob(layer)));
		this.manifestDigest = sha256(manifest);
		this.files.put("/manifests/" + this.manifestDigest, manifest);
		this.files.put("/manifests/latest", manifest);
	}

	private String addBlob(Path file) throws IOException {
		String digest = sha256(file);
		this.files.put("/blobs/" + digest, file);
		return "\"digest\": \"" + digest + "\", \"size\": " + Files.size(file);
	}

	private static String find(String text, String pattern) throws IOException {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		if (!matcher.find()) {
			throw new IOException("There is no " + pattern + " in " + text);
		}
		return matcher.group(1);
	}

	private static String sha256(Path file) throws IOException {
		try (DigestOutputStream digest = new DigestOutputStream(OutputStream.nullOutputStream(),
				MessageDigest.getInstance("SHA-256"))) {
			Files.copy(file, digest);
			return "sha256:" + String.format("%064x", new BigInteger(1, digest.getMessageDigest().digest()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange; InputStream unused = exchange.getRequestBody()) {
			String path = exchange.getRequestURI().getPath();
			this.requests.add(path);
			Path file = this.files.get(path.replaceFirst("^/v2/" + REPOSITORY, ""));
			if (path.equals("/v2/")) {
				exchange.sendResponseHeaders(200, -1);
			}
			else if (file == null) {
				byte[] error = "{\"errors\":[{\"code\":\"MANIFEST_UNKNOWN\",\"message\":\"no such manifest here\"}]}"
					.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(404, error.length);
				exchange.getResponseBody().write(error);
			}
			else {
				boolean manifest = path.contains("/manifests/");
				exchange.getResponseHeaders()
					.set("Content-Type", manifest ? MANIFEST_TYPE : "application/octet-stream");
				exchange.getResponseHeaders().set("Docker-Content-Digest", manifest ? this.manifestDigest : "");
				boolean head = exchange.getRequestMethod().equals("HEAD");
				if (head) {
					// the engine insists on it, and the server complains
					exchange.getResponseHeaders().set("Content-Length", Long.toString(Files.size(file)));
				}
				exchange.sendResponseHeaders(200, head ? -1 : Files.size(file));
				if (!head) {
					Files.copy(file, exchange.getResponseBody());
				}
			}
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
