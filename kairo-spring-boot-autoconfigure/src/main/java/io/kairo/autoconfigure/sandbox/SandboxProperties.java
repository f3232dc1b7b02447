package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.boot.OnSandboxType;
import io.kairo.boot.PropertyBounds;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.proxy.AllowList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the sandbox that runs commands.
 *
 * @param type Type of the sandbox. Start-up fails if a sandbox other than auto does not
 * work on this machine; it is never replaced by another one.
 * @param autoOrder Sandboxes that type auto tries, in this order, until one works: any of
 * bubblewrap, landlock, docker, microvm, remote and process.
 * @param timeout Timeout of a command of the tool Bash, unless the call specifies one.
 * Requests of the application have a timeout of their own.
 * @param maxTimeout Upper bound for a requested timeout.
 * @param maxOutputBytes Size of the beginning of the output of a command to keep; on disk
 * beyond 256KB.
 * @param tailBytes Size of the end of the output to keep beyond max-output-bytes.
 * @param inheritEnv Names of the environment variables of the application that commands
 * inherit; * stands for all.
 * @param env Environment variables of all commands, by name. They take precedence over
 * inherited variables, and over those that a tool or the application sets.
 * @param gitIdentity Author and committer of what commands commit with Git: a name, and
 * an e-mail address in angle brackets. It takes precedence over the configuration of
 * repositories. Without it, commands have to name one, since they keep no configuration
 * of Git.
 * @param network Network access of commands, which the sandbox has to enforce. By
 * default, the most restrictive access that the sandbox enforces.
 * @param networkAllow Hosts that commands can reach with network allow-list, such as
 * example.org, *.example.org or example.org:8443. The default ports are 443 and 80.
 * @param networkAllowInternal Further hosts that commands can reach with network
 * allow-list although their addresses are not public: names, addresses and ranges of
 * addresses, each with a port, such as git.corp.example:443, localhost:8443 or
 * 10.1.0.0/16:443. Metadata services of clouds only as single addresses.
 * @param upstreamProxy HTTP proxy of the network through which commands reach the hosts
 * of the allow-list.
 * @param requireIsolation Whether to refuse to start without a sandbox that confines
 * commands.
 * @param limits Resource limits of each command.
 * @param processLimits Resource limits of each single process of a command.
 * @param caches Directories in the home directory of commands that last from session to
 * session.
 * @param tenants Settings of tenants whose sandbox differs, by tenant id.
 */
