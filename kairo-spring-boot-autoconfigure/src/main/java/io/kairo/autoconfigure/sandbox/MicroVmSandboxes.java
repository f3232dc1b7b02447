package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.microvm.MachinePool;
import io.kairo.sandbox.microvm.MicroVmOptions;
import io.kairo.sandbox.microvm.MicroVmSandbox;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The configured sandboxes of type {@code microvm}. Not loaded unless one is configured,
 * since its classes are optional.
 */
final class MicroVmSandboxes extends SandboxesOfType<MicroVmSandbox> {

	private static final Log logger = LogFactory.getLog(MicroVmSandboxes.class);

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final ObjectProvider<MicroVmOptionsCustomizer> customizers;

	private final ObjectProvider<RequestRules> rules;

	MicroVmSandboxes(Path stateDirectory, Duration shutdownGrace, ObjectProvider<MicroVmOptionsCustomizer> customizers,
			ObjectProvider<RequestRules> rules) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.customizers = customizers;
		this.rules = rules;
	}

	@Override
	protected MicroVmSandbox create(SandboxProperties properties) {
		MicroVmOptions options = this.customizers.orderedStream()
			.reduce(options(properties), (each, next) -> next.customize(each), (first, last) -> last);
		return (properties.network() == NetworkAccess.ALLOW_LIST)
				? new MicroVmSandbox(options, allowList(properties, this.rules)) : new MicroVmSandbox(options);
	}

	@Override
	protected @Nullable Problem test(MicroVmSandbox sandbox) {
		BackendProblem problem = sandbox.problem();
		if (problem == null && sandbox.isEmulated()) {
			logger.warn(
					"Virtual machines are emulated, as KVM cannot be used here: they are slower, and a weaker boundary");
		}
		return (problem != null) ? new Problem(problem.toString(), problem.toException()) : null;
	}

	@Override
	protected void close(MicroVmSandbox sandbox) {
		sandbox.close();
	}

	private MicroVmOptions options(SandboxProperties properties) {
		MicroVmProperties microvm = properties.microvm();
		CommandLimits limits = limits(properties);
		MicroVmOptions options = MicroVmOptions
			.of(Objects.requireNonNull(microvm.kernel(), "kernel"), Objects.requireNonNull(microvm.initrd(), "initrd"))
			.withQemu(microvm.qemu())
			.withVirtiofsd(microvm.virtiofsd())
			.withEmulation(
					microvm.allowEmulation() ? MicroVmOptions.Emulation.ALLOWED : MicroVmOptions.Emulation.REFUSED)
			.withMemoryBytes(microvm.memory().toBytes())
			.withCpus(cpus(limits.cpus(), microvm.cpus()))
			.withPool(new MachinePool(microvm.maxMachines(),
					(microvm.maxMemory() != null) ? microvm.maxMemory().toBytes() : null, microvm.startedAhead(),
					microvm.idleTimeout()))
			.withBootTimeout(microvm.bootTimeout())
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withHiddenPaths(List.of(this.stateDirectory))
			.withShutdownGrace(this.shutdownGrace)
			.withLimits(new CommandLimits(limits.memoryBytes(), null, limits.pids(), limits.fileSizeBytes(),
					limits.perProcess()));
		DataSize size = properties.limits().tmpfsSize();
		try {
			options = (size != null) ? options.withTmpfsBytes(size.toBytes()) : options;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits.tmpfs-size", size, ex);
		}
		try {
			return options.withRunAs(StringUtils.hasText(microvm.runAs()) ? HostUser.parse(microvm.runAs()) : null);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("microvm.run-as", microvm.runAs(), ex);
		}
	}

	/**
	 * Returns the number of processors of a machine, which is that of a command if it is
	 * limited.
	 */
	private static int cpus(@Nullable Double limit, int usual) {
		if (limit != null && (limit != Math.rint(limit) || limit < 1)) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + "limits.cpus", limit,
					"a virtual machine has a whole number of processors");
		}
		return (limit != null) ? limit.intValue() : usual;
	}

}
