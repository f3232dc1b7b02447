package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyListener;
import org.jspecify.annotations.Nullable;

/**
 * Creates the networks of commands with an allow-list. Other commands need no setup.
 *
 * @param proxy the proxy to the hosts of the list; null if there is no list
 * @param relay the program that forwards bytes to the proxy; null if none is installed
 * @param runAs the user that commands run as, or null
 */
record Networks(@Nullable AllowListProxy proxy, @Nullable RelayProgram relay, @Nullable HostUser runAs) {

	static Networks of(CommandSettings settings) {
		AllowListProxy proxy = settings.newProxy();
		return new Networks(proxy, (proxy != null) ? RelayProgram.find() : null, settings.runAs());
	}

	/**
	 * Returns the problem that prevents the creation of networks, or null.
	 */
	@Nullable BackendProblem problem() {
		return (this.proxy != null && this.relay == null)
				? Reason.RELAY_MISSING.found("there is neither /usr/bin/perl nor /usr/bin/python3") : null;
	}

	/**
	 * Creates the network of a command or of a session.
	 * @param tenant the tenant of the command
	 */
	CommandNetwork open(ControlFiles files, TenantContext tenant) throws IOException {
		if (this.proxy == null || this.relay == null) {
			return CommandNetwork.NONE;
		}
		ProxyListener listener = this.proxy.listen(files.socket(), tenant);
		try {
			handOver(files.socket());
			return new CommandNetwork(listener, this.relay, files.socket(), false);
		}
		catch (IOException | RuntimeException ex) {
			listener.close();
			throw ex;
		}
	}

	private void handOver(Path socket) throws IOException {
		Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
		if (this.runAs != null) {
			Files.setAttribute(socket, "unix:uid", this.runAs.uid());
			Files.setAttribute(socket, "unix:gid", this.runAs.gid());
		}
	}

	/**
	 * The network of one command. With an allow-list it is a network namespace around the
	 * sandbox that contains a loopback interface and a relay. The relay runs outside of
	 * the sandbox, so that commands neither see nor signal it, and without the system
	 * call filter, since it connects to the Unix domain socket of the proxy; commands
	 * cannot.
	 *
	 * @param listener the proxy; null for no network or the network of the host
	 * @param relay the program that forwards bytes to the proxy, or null
	 * @param socket the path of the socket of the proxy
	 * @param shared whether the network belongs to a session, which closes it
	 */
	record CommandNetwork(@Nullable ProxyListener listener, @Nullable RelayProgram relay, Path socket,
			boolean shared) implements AutoCloseable {

		/** No network of its own. */
		static final CommandNetwork NONE = new CommandNetwork(null, null, Path.of("/"), false);

		/** The PID namespace ends the relay with the command. */
		private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-net", "--unshare-pid",
				"--die-with-parent", "--json-status-fd", "" + ControlFiles.NETWORK, "--dev-bind", "/", "/", "--proc",
				"/proc");

		/**
		 * Returns this network of a session for one of its commands.
		 */
		CommandNetwork ofCommand() {
			return new CommandNetwork(this.listener, this.relay, this.socket, true);
		}

		/**
		 * Returns whether the command has its own network around the sandbox.
		 */
		boolean isOwn() {
			return this.relay != null && !this.shared;
		}

		/**
		 * Returns the prefix of a command line of bubblewrap that sets up the network
		 * first.
		 * @param bwrap the path of {@code bwrap}
		 * @return the program and its arguments; an empty list if bubblewrap sets up the
		 * network itself
		 */
		List<String> prefix(Path bwrap) {
			if (!isOwn()) {
				return List.of();
			}
			List<String> arguments = new ArrayList<>(List.of(bwrap.toString()));
			arguments.addAll(NAMESPACES);
			arguments.addAll(Bubblewrap.FIRST_PROCESS);
			arguments.add("--");
			arguments.addAll(relayed(List.of()));
			return arguments;
		}

		/**
		 * Returns a command line that starts the relay, if there is a proxy, before a
		 * program.
		 */
		List<String> relayed(List<String> command) {
			List<String> arguments = new ArrayList<>();
			if (this.relay != null) {
				arguments.addAll(this.relay.arguments(this.socket));
			}
			arguments.addAll(command);
			return arguments;
		}

		/**
		 * Returns a command that appends refusals of the proxy to its error output and
		 * closes the network at its end, unless it is shared.
		 * @return the reporting command; the same command if there is no allow-list
		 */
		RunningCommand reportingRefusals(RunningCommand command, OutputLog log) {
			return (this.listener != null) ? this.listener.reportingRefusals(command, log, this.shared) : command;
		}

		@Override
		public void close() {
			if (this.listener != null && !this.shared) {
				this.listener.close();
			}
		}

	}

}
