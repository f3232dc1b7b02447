package io.kairo.sandbox.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a worker. Safe for use by several threads.
 */
final class Worker {

	/** The longest time that a worker may need to start a command. */
	static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Duration CONNECT = Duration.ofSeconds(5);

	private static final int ERRORS = 400;

	private static final int MOST_BYTES = 1 << 20;

	private final URI address;

	private final @Nullable String token;

	private final ClientSource client;

	/**
	 * Creates the value.
	 * @param token the secret of this machine, or null
	 * @param client supplies the client when a request is sent
	 */
	Worker(URI address, @Nullable String token, ClientSource client) {
		this.address = address;
		this.token = token;
		this.client = client;
	}

	/**
	 * Creates a client with a thread of its own.
	 * @param ssl the certificates, or null for the certificates of the JVM
	 */
	static HttpClient newClient(@Nullable SSLContext ssl) {
		HttpClient.Builder builder = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.connectTimeout(CONNECT);
		return ((ssl != null) ? builder.sslContext(ssl) : builder).build();
	}

	URI address() {
		return this.address;
	}

	/**
	 * Sends a request and reads its response.
	 * @param path the path and parameters, without a slash at the beginning
	 * @return the body of the response
	 * @throws WorkerRefusedException if the worker refuses the request
	 * @throws IOException if there is no response: the worker may have processed the
	 * request
	 */
	byte[] call(String method, String path, byte[] body, Duration timeout) throws IOException, WorkerRefusedException {
		HttpResponse<InputStream> response = send(method, path, body, timeout);
		try (InputStream content = response.body()) {
			return checked(response, content.readNBytes(MOST_BYTES));
		}
	}

	/**
	 * Sends a request whose response is read bit by bit.
	 * @return the body of the response, to be closed by the caller
	 */
	InputStream open(String path) throws IOException, WorkerRefusedException {
		HttpResponse<InputStream> response = send("GET", path, new byte[0], CONNECT);
		if (response.statusCode() >= ERRORS) {
			try (InputStream content = response.body()) {
				checked(response, content.readNBytes(MOST_BYTES));
			}
		}
		return response.body();
	}

	/**
	 * Sends a request and reads its response, in a time for both.
	 * @param mostBytes the most bytes of the response
	 * @return the body of the response
	 * @throws WorkerRefusedException if the worker refuses the request
	 * @throws IOException if there is no response in time: the worker may have processed
	 * the request
	 */
	byte[] exchange(String method, String path, byte[] body, int mostBytes, Duration timeout)
			throws IOException, WorkerRefusedException {
		CompletableFuture<HttpResponse<byte[]>> response = this.client.get()
			.sendAsync(request(method, path, body, timeout), (info) -> new BoundedBody(mostBytes));
		try {
			HttpResponse<byte[]> received = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return checked(received, received.body());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the worker did not answer");
		}
		catch (ExecutionException ex) {
			for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
				if (cause instanceof BoundedBody.TooLongException) {
					throw new WorkerRefusedException(new ErrorMessage("too_long", String.valueOf(cause.getMessage()),
							"repeating the request does not help"));
				}
			}
			if (ex.getCause() instanceof IOException failure) {
				throw failure;
			}
			throw new IOException("The worker did not answer: " + ex.getMessage(), ex);
		}
		catch (TimeoutException ex) {
			throw new IOException("The worker did not answer in time", ex);
		}
		finally {
			response.cancel(true);
		}
	}

	private HttpResponse<InputStream> send(String method, String path, byte[] body, Duration timeout)
			throws IOException {
		try {
			return this.client.get().send(request(method, path, body, timeout), BodyHandlers.ofInputStream());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the worker did not answer");
		}
	}

	private HttpRequest request(String method, String path, byte[] body, Duration timeout) {
		URI uri = URI.create(this.address.toString().replaceAll("/+$", "") + "/" + path);
		HttpRequest.Builder request = HttpRequest.newBuilder(uri)
			.timeout(timeout)
			.method(method, (body.length > 0) ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody());
		if (this.token != null) {
			request.header("Authorization", "Bearer " + this.token);
		}
		return request.build();
	}

	/**
	 * Returns the body of a response that is no refusal.
	 */
	private static byte[] checked(HttpResponse<?> response, byte[] body) throws WorkerRefusedException, IOException {
		int status = response.statusCode();
		if (status < ERRORS) {
			return body;
		}
		try {
			ErrorMessage error = Messages.read(body, ErrorMessage.class);
			if (error.code() != null && error.problem() != null && error.remedy() != null) {
				throw new WorkerRefusedException(error);
			}
		}
		catch (IllegalArgumentException ex) {
			// it is from a proxy, or from another program
		}
		throw new IOException("The worker answered with status " + status + " and no reason");
	}

	/**
	 * Repeats a request whose repetition does no harm until it is answered.
	 * @param patience the longest time to repeat it
	 * @return the result of the request
	 * @throws WorkerRefusedException if the worker refuses the request
	 * @throws IOException if it was not answered in time
	 */
	static <T> T repeat(Duration patience, Request<T> request) throws IOException, WorkerRefusedException {
		long deadline = System.nanoTime() + patience.toNanos();
		return repeat(() -> System.nanoTime() > deadline, request);
	}

	/**
	 * Repeats a request whose repetition does no harm until it is answered.
	 * @param over tells whether to give up
	 * @return the result of the request
	 * @throws WorkerRefusedException if the worker refuses the request
	 * @throws IOException if it was not answered before that
	 */
	static <T> T repeat(BooleanSupplier over, Request<T> request) throws IOException, WorkerRefusedException {
		long pause = FIRST_PAUSE_MILLIS;
		while (true) {
			try {
				return request.send();
			}
			catch (InterruptedIOException ex) {
				throw ex;
			}
			catch (IOException ex) {
				pause(pause);
				if (over.getAsBoolean()) {
					throw ex;
				}
				pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
			}
		}
	}

	static final long FIRST_PAUSE_MILLIS = 20;

	static final long LONGEST_PAUSE_MILLIS = 1000;

	/**
	 * Waits.
	 * @throws InterruptedIOException if the thread is interrupted
	 */
	static void pause(long millis) throws InterruptedIOException {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the worker did not answer");
		}
	}

	/**
	 * Returns whether a request failed before anything of it was sent, or read by a
	 * worker that does not accept the certificate of this machine.
	 */
	static boolean isUnsent(IOException failure) {
		return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException
				|| failure instanceof SSLHandshakeException;
	}

	/**
	 * Supplies the client for requests.
	 */
	@FunctionalInterface
	interface ClientSource {

		/**
		 * Returns the client.
		 * @throws IOException if it is closed
		 */
		HttpClient get() throws IOException;

	}

	/**
	 * A request.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	interface Request<T> {

		T send() throws IOException, WorkerRefusedException;

	}

}
