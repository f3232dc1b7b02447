package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;

/**
 * An HTTP proxy on the host for commands without a network. It opens tunnels
 * ({@code CONNECT}) and forwards plain HTTP requests, only to the hosts of an allow-list.
 * Every request is checked: the host is parsed by one parser and resolved here, all its
 * addresses are checked, and only checked addresses are connected to. Addresses that are
 * not public are refused, unless the list opens them. With an {@link UpstreamProxy} names
 * are resolved there. {@link RequestRules Rules} refuse requests, or add secrets of a
 * tenant to them. A refusal is answered with its reason. Redirects are left to the
 * client, whose next request is checked as well. Immutable.
 */
public final class AllowListProxy {

	private static final Logger logger = System.getLogger(AllowListProxy.class.getName());

	private final AllowList allowed;

	private final ProxySettings settings;

	/**
	 * Creates a proxy. It holds no resources before the first listener.
	 * @param allowed the hosts that commands may reach
	 */
	public AllowListProxy(AllowList allowed) {
		this(allowed, (host) -> List.of(InetAddress.getAllByName(host)), new PublicAddresses(), ProxyLimits.DEFAULT);
		allowed.metadata()
			.forEach((entry) -> logger.log(Level.WARNING,
					"Commands can reach {0}, which is an address of a link or of a metadata service: such a service "
							+ "gives the credentials of this machine to every client; remove the internal host unless "
							+ "commands may have them",
					entry));
	}

	AllowListProxy(AllowList allowed, NameResolver resolver, AddressPolicy policy, ProxyLimits limits) {
		this.allowed = allowed;
		this.settings = new ProxySettings(new Destinations(allowed, resolver, policy), allowed.rules(), limits);
	}

	/**
	 * Listens for the connections of one command.
	 * @param socket the path of the Unix domain socket to create, in a directory that
	 * other users cannot enter; at most about 100 bytes long
	 * @param tenant the tenant of the command, for the log
	 * @return the listener, to be closed with the command
	 * @throws IOException if the socket or the thread cannot be created
	 */
	public ProxyListener listen(Path socket, TenantContext tenant) throws IOException {
		return new ProxyListener(socket, this.settings, tenant);
	}

	/**
	 * Adds the environment variables that configure the programs of a command to use this
	 * proxy: the proxy itself, and for Git the addresses of hosts with rules. Adds none
	 * to a command without network.
	 * @param variables the variables of the command; changed by this method
	 * @param request the request, whose own variables take precedence
	 * @param port the port that commands find this proxy at, on their loopback interface
	 */
	public void addVariables(Map<String, String> variables, SandboxRequest request, int port) {
		if (request.attributes().withoutNetwork()) {
			return;
		}
		ProxyVariables.add(variables, request.env(), port, this.settings.rules().hosts(request.tenant()));
		List.of("no_proxy", "NO_PROXY").stream().filter((name) -> !request.env().containsKey(name)).forEach((name) -> {
			// a local host of the list is a host of this machine; only the proxy
			// reaches it
			variables.computeIfPresent(name,
					(same, hosts) -> Stream.of(hosts.split(","))
						.filter((host) -> !this.allowed.names(host))
						.collect(Collectors.joining(",")));
		});
	}

}
