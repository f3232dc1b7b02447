package io.kairo.sandbox.support.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The response to a request with a secret, or with credentials for an upstream proxy. For
 * a secret, fields that contain credentials of their own, such as cookies of a session,
 * are removed. Secrets are replaced by asterisks if the host repeats them as they were
 * sent. For use by one thread.
 */
final class ResponseGuard implements ReadableByteChannel {

	private static final int BUFFER_BYTES = 16384;

	private static final int MOST_HEAD_BYTES = 65536;

	/** A shorter text occurs in data by chance. */
	private static final int LEAST_SECRET_CHARACTERS = 8;

	private static final Set<String> CREDENTIALS = Set.of("set-cookie", "set-cookie2", "authentication-info",
			"proxy-authenticate", "proxy-authentication-info");

	/** The fields of a proxy about its own authentication. */
	private static final Set<String> OF_PROXY = Set.of("proxy-authenticate", "proxy-authentication-info");

	private final ReadableByteChannel host;

	private final Set<String> removed;

	private final List<byte[]> secrets;

	private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES);

	private final ByteArrayOutputStream head = new ByteArrayOutputStream();

	/** Number of characters of the current line of the head. */
	private int lineLength;

	private boolean body;

	private boolean ended;

	/** Bytes that may be passed on, apart from the beginning of a secret at their end. */
	private byte[] pending = new byte[0];

	/**
	 * Creates a guard.
	 * @param host the host
	 * @param secrets the texts to replace
	 */
	ResponseGuard(ReadableByteChannel host, Set<String> secrets) {
		this(host, secrets, CREDENTIALS);
	}

	private ResponseGuard(ReadableByteChannel host, Set<String> secrets, Set<String> removed) {
		this.host = host;
		this.removed = removed;
		this.secrets = secrets.stream()
			.filter((secret) -> secret.length() >= LEAST_SECRET_CHARACTERS)
			.map((secret) -> secret.getBytes(StandardCharsets.ISO_8859_1))
			.toList();
	}

	/**
	 * Creates a guard of the response to a request that an upstream proxy forwards.
	 * Reading fails with {@link UnauthorizedException} if the proxy requires other
	 * credentials.
	 */
	static ResponseGuard ofProxy(ReadableByteChannel proxy, Set<String> secrets) {
		return new ResponseGuard(proxy, secrets, OF_PROXY);
	}

	@Override
	public int read(ByteBuffer target) throws IOException {
		int count = passOn(target);
		while (count == 0 && !this.ended) {
			int read = this.host.read(this.received.clear());
			if (read == 0) {
				return 0;
			}
			this.ended = read < 0;
			take(this.received.flip());
			count = passOn(target);
		}
		return (count == 0 && this.ended) ? -1 : count;
	}

	@Override
	public boolean isOpen() {
		return this.host.isOpen();
	}

	@Override
	public void close() throws IOException {
		this.host.close();
	}

	private void take(ByteBuffer bytes) throws BadResponseException {
		while (bytes.hasRemaining() && !this.body) {
			byte next = bytes.get();
			this.head.write(next);
			if (next != '\n') {
				this.lineLength += (next == '\r') ? 0 : 1;
			}
			else if (this.lineLength > 0) {
				this.lineLength = 0;
			}
			else {
				String text = this.head.toString(StandardCharsets.ISO_8859_1);
				this.head.reset();
				// an interim response is followed by another head
				this.body = !text.matches("(?s)HTTP/1\\.[01] 1\\d\\d\\D.*");
				append(ByteBuffer.wrap(withoutCredentials(text).getBytes(StandardCharsets.ISO_8859_1)));
			}
			if (this.head.size() > MOST_HEAD_BYTES) {
				throw new BadResponseException();
			}
		}
		append(bytes);
		if (this.ended && !this.body) {
			throw new BadResponseException();
		}
	}

	private String withoutCredentials(String head) throws BadResponseException {
		if (!head.startsWith("HTTP/1.")) {
			throw new BadResponseException();
		}
		if (this.removed == OF_PROXY && head.matches("(?s)HTTP/1\\.[01] 407\\D.*")) {
			throw new UnauthorizedException();
		}
		StringBuilder kept = new StringBuilder();
		boolean removed = false;
		for (String line : head.split("(?<=\n)", -1)) {
			boolean folded = line.startsWith(" ") || line.startsWith("\t");
			String name = line.substring(0, Math.max(0, line.indexOf(':'))).strip().toLowerCase(Locale.ROOT);
			removed = folded ? removed : this.removed.contains(name);
			if (!removed) {
				kept.append(line);
			}
		}
		return kept.toString();
	}

	private void append(ByteBuffer bytes) {
		int old = this.pending.length;
		this.pending = Arrays.copyOf(this.pending, old + bytes.remaining());
		bytes.get(this.pending, old, this.pending.length - old);
		for (byte[] secret : this.secrets) {
			for (int at = 0; at <= this.pending.length - secret.length; at++) {
				if (this.pending[at] == secret[0]
						&& Arrays.equals(this.pending, at, at + secret.length, secret, 0, secret.length)) {
					Arrays.fill(this.pending, at, at + secret.length, (byte) '*');
				}
			}
		}
	}

	private int passOn(ByteBuffer target) {
		int safe = this.pending.length - (this.ended ? 0 : begun());
		int count = Math.min(safe, target.remaining());
		target.put(this.pending, 0, count);
		this.pending = Arrays.copyOfRange(this.pending, count, this.pending.length);
		return count;
	}

	/**
	 * Returns the number of bytes at the end that a secret may begin with.
	 */
	private int begun() {
		int begun = 0;
		for (byte[] secret : this.secrets) {
			for (int length = Math.min(secret.length - 1, this.pending.length); length > begun; length--) {
				if (Arrays.equals(this.pending, this.pending.length - length, this.pending.length, secret, 0, length)) {
					begun = length;
				}
			}
		}
		return begun;
	}

	/**
	 * Thrown if a response cannot be forwarded.
	 */
	static class BadResponseException extends IOException {

		private static final long serialVersionUID = 1L;

	}

	/**
	 * Thrown if an upstream proxy does not accept the credentials.
	 */
	static final class UnauthorizedException extends BadResponseException {

		private static final long serialVersionUID = 1L;

	}

}
