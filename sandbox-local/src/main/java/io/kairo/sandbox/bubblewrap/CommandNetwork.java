package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.sandbox.support.OutputLog;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.proxy.ProxyListener;
import org.jspecify.annotations.Nullable;

/**
 * The network of one command. With a list of hosts it is a network namespace around the
 * sandbox, with a loopback interface only, and in it a relay: outside of the sandbox, so
 * that commands neither see nor signal it, and without the filter on system calls, since
 * it connects to the Unix domain socket of the proxy, which commands cannot.
 *
 * @param listener the proxy; null for no network, or that of the host
 * @param relay hands bytes on to the proxy, or null
 * @param socket where the proxy listens
 */
record CommandNetwork(@Nullable ProxyListener listener, @Nullable RelayProgram relay,
		Path socket) implements AutoCloseable {

	/** The PID namespace ends the relay with the command. */
	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-net", "--unshare-pid",
			"--die-with-parent", "--json-status-fd", "6", "--dev-bind", "/", "/", "--proc", "/proc", "--");

	/**
	 * Returns program and arguments of what turns into bubblewrap within the network.
	 * @param bwrap bubblewrap
	 * @return nothing, if bubblewrap makes the network itself
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
	 * Returns a command that says in its error output what was refused, and closes the
	 * network in the end.
	 */
	RunningCommand watch(RunningCommand command, OutputLog log) {
		return (this.listener != null) ? this.listener.watch(command, log) : command;
	}

	@Override
	public void close() {
		if (this.listener != null) {
			this.listener.close();
		}
	}

}
