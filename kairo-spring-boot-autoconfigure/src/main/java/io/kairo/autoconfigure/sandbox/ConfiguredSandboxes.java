package io.kairo.autoconfigure.sandbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.boot.OnSandboxType;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxDriver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.PropertyResolver;
import org.springframework.util.StringUtils;

/**
 * Chooses and creates the configured sandboxes. For use by one thread, at start-up and
 * shutdown.
 */
final class ConfiguredSandboxes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ConfiguredSandboxes.class);

	/** The artifacts of types whose driver is absent. */
	private static final Map<String, String> ARTIFACTS = Map.of("docker", "io.kairo:kairo-sandbox-docker", "microvm",
			"io.kairo:kairo-sandbox-microvm", "remote", "io.kairo:kairo-sandbox-remote");

	private final SandboxProperties properties;

	private final PropertyResolver environment;

	private final CommandSettingsFactory settings;

	private final Map<String, SandboxDriver> drivers = new TreeMap<>();

	/**
	 * By type and settings, so that a self-test, which takes a while, is not repeated.
	 */
	private final Map<Key, BackendSandbox> sandboxes = new HashMap<>();

	/**
	 * Creates the value.
	 * @param environment contains the users of sandboxes
	 * @param settings creates the settings for commands
	 * @param drivers the drivers; the first of a type is used
	 * @throws IllegalArgumentException if the type of a driver cannot be configured
	 */
	ConfiguredSandboxes(SandboxProperties properties, PropertyResolver environment, CommandSettingsFactory settings,
			Stream<SandboxDriver> drivers) {
		this.properties = properties;
		this.environment = environment;
		this.settings = settings;
		drivers.forEach((driver) -> this.drivers.putIfAbsent(checked(driver), driver));
	}

	private static String checked(SandboxDriver driver) {
		String type = driver.type();
		if (!type.equals(OnSandboxType.canonical(type)) || type.isEmpty() || type.equals(SandboxProperties.AUTO)
				|| type.equals(SandboxProperties.NONE)) {
			throw new IllegalArgumentException("The type of " + driver.getClass().getName() + " is '" + type
					+ "': it must consist of lower-case letters and digits, and be neither auto nor none");
		}
		return type;
	}

	/**
	 * Selects the sandboxes to create. A sandbox that is configured by name has to work,
	 * now or later; otherwise the first one that works is selected.
	 */
	SandboxChoice choose() {
		SandboxChoice common = choose("type", this.properties);
		Map<String, SandboxChoice> tenants = new HashMap<>();
		this.properties.tenants().forEach((tenant, own) -> {
			String property = (own.type() != null) ? "tenants." + tenant + ".type" : "type";
			tenants.put(tenant, choose(property, this.properties.of(tenant)));
		});
		return new SandboxChoice(common.type(), common.reason(), tenants);
	}

	private SandboxChoice choose(String property, SandboxProperties properties) {
		String type = properties.type();
		if (type.equals(SandboxProperties.AUTO)) {
			return chooseInOrder(properties);
		}
		if (!type.equals(SandboxProperties.NONE)) {
			requireDriver(type, property);
			BackendProblem problem = problem(type, properties);
			if (problem != null && !problem.temporary()) {
				throw problem.toException();
			}
			warn(problem);
		}
		return new SandboxChoice(type, SandboxProperties.PREFIX + property + " is " + type);
	}

	private SandboxChoice chooseInOrder(SandboxProperties properties) {
		List<String> order = properties.autoOrder();
		order.forEach((type) -> requireDriver(type, "auto-order"));
		List<String> problems = new ArrayList<>();
		String unused = "";
		String waiting = null;
		BackendProblem temporary = null;
		for (String type : order) {
			BackendProblem problem = problem(type, properties);
			if (problem == null) {
				if (waiting != null) {
					discard(waiting, properties);
				}
				return new SandboxChoice(type, problems.isEmpty() ? first(order)
						: String.join("; ", problems) + (type.equals("process") ? unused : ""));
			}
			if (problem.temporary()) {
				waiting = type;
				temporary = problem;
			}
			problems.add(type + " cannot be used: " + problem + "; " + problem.remedy());
			unused += unusedUser(type);
		}
		if (waiting != null) {
			warn(temporary);
			return new SandboxChoice(waiting, "it may work later, and no other of kairo.sandbox.auto-order works here");
		}
		throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				"None of kairo.sandbox.auto-order works here: " + String.join("; ", problems),
				"correct that, or add another sandbox to kairo.sandbox.auto-order");
	}

	private static void warn(@Nullable BackendProblem problem) {
		if (problem != null) {
			logger.warn(problem.toException().problem()
					+ ". Commands are answered with backend_unavailable until that changes");
		}
	}

	private static String first(List<String> order) {
		return order.get(0).equals("bubblewrap") ? "the strongest sandbox that works here"
				: "the first of kairo.sandbox.auto-order that works here";
	}

	private String unusedUser(String type) {
		String property = SandboxProperties.PREFIX + type + ".run-as";
		String user = this.environment.getProperty(property);
		return StringUtils.hasText(user)
				? "; commands have the rights of this application, not those of " + user + " (" + property + ")" : "";
	}

	/**
	 * Checks that what a sandbox needs is there, even if another one is chosen on this
	 * machine.
	 * @param property the property that names the sandbox
	 */
	private void requireDriver(String type, String property) {
		SandboxDriver driver = this.drivers.get(type);
		String artifact = ARTIFACTS.get(type);
		if (driver == null && artifact == null) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + property, type,
					"no sandbox has this type: use auto, none or one of " + this.drivers.keySet());
		}
		String missing = (driver != null) ? driver.missing() : "the dependency " + artifact + "; add it";
		if (missing != null) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + property, type,
					"it needs " + missing + ", or use another sandbox");
		}
	}

	/**
	 * Returns the problem that prevents the use of the sandbox with some settings, after
	 * a self-test. Unless it is temporary, the sandbox is closed.
	 */
	private @Nullable BackendProblem problem(String type, SandboxProperties properties) {
		SandboxDriver driver = Objects.requireNonNull(this.drivers.get(type), type);
		CommandSettings settings = this.settings.create(properties);
		BackendProblem unsupported = driver.unsupported(settings);
		if (unsupported != null) {
			return unsupported;
		}
		BackendProblem problem = this.sandboxes
			.computeIfAbsent(Key.of(type, properties), (key) -> driver.create(settings))
			.problem();
		if (problem != null && !problem.temporary()) {
			discard(type, properties);
		}
		return problem;
	}

	private void discard(String type, SandboxProperties properties) {
		BackendSandbox sandbox = this.sandboxes.remove(Key.of(type, properties));
		if (sandbox != null) {
			sandbox.close();
		}
	}

	/**
	 * Returns the sandbox for the commands of all tenants.
	 * @param choice what was chosen here
	 */
	ExecutionSandbox create(SandboxChoice choice) {
		ExecutionSandbox common = sandbox(choice.type(), this.properties);
		if (choice.tenants().isEmpty()) {
			return common;
		}
		Map<String, ExecutionSandbox> own = new HashMap<>();
		choice.tenants()
			.forEach((tenant, chosen) -> own.put(tenant, sandbox(chosen.type(), this.properties.of(tenant))));
		return new TenantSandboxes(common, own);
	}

	private ExecutionSandbox sandbox(String type, SandboxProperties properties) {
		return type.equals(SandboxProperties.NONE) ? new NoCommands()
				: Objects.requireNonNull(this.sandboxes.get(Key.of(type, properties)), type);
	}

	/**
	 * Closes all created sandboxes.
	 */
	@Override
	public void close() {
		this.sandboxes.values().forEach(BackendSandbox::close);
	}

	/**
	 * A type, and the settings in which two of its sandboxes may differ. They are
	 * compared without the methods of records, which the JVM generates when they are
	 * called first.
	 *
	 * @param type the type
	 * @param network the network access, or null
	 * @param networkAllow the hosts of the allow-list
	 * @param networkAllowInternal the internal hosts of the allow-list
	 * @param limits the resource limits
	 */
	private record Key(String type, @Nullable NetworkAccess network, List<String> networkAllow,
			List<String> networkAllowInternal, SandboxLimitsProperties limits) {

		static Key of(String type, SandboxProperties properties) {
			return new Key(type, properties.network(), properties.networkAllow(), properties.networkAllowInternal(),
					properties.limits());
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Key that && this.type.equals(that.type) && this.network == that.network
					&& this.networkAllow.equals(that.networkAllow)
					&& this.networkAllowInternal.equals(that.networkAllowInternal)
					&& Objects.equals(this.limits, that.limits);
		}

		@Override
		public int hashCode() {
			return this.type.hashCode();
		}

	}

}
