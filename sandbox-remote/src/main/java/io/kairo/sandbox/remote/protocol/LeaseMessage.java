package io.kairo.sandbox.remote.protocol;

/**
 * A lease: the commands that were started with it end when no request has renewed it for
 * some time. Immutable.
 *
 * @param lease the id, a secret
 * @param seconds that time in seconds
 * @since 0.1.0
 */
public record LeaseMessage(String lease, int seconds) {

	@Override
	public String toString() {
		return "LeaseMessage[seconds=" + this.seconds + "]";
	}

}
