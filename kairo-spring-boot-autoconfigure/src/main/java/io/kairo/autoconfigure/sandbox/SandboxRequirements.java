package io.kairo.autoconfigure.sandbox;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.function.SingletonSupplier;

/**
 * Checks at start-up that a sandbox enforces everything that the configuration requires
 * for the commands of each tenant.
 */
final class SandboxRequirements {

	private final SandboxProperties properties;

	private final @Nullable SandboxChoice choice;

	/**
	 * Creates the check.
	 * @param properties the requirements
	 * @param choice the selection of the sandbox; null if the application defines the
	 * sandbox
	 */
	SandboxRequirements(SandboxProperties properties, @Nullable SandboxChoice choice) {
		this.properties = properties;
		this.choice = choice;
	}

	/**
	 * Checks a sandbox for the commands of every tenant.
	 */
	void check(ExecutionSandbox sandbox) {
		Map<String, TenantSandboxProperties> tenants = this.properties.tenants();
		new Check(this.properties, this.properties, null, SingletonSupplier.of(() -> (this.choice != null)
				? sandbox.capabilities(otherThan(tenants.keySet())) : sandbox.capabilities()), this.choice)
			.run();
		tenants.keySet().forEach((tenant) -> {
			SandboxProperties own = this.properties.of(tenant);
			if (!own.type().equals(SandboxProperties.NONE)) {
				new Check(own, this.properties, tenant,
						SingletonSupplier.of(() -> sandbox.capabilities(principal(tenant))),
						(this.choice != null) ? this.choice.tenants().get(tenant) : null)
					.run();
			}
		});
	}

	private static TenantContext otherThan(Set<String> tenants) {
		String other = TenantContext.SINGLE.tenantId();
		while (tenants.contains(other)) {
			other += "_";
		}
		return principal(other);
	}

	private static TenantContext principal(String tenant) {
		return new TenantContext(tenant, TenantContext.SINGLE.principalId());
	}

	/**
	 * The check of the capabilities for the commands of some tenants.
	 *
	 * @param properties the requirements
	 * @param common the requirements of all tenants
	 * @param tenant the id of the tenant, null for all without settings of their own
	 * @param capabilities determines the capabilities, by a self-test that takes a while,
	 * if something is required
	 * @param choice the selection of the sandbox, null if the application defines it
	 */
	private record Check(SandboxProperties properties, SandboxProperties common, @Nullable String tenant,
			Supplier<SandboxCapabilities> capabilities, @Nullable SandboxChoice choice) {

		void run() {
			require(SandboxCapability.FILE_CONFINEMENT, "require-isolation",
					(properties) -> properties.requireIsolation() ? "true" : null);
			require(SandboxCapability.MEMORY_LIMIT, "limits.memory", (properties) -> properties.limits().memory());
			require(SandboxCapability.CPU_LIMIT, "limits.cpus", (properties) -> properties.limits().cpus());
			require(SandboxCapability.PIDS_LIMIT, "limits.pids", (properties) -> properties.limits().pids());
			require(SandboxCapability.FILE_SIZE_LIMIT, "limits.file-size",
					(properties) -> properties.limits().fileSize());
			// requires a separate file system for temporary files
			require(SandboxCapability.FILE_CONFINEMENT, "limits.tmpfs-size",
					(properties) -> properties.limits().tmpfsSize());
			require(SandboxCapability.NETWORK_OFF, "network",
					(properties) -> (properties.network() == NetworkAccess.NONE) ? "none" : null);
			require(SandboxCapability.NETWORK_ALLOW_LIST, "network",
					(properties) -> (properties.network() == NetworkAccess.ALLOW_LIST) ? "allow-list" : null);
			requireNetworkOfHost();
		}

		private void requireNetworkOfHost() {
			// without a self-test of the sandbox that has it in any case
			boolean unsure = this.choice == null || !this.choice.type().equals("process");
			if (this.properties.network() == NetworkAccess.HOST && unsure
					&& this.capabilities.get().has(SandboxCapability.NETWORK_OFF)) {
				throw refused("network", "host", (properties) -> properties.network(), "gives commands no network",
						SandboxCapability.NETWORK_OFF);
			}
		}

		private void require(SandboxCapability capability, String property,
				Function<SandboxProperties, @Nullable Object> setting) {
			Object value = setting.apply(this.properties);
			if (value != null && !this.capabilities.get().has(capability)) {
				throw refused(property, value, setting,
						"does not enforce " + capability.name().toLowerCase(Locale.ROOT).replace('_', ' '), capability);
			}
		}

		private InvalidConfigurationPropertyValueException refused(String property, Object value,
				Function<SandboxProperties, @Nullable Object> setting, String problem, SandboxCapability capability) {
			SandboxCapabilities capabilities = this.capabilities.get();
			String prefix = (this.tenant != null
					&& !Objects.equals(setting.apply(this.properties), setting.apply(this.common)))
							? SandboxProperties.prefix(this.tenant) : SandboxProperties.PREFIX;
			String reason = capabilities.reason(capability);
			return new InvalidConfigurationPropertyValueException(prefix + property, value.toString(),
					"the sandbox '" + capabilities.backend() + "'"
							+ ((this.tenant != null) ? " of the tenant '" + this.tenant + "'" : "") + " " + problem
							+ (reason.isEmpty() ? "" : " (" + reason + ")")
							+ ((this.choice != null) ? ", and was selected because: " + this.choice.reason() : "")
							+ "; use another sandbox or remove the property");
		}

	}

}
