package io.kairo.sandbox.microvm.autoconfigure;

import java.util.Objects;

import io.kairo.boot.PropertyBounds;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.microvm.MachinePool;
import io.kairo.sandbox.microvm.MicroVmOptions;
import io.kairo.sandbox.microvm.MicroVmOptions.Emulation;
import io.kairo.sandbox.microvm.MicroVmSandbox;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/**
 * Creates the sandboxes of type {@code microvm}.
 *
 * @param properties the configuration
 * @param customizers the customizers of the options
 */
record MicroVmDriver(MicroVmProperties properties,
		ObjectProvider<SandboxCustomizer<MicroVmOptions.Builder>> customizers) implements SandboxDriver {

	@Override
	public String type() {
		return "microvm";
	}

	@Override
	public @Nullable String missing() {
		return (this.properties.kernel() != null && this.properties.initrd() != null) ? null
				: "kairo.sandbox.microvm.kernel and kairo.sandbox.microvm.initrd; set them to the files that "
						+ "make-image.sh makes";
	}

	@Override
	public BackendSandbox create(CommandSettings settings) {
		MicroVmProperties microvm = this.properties;
		CommandLimits limits = settings.limits();
		String runAs = microvm.runAs();
		CommandSettings commands = new PropertyBounds("kairo.sandbox.microvm.").parse("run-as", runAs,
				() -> settings
					.with((changes) -> changes.runAs(StringUtils.hasText(runAs) ? HostUser.parse(runAs) : null)
						.limits(new CommandLimits(limits.memoryBytes(), null, limits.pids(), limits.fileSizeBytes(),
								limits.perProcess()))));
		return new MicroVmSandbox(MicroVmOptions
			.of(Objects.requireNonNull(microvm.kernel(), "kernel"), Objects.requireNonNull(microvm.initrd(), "initrd"))
			.with((options) -> {
				options.qemu(microvm.qemu())
					.virtiofsd(microvm.virtiofsd())
					.emulation(microvm.allowEmulation() ? Emulation.ALLOWED : Emulation.REFUSED)
					.memoryBytes(microvm.memory().toBytes())
					.cpus(cpus(limits.cpus(), microvm.cpus()))
					.pool(new MachinePool(microvm.maxMachines(),
							(microvm.maxMemory() != null) ? microvm.maxMemory().toBytes() : null,
							microvm.startedAhead(), microvm.idleTimeout()))
					.bootTimeout(microvm.bootTimeout())
					.commands(commands);
				this.customizers.orderedStream().forEach((customizer) -> customizer.customize(options));
			}));
	}

	/**
	 * Returns the number of processors of a machine, equal to the limit of a command if
	 * there is one.
	 */
	private static int cpus(@Nullable Double limit, int usual) {
		if (limit != null && (limit != Math.rint(limit) || limit < 1)) {
			throw new InvalidConfigurationPropertyValueException("kairo.sandbox.limits.cpus", limit,
					"a virtual machine has a whole number of processors");
		}
		return (limit != null) ? limit.intValue() : usual;
	}

}
