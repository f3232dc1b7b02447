package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.tenant.TenantContext;
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
record Networks(@Nullable AllowListProxy proxy, @Nullable RelayProgram relay, @Nullable RunAs runAs) {

	/**
	 * Returns the problem that prevents the creation of networks, or null.
	 */
	@Nullable BubblewrapProblem problem() {
		return (this.proxy != null && this.relay == null) ? new BubblewrapProblem(
				BubblewrapProblem.Reason.RELAY_MISSING, "there is neither /usr/bin/perl nor /usr/bin/python3") : null;
	}

	/**
	 * Creates the network of a command.
	 * @param tenant the tenant of the command
	 */
	CommandNetwork open(CommandFiles files, TenantContext tenant) throws IOException {
		if (this.proxy == null || this.relay == null) {
			return new CommandNetwork(null, null, files.socket());
		}
		ProxyListener listener = this.proxy.listen(files.socket(), tenant);
		try {
			handOver(files.socket());
			return new CommandNetwork(listener, this.relay, files.socket());
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

}
