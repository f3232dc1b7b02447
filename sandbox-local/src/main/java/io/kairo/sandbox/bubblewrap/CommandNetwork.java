package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.proxy.ProxyListener;
import org.jspecify.annotations.Nullable;

/**
 * The network of one command. With an allow-list it is a network namespace around the
 * sandbox that contains a loopback interface and a relay. The relay runs outside of the
 * sandbox, so that commands neither see nor signal it, and without the system call
 * filter, since it connects to the Unix domain socket of the proxy, which commands
 * cannot.
 *
 * @param listener the proxy; null for no network or the network of the host
 * @param relay the program that forwards bytes to the proxy, or null
 * @param socket the path of the socket on which the proxy listens
 */
record CommandNetwork(@Nullable ProxyListener listener, @Nullable RelayProgram relay,
		Path socket) implements AutoCloseable {

	/** The PID namespace ends the relay with the command. */
	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-net", "--unshare-pid",
			"--die-with-parent", "--json-status-fd", "6", "--dev-bind", "/", "/", "--proc", "/proc", "--");

	/**
	 * Returns the program and arguments that set up the network and then execute
	 * bubblewrap.
	 * @param bwrap the path of {@code bwrap}
	 * @return an empty list if bubblewrap sets up the network itself
	 */
	List<String> arguments(Path bwrap) {
		if (this.relay == null) {
			return List.of();
		}
		List<String> arguments = new ArrayList<>(List.of(bwrap.toString()));
		arguments.addAll(NAMESPACES);
		arguments.addAll(this.relay.arguments(this.socket));
		return arguments;
	}

	/**
	 * Returns a command that appends refusals of the proxy to its error output and closes
	 * the network at its end.
	 */
	RunningCommand reportingRefusals(RunningCommand command, OutputLog log) {
		return (this.listener != null) ? this.listener.reportingRefusals(command, log) : command;
	}

	@Override
	public void close() {
		if (this.listener != null) {
			this.listener.close();
		}
	}

}
