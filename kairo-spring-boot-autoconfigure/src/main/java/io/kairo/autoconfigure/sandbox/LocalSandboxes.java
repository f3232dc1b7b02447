package io.kairo.autoconfigure.sandbox;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.autoconfigure.sandbox.SandboxesOfType.Problem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Chooses and creates the configured sandboxes. For use by one thread, at start-up and
 * shutdown.
 */
final class LocalSandboxes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LocalSandboxes.class);

	private final SandboxProperties properties;

	private final @Nullable ClassLoader classLoader;

	private final Function<SandboxType, SandboxesOfType<?>> creation;

	private final Map<SandboxType, SandboxesOfType<?>> byType = new EnumMap<>(SandboxType.class);

	/**
	 * Creates the value.
	 * @param classLoader the class loader of the application, null for the default
	 * @param creation creates the sandboxes of a type when they are needed first
	 */
	LocalSandboxes(SandboxProperties properties, @Nullable ClassLoader classLoader,
			Function<SandboxType, SandboxesOfType<?>> creation) {
		this.properties = properties;
		this.classLoader = classLoader;
		this.creation = creation;
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
		SandboxType type = properties.type();
		if (type == SandboxType.AUTO) {
			return chooseInOrder(properties);
		}
		requireModule(type, property);
		Problem problem = (type != SandboxType.NONE) ? of(type).problem(properties) : null;
		if (problem != null && !problem.passing()) {
			throw problem.exception();
		}
		warn(problem);
		return new SandboxChoice(type, SandboxProperties.PREFIX + property + " is " + type.spelled());
	}

	private SandboxChoice chooseInOrder(SandboxProperties properties) {
		List<SandboxType> order = properties.autoOrder();
		order.forEach((type) -> requireModule(type, "auto-order"));
		List<String> problems = new ArrayList<>();
		String unused = "";
		SandboxType waiting = null;
		Problem passing = null;
		for (SandboxType type : order) {
			Problem problem = of(type).problem(properties);
			if (problem == null) {
				if (waiting != null) {
					of(waiting).discard(properties);
				}
				return new SandboxChoice(type, problems.isEmpty() ? first(order)
						: String.join("; ", problems) + ((type == SandboxType.PROCESS) ? unused : ""));
			}
			if (problem.passing()) {
				waiting = type;
				passing = problem;
			}
			problems.add(type.spelled() + " cannot be used: " + problem);
			unused += unusedUser(type, properties);
		}
		if (waiting != null) {
			warn(passing);
			return new SandboxChoice(waiting, "it may work later, and no other of kairo.sandbox.auto-order works here");
		}
		throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				"None of kairo.sandbox.auto-order works here: " + String.join("; ", problems),
				"correct that, or add another sandbox to kairo.sandbox.auto-order");
	}

	private static void warn(@Nullable Problem problem) {
		if (problem != null) {
			logger.warn(problem.finding() + ". Commands are answered with backend_unavailable until that changes");
		}
	}

	private static String first(List<SandboxType> order) {
		return (order.get(0) == SandboxType.BUBBLEWRAP) ? "the strongest sandbox that works here"
				: "the first of kairo.sandbox.auto-order that works here";
	}

	private static String unusedUser(SandboxType type, SandboxProperties properties) {
		String user = switch (type) {
			case DOCKER -> properties.docker().runAs();
			case MICROVM -> properties.microvm().runAs();
			case BUBBLEWRAP -> properties.bubblewrap().runAs();
			default -> null;
		};
		return StringUtils.hasText(user) ? "; commands have the rights of this application, not those of " + user + " ("
				+ SandboxProperties.PREFIX + type.spelled() + ".run-as)" : "";
	}

	/**
	 * Checks that what a sandbox needs is there, even if another one is chosen on this
	 * machine.
	 * @param property the property that names the sandbox
	 */
	private void requireModule(SandboxType type, String property) {
		String missing = switch (type) {
			case DOCKER -> missing("io.kairo.sandbox.docker.DockerSandbox", "io.kairo:kairo-sandbox-docker",
					!StringUtils.hasText(this.properties.docker().image()),
					"kairo.sandbox.docker.image; set it to an image of the engine, such as agents:1.0, "
							+ "that has a POSIX shell and perl");
			case MICROVM -> missing("io.kairo.sandbox.microvm.MicroVmSandbox", "io.kairo:kairo-sandbox-microvm",
					this.properties.microvm().kernel() == null || this.properties.microvm().initrd() == null,
					"kairo.sandbox.microvm.kernel and kairo.sandbox.microvm.initrd; set them to the files that "
							+ "make-image.sh makes");
			case REMOTE -> missing("io.kairo.sandbox.remote.RemoteSandbox", "io.kairo:kairo-sandbox-remote",
					this.properties.remote().workers().isEmpty(),
					"kairo.sandbox.remote.workers; set it to the addresses of the workers, such as https://worker:8460");
			default -> null;
		};
		if (missing != null) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + property, type.spelled(),
					"it needs " + missing + ", or use another sandbox");
		}
	}

	private @Nullable String missing(String className, String artifact, boolean settingMissing, String setting) {
		if (!ClassUtils.isPresent(className, this.classLoader)) {
			return "the dependency " + artifact + "; add it";
		}
		return settingMissing ? setting : null;
	}

	/**
	 * Creates the sandbox for the commands of all tenants.
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

	private ExecutionSandbox sandbox(SandboxType type, SandboxProperties properties) {
		return (type == SandboxType.NONE) ? new NoCommands() : of(type).get(properties);
	}

	private SandboxesOfType<?> of(SandboxType type) {
		return this.byType.computeIfAbsent(type, this.creation);
	}

	/**
	 * Closes all created sandboxes.
	 */
	@Override
	public void close() {
		this.byType.values().forEach(SandboxesOfType::close);
	}

}
