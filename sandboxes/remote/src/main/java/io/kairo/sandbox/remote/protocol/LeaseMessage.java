package io.kairo.sandbox.remote.protocol;

/**
 * A lease: the commands that were started with it end when no request has renewed it for
 * some time. Immutable.
 *
 * @param lease the id, a secret
 * @param seconds that time in seconds, at least 1
 * @param commands the commands that the worker runs or whose output it keeps, of all
 * clients
 * @param maxCommands the most that it accepts
 * @param draining whether it accepts no others, since it is being shut down
 */
public record LeaseMessage(String lease, int seconds, int commands, int maxCommands, boolean draining) {

	/**
	 * Creates the message.
	 * @param lease the id
	 * @param seconds the time in seconds
	 * @param commands the commands of all clients
	 * @param maxCommands the most that the worker accepts
	 * @param draining whether it accepts no others
	 * @throws IllegalArgumentException if there is no id, or no time
	 */
	@SuppressWarnings("NullAway") // another program may have answered
	public LeaseMessage {
		if (lease == null || seconds <= 0) {
			throw new IllegalArgumentException("A lease has an id, and lasts at least a second");
		}
	}

	@Override
	public String toString() {
		return "LeaseMessage[seconds=" + this.seconds + "]";
	}

}
