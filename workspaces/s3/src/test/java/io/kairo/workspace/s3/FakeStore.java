package io.kairo.workspace.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kairo.host.Sha256;

/**
 * An object store whose keys are any text, as those of S3 are; s3proxy keeps objects in
 * files and cannot have all of them. It ignores the prefix of a listing, or never ends
 * one, if told so.
 */
final class FakeStore implements AutoCloseable {

	private final HttpServer server;

	private final NavigableMap<String, String> objects = new ConcurrentSkipListMap<>();

	/** The requests so far, such as {@code GET /bucket/key}. */
	private final List<String> requests = new CopyOnWriteArrayList<>();

	/** The kinds of encryption that were asked for, by key, with the key of a KMS. */
	private final Map<String, String> encryption = new ConcurrentHashMap<>();

	private volatile boolean lying;

	private volatile boolean endless;

	FakeStore() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	void put(String key, String content) {
		this.objects.put(key, content);
	}

	NavigableMap<String, String> objects() {
		return this.objects;
	}

	List<String> requests() {
		return this.requests;
	}

	Map<String, String> encryption() {
		return this.encryption;
	}

	/**
	 * Lists all keys from now on, whatever the prefix.
	 */
	void lie() {
		this.lying = true;
	}

	/**
	 * Has another page, without an object, after each page from now on.
	 */
	void neverEnd() {
		this.endless = true;
	}

	S3WorkspaceProvider provider(Path directory, String... scopes) {
		return provider(directory, S3Encryption.BUCKET_DEFAULT, scopes);
	}

	S3WorkspaceProvider provider(Path directory, S3Encryption encryption, String... scopes) {
		return new S3WorkspaceProvider(S3Options.in(directory, scopes)
			.encryption(encryption)
			.endpoint(endpoint())
			.pathStyle(true)
			.writeBack(WriteBackMode.ON_DEMAND)
			.build(), S3Server.credentials());
	}

	URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			String path = exchange.getRequestURI().getPath();
			int slash = path.indexOf('/', 1);
			String key = (slash < 0) ? "" : path.substring(slash + 1);
			String query = String.valueOf(exchange.getRequestURI().getQuery());
			this.requests.add(exchange.getRequestMethod() + " " + path
					+ (exchange.getRequestHeaders().containsKey("x-amz-copy-source") ? " copy" : "")
					+ (query.contains("list-type") ? "?" + query.replaceAll("&?(list-type=2|encoding-type=url)", "")
							: ""));
			byte[] body = exchange.getRequestBody().readAllBytes();
			if (query.contains("list-type")) {
				list(exchange, parameter(query, "prefix"), parameter(query, "delimiter"),
						query.contains("encoding-type=url"));
				return;
			}
			String content = this.objects.get(key);
			String etag = (content != null) ? etag(content) : "";
			String match = exchange.getRequestHeaders().getFirst("If-Match");
			boolean write = exchange.getRequestMethod().equals("PUT") || exchange.getRequestMethod().equals("DELETE");
			if (write && ((match != null && !match.equals(etag))
					|| (content != null && exchange.getRequestHeaders().containsKey("If-None-Match")))) {
				answer(exchange, 412, "<Error><Code>PreconditionFailed</Code></Error>");
			}
			else if (exchange.getRequestMethod().equals("PUT")) {
				String written = decoded(new String(body, StandardCharsets.UTF_8));
				this.objects.put(key, written);
				this.encryption.put(key, exchange.getRequestHeaders().getFirst("x-amz-server-side-encryption") + " "
						+ exchange.getRequestHeaders().getFirst("x-amz-server-side-encryption-aws-kms-key-id"));
				exchange.getResponseHeaders().add("ETag", etag(written));
				answer(exchange, 200, "");
			}
			else if (exchange.getRequestMethod().equals("DELETE")) {
				this.objects.remove(key);
				answer(exchange, 204, "");
			}
			else if (content == null) {
				answer(exchange, 404, "<Error><Code>NoSuchKey</Code></Error>");
			}
			else {
				exchange.getResponseHeaders().add("ETag", etag);
				answer(exchange, 200, content);
			}
		}
	}

	/**
	 * Returns the content of a body in signed chunks.
	 */
	private static String decoded(String body) {
		return body.contains(";chunk-signature=")
				? body.replaceAll("(?:\r\n)?[0-9a-f]+;chunk-signature=[0-9a-f]+\r\n", "").strip() : body;
	}

	private void list(HttpExchange exchange, String prefix, String delimiter, boolean encode) throws IOException {
		StringBuilder answer = new StringBuilder("<ListBucketResult>");
		answer.append(encode ? "<EncodingType>url</EncodingType>" : "");
		if (this.endless) {
			answer.append("<IsTruncated>true</IsTruncated><NextContinuationToken>")
				.append(this.requests.size())
				.append("</NextContinuationToken>");
		}
		TreeSet<String> common = new TreeSet<>();
		this.objects.forEach((key, content) -> {
			if (!this.lying && !key.startsWith(prefix)) {
				return;
			}
			int end = (delimiter.isEmpty() || this.lying) ? -1 : key.indexOf(delimiter, prefix.length());
			if (end >= 0) {
				common.add(key.substring(0, end + 1));
				return;
			}
			answer.append("<Contents><Key>")
				.append(encode ? encoded(key) : escaped(key))
				.append("</Key><ETag>")
				.append(etag(content).replace("\"", "&quot;"))
				.append("</ETag><Size>")
				.append(content.length())
				.append("</Size></Contents>");
		});
		common.forEach((key) -> answer.append("<CommonPrefixes><Prefix>")
			.append(encode ? encoded(key) : escaped(key))
			.append("</Prefix></CommonPrefixes>"));
		answer(exchange, 200, answer.append("</ListBucketResult>").toString());
	}

	private static String parameter(String query, String name) {
		for (String parameter : query.split("&")) {
			if (parameter.startsWith(name + "=")) {
				return parameter.substring(name.length() + 1);
			}
		}
		return "";
	}

	private static String encoded(String key) {
		return URLEncoder.encode(key, StandardCharsets.UTF_8);
	}

	/**
	 * Returns a key as S3 writes it in XML 1.0, where references to most control
	 * characters are an error.
	 */
	private static String escaped(String key) {
		StringBuilder escaped = new StringBuilder();
		key.codePoints().forEach((each) -> escaped.append("&#").append(each).append(';'));
		return escaped.toString();
	}

	private static String etag(String content) {
		return "\"" + Sha256.hex(content, 16) + "\"";
	}

	private static void answer(HttpExchange exchange, int status, String body) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		boolean head = exchange.getRequestMethod().equals("HEAD") || status == 204;
		exchange.sendResponseHeaders(status, head ? -1 : (bytes.length == 0) ? -1 : bytes.length);
		if (!head && bytes.length > 0) {
			exchange.getResponseBody().write(bytes);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