@ConfigurationProperties("kairo.sandbox")
public record SandboxProperties(@DefaultValue(SandboxProperties.AUTO) String type, @DefaultValue( {
		"bubblewrap", "landlock", "process" }) List<String> autoOrder,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("120s") Duration timeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("600s") Duration maxTimeout,
		@DefaultValue("32MB") DataSize maxOutputBytes, @DefaultValue("1MB") DataSize tailBytes,
		@DefaultValue({ "PATH", "LANG", "HOME" }) List<String> inheritEnv, @DefaultValue Map<String, String> env,
		@Nullable String gitIdentity, @Nullable NetworkAccess network, @DefaultValue({}) List<String> networkAllow,
		@DefaultValue({}) List<String> networkAllowInternal,
		@NestedConfigurationProperty @DefaultValue UpstreamProxyProperties upstreamProxy,
		@DefaultValue("false") boolean requireIsolation,
		@NestedConfigurationProperty @DefaultValue SandboxLimitsProperties limits,
		@NestedConfigurationProperty @DefaultValue ProcessLimitsProperties processLimits,
		@NestedConfigurationProperty @DefaultValue CacheProperties caches,
		@DefaultValue Map<String, TenantSandboxProperties> tenants){

	/** The type that stands for the first of the order that works on this machine. */
	static final String AUTO = "auto";

	/** The type with which agents cannot run commands. */
	public static final String NONE = "none";

	static final String PREFIX = "kairo.sandbox.";

	private static final PropertyBounds BOUNDS = new PropertyBounds(PREFIX);

	private static final Pattern IDENTITY = Pattern
		.compile("([^<>\\p{Cntrl}]*[^<>\\s\\p{Cntrl}])\\s*<([^<>\\s\\p{Cntrl}]+)>");

	/**
	 * Creates and validates the properties.
	 * @param timeout the default timeout, above zero
	 * @param maxOutputBytes the size of the output to keep, above zero
	 * @param tailBytes the size of the end to keep beyond that, at least zero
	 */
	public SandboxProperties {
		type = OnSandboxType.canonical(type);
		autoOrder = autoOrder.stream().map(OnSandboxType::canonical).toList();
		checkOrder(autoOrder);
		BOUNDS.positive("timeout", timeout);
		if (maxTimeout.compareTo(timeout) < 0) {
			throw BOUNDS.invalid("max-timeout", maxTimeout, "it must not be below kairo.sandbox.timeout, " + timeout);
		}
		BOUNDS.positive("max-timeout", maxTimeout)
			.positive("max-output-bytes", maxOutputBytes)
			.notNegative("tail-bytes", tailBytes);
		limits.check();
		for (String name : inheritEnv) {
			if (name.isBlank() || name.indexOf('=') >= 0) {
				throw BOUNDS.invalid("inherit-env", inheritEnv,
						"'" + name + "' is not a name of an environment variable");
			}
		}
		inheritEnv = List.copyOf(inheritEnv);
		env.forEach(SandboxProperties::checkVariable);
		env = withIdentity(env, gitIdentity);
		networkAllow = List.copyOf(networkAllow);
		networkAllowInternal = List.copyOf(networkAllowInternal);
		checkNetwork(network, networkAllow, networkAllowInternal);
		if (upstreamProxy.url() != null && network != NetworkAccess.ALLOW_LIST
				&& tenants.values().stream().noneMatch((own) -> own.network() == NetworkAccess.ALLOW_LIST)) {
			throw UpstreamProxyProperties.invalid("url", upstreamProxy.url(),
					"it has an effect only with kairo.sandbox.network=allow-list; set that or remove the proxy");
		}
		tenants = Map.copyOf(tenants);
		if (type.equals(NONE) && !tenants.isEmpty()) {
			throw BOUNDS.invalid("tenants", tenants.keySet(),
					"commands are disabled by kairo.sandbox.type=none; set another type there, and none here for tenants "
							+ "without commands");
		}
		if (!tenants.isEmpty()) {
			SandboxProperties common = new SandboxProperties(type, autoOrder, timeout, maxTimeout, maxOutputBytes,
					tailBytes, inheritEnv, env, gitIdentity, network, networkAllow, networkAllowInternal,
					(network == NetworkAccess.ALLOW_LIST) ? upstreamProxy : UpstreamProxyProperties.NONE,
					requireIsolation, limits, processLimits, caches, Map.of());
			tenants.forEach((tenant, own) -> own.over(common, tenant));
		}
	}

	/**
	 * Returns the prefix of the properties of a tenant.
	 */
	static String prefix(String tenant) {
		return PropertyBounds.ofEntry(PREFIX + "tenants", tenant).prefix();
	}

	/**
	 * Returns the properties that apply to a tenant.
	 * @param tenant the id of the tenant
	 * @return the properties; those of all tenants if it has none of its own
	 */
	public SandboxProperties of(String tenant) {
		TenantSandboxProperties own = this.tenants.get(tenant);
		return (own != null) ? own.over(this, tenant) : this;
	}

	private static void checkOrder(List<String> order) {
		if (order.isEmpty() || order.contains(AUTO) || order.contains(NONE)) {
			throw BOUNDS.invalid("auto-order", order,
					"it must name at least one of bubblewrap, landlock, docker, microvm, remote and process, and nothing else");
		}
	}

	/**
	 * Checks a variable. Messages do not contain its value, which may be secret.
	 */
	private static void checkVariable(String name, String value) {
		if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
			throw BOUNDS
				.invalid("env", name, "it is not a name of an environment variable: use letters, digits and _, and set "
						+ "it in a file, since the name of an environment variable such as KAIRO_SANDBOX_ENV_X loses its case");
		}
		if (value.indexOf('\0') >= 0) {
			throw BOUNDS.invalid("env." + name, "***", "it contains a NUL character: remove it");
		}
	}

	/**
	 * Adds the variables of Git to those that are configured, which take precedence.
	 */
	private static Map<String, String> withIdentity(Map<String, String> env, @Nullable String identity) {
		if (identity == null) {
			return Map.copyOf(env);
		}
		Matcher parts = IDENTITY.matcher(identity.strip());
		if (!parts.matches()) {
			throw BOUNDS.invalid("git-identity", identity,
					"it is not a name with an address: write it as Agent <agent@example.org>");
		}
		Map<String, String> all = new HashMap<>();
		for (String role : List.of("AUTHOR", "COMMITTER")) {
			all.put("GIT_" + role + "_NAME", parts.group(1));
			all.put("GIT_" + role + "_EMAIL", parts.group(2));
		}
		all.putAll(env);
		return Map.copyOf(all);
	}

	private static void checkNetwork(@Nullable NetworkAccess network, List<String> networkAllow,
			List<String> internal) {
		boolean list = network == NetworkAccess.ALLOW_LIST;
		if (list && networkAllow.isEmpty() && internal.isEmpty()) {
			throw BOUNDS.invalid("network-allow", networkAllow,
					"it must name at least one host, since kairo.sandbox.network is allow-list");
		}
		if (!list && !internal.isEmpty()) {
			throw BOUNDS.invalid("network-allow-internal", internal,
					"it has an effect only with kairo.sandbox.network=allow-list; set that or remove the hosts");
		}
		if (!list && !networkAllow.isEmpty()) {
			throw BOUNDS.invalid("network-allow", networkAllow,
					"it has an effect only with kairo.sandbox.network=allow-list; set that or remove the hosts");
		}
		if (list) {
			allowList(networkAllow, internal);
		}
	}

	private static AllowList allowList(List<String> hosts, List<String> internal) {
		if (internal.isEmpty() || !hosts.isEmpty()) {
			BOUNDS.parse("network-allow", hosts, () -> AllowList.of(hosts));
		}
		AllowList list = BOUNDS.parse("network-allow-internal", internal, () -> AllowList.of(hosts, internal));
		if (!list.unreachable().isEmpty()) {
			throw BOUNDS.invalid("network-allow", list.unreachable(),
					"it names this machine or an internal address, which it does not open: name the "
							+ "host with its port in kairo.sandbox.network-allow-internal instead");
		}
		return list;
	}

	/**
	 * Returns the hosts that commands may reach, without the rules for requests.
	 */
	AllowList allowList() {
		return allowList(this.networkAllow, this.networkAllowInternal);
	}

	/**
	 * Describes the properties that select the sandbox, without environment variables,
	 * which may be secret.
	 */
	@Override
	public String toString() {
		return "SandboxProperties[type=" + this.type + ", env=" + this.env.keySet() + ", network=" + this.network
				+ ", requireIsolation=" + this.requireIsolation + "]";
	}

}
