package io.kairo.sandbox.remote.autoconfigure;

import java.net.InetAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the server that lets other applications run commands in
 * the sandbox of this one.
 *
 * @param enabled Whether to start the server.
 * @param address Address that it listens on, by default that of the loopback interface.
 * Any other one needs an SSL bundle.
 * @param port Port that it listens on; 0 for any free port.
 * @param sslBundle Name of the SSL bundle (spring.ssl.bundle) with the certificate of the
 * server and the authorities of clients with certificates.
 * @param lease Time after which the commands of a client that is silent are ended, from
 * 1s to 1h.
 * @param maxCommands Maximum number of commands that run or whose output is kept.
 * @param retention Time for which the output of a command that ended is kept for a client
 * that does not release it.
 * @param maxCopiesSize Maximum size of the files that clients have copied to this machine
 * and that are kept for later commands, and of the files of one command. By default,
 * clients have to share directories with this machine.
 * @param clients Clients that may run commands, by name.
 */
@ConfigurationProperties("kairo.sandbox.server")
public record SandboxServerProperties(@DefaultValue("false") boolean enabled, @Nullable InetAddress address,
		@DefaultValue("8460") int port, @Nullable String sslBundle,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30s") Duration lease, @DefaultValue("1000") int maxCommands,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("10m") Duration retention, @Nullable DataSize maxCopiesSize,
		@DefaultValue Map<String, ClientProperties> clients) {

	static final String PREFIX = "kairo.sandbox.server.";

	/**
	 * Creates and validates the properties.
	 * @param maxCopiesSize the maximum size of copies, above zero, or null
	 * @param clients the clients by name, copied
	 */
	public SandboxServerProperties {
		clients = Map.copyOf(clients);
		clients.forEach(
				(name, client) -> UnresolvedPlaceholder.refuse(PREFIX + "clients." + name + ".token", client.token()));
		new PropertyBounds(PREFIX).between("port", port, 0, 65535)
			.between("lease", lease, Duration.ofSeconds(1), Duration.ofHours(1))
			.atLeast("max-commands", maxCommands, 1)
			.positive("retention", retention)
			.positive("max-copies-size", maxCopiesSize);
		if (enabled && clients.isEmpty()) {
			throw invalid("clients", "", "it must name at least one client with a token and roots");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String name, Object value, @Nullable String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + name, value, String.valueOf(reason));
	}

	/**
	 * Properties of a client.
	 *
	 * @param token Secret with which the client identifies itself, at least 16
	 * characters. Not needed by a client with a certificate whose common name is the name
	 * of the client.
	 * @param tenants Tenants that the client may act for. By default, all of them.
	 * @param roots Directories of this machine that commands of the client may use, with
	 * everything below. With the segment {tenant}, each tenant has its own.
	 */
	public record ClientProperties(@Nullable String token, @DefaultValue Set<String> tenants,
			@DefaultValue List<String> roots) {

		/**
		 * Creates the properties.
		 * @param tenants the tenants, copied
		 * @param roots the directories, copied
		 */
		public ClientProperties {
			tenants = Set.copyOf(tenants);
			roots = List.copyOf(roots);
		}

		@Override
		public String toString() {
			// not the token
			return "ClientProperties[tenants=" + this.tenants + ", roots=" + this.roots + "]";
		}

	}

}
