package io.kairo.sandbox.support.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import io.kairo.sandbox.support.process.Cgroup;
import io.kairo.sandbox.support.process.Cgroups;
import io.kairo.sandbox.support.process.GroupSettings;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the resource limits of the commands of one sandbox, as far as this machine
 * supports it: memory, processors and processes by control groups of either version, the
 * size of files and the limits of single processes by setrlimit(2). Support is checked
 * once, on first use. Without limits it holds no resources. Safe for use by several
 * threads.
 */
public final class ResourceLimits implements AutoCloseable {

	private static final int BLOCK = 512;

	private final CommandLimits limits;

	private final Map<LimitController, String> problems = new EnumMap<>(LimitController.class);

	private @Nullable List<Hierarchy> hierarchies;

	/**
	 * Creates the limits of one sandbox.
	 * @param limits the limits
	 */
	public ResourceLimits(CommandLimits limits) {
		this.limits = limits;
	}

	/**
	 * Describes the enforced limits.
	 * @param report receives for each limit the means of enforcement, or the reason why
	 * it is not enforced
	 */
	public void describe(CapabilityReport report) {
		Map<SandboxCapability, String> set = this.limits.set();
		List<Hierarchy> found = find();
		for (LimitController controller : LimitController.values()) {
			describe(controller, set.get(controller.capability()), found, report);
		}
		report.limit(SandboxCapability.FILE_SIZE_LIMIT, set.get(SandboxCapability.FILE_SIZE_LIMIT), "setrlimit");
	}

	/**
	 * Returns whether the control groups of the limits account for the CPU time of
	 * commands.
	 * @return false without such limits, and if the kernel does not
	 */
	public boolean measureCpuTime() {
		return find().stream().anyMatch((hierarchy) -> hierarchy.groups().measuresCpuTime());
	}

	/**
	 * Prepares the limits for one command.
	 * @return the limits, to be closed when the command has ended
	 * @throws SandboxException if a limit that is set cannot be enforced
	 */
	public LimitedCommand prepare() {
		List<Hierarchy> found = find();
		synchronized (this.problems) {
			this.problems.forEach((controller, problem) -> {
				throw new SandboxException(
						SandboxErrorCode.BACKEND_UNAVAILABLE, "The limit of "
								+ this.limits.set().get(controller.capability()) + " cannot be enforced: " + problem,
						"run as root or in a delegated control group, or remove the limit");
			});
		}
		Map<Cgroup, List<LimitController>> groups = new LinkedHashMap<>();
		try {
			for (Hierarchy hierarchy : found) {
				Cgroup group = hierarchy.groups().create();
				if (group == null) {
					throw new IOException("No more control groups can be created");
				}
				groups.put(group, hierarchy.controllers());
			}
		}
		catch (IOException ex) {
			groups.keySet().forEach(Cgroup::close);
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"A control group with limits could not be created", "see the cause", ex);
		}
		return new LimitedCommand(groups, prelude(groups), this.limits.set());
	}

	@Override
	public void close() {
		List<Hierarchy> found;
		synchronized (this.problems) {
			found = (this.hierarchies != null) ? this.hierarchies : List.of();
		}
		found.forEach((hierarchy) -> hierarchy.groups().close());
	}

	private String prelude(Map<Cgroup, List<LimitController>> groups) {
		StringBuilder prelude = new StringBuilder();
		groups.keySet().forEach((group) -> prelude.append(group.prelude()));
		Long size = this.limits.fileSizeBytes();
		if (size != null) {
			prelude.append("ulimit -f ").append((size + BLOCK - 1) / BLOCK).append(" || exit 125; ");
		}
		prelude.append(this.limits.perProcess().prelude());
		return prelude.toString();
	}

	private void describe(LimitController controller, @Nullable String set, List<Hierarchy> found,
			CapabilityReport report) {
		SandboxCapability capability = controller.capability();
		if (set == null) {
			report.lack(capability, "no limit is set" + perProcess(controller));
		}
		else if (found.stream().anyMatch((hierarchy) -> hierarchy.controllers().contains(controller))) {
			report.claim(capability, set + ", by a control group");
		}
		else {
			synchronized (this.problems) {
				report.lack(capability, String.valueOf(this.problems.get(controller)));
			}
		}
	}

	/**
	 * Returns the limit of each process where a command has none.
	 */
	private String perProcess(LimitController controller) {
		ProcessLimits limits = this.limits.perProcess();
		return switch (controller) {
			case MEMORY -> (limits.addressSpaceBytes() != null)
					? ", except " + limits.addressSpaceBytes() + " bytes of address space of each process" : "";
			case CPU -> (limits.cpuTime() != null)
					? ", except a processor time of " + limits.cpuTime() + " of each process" : "";
			case PIDS -> "";
		};
	}

	private List<Hierarchy> find() {
		synchronized (this.problems) {
			List<Hierarchy> found = this.hierarchies;
			if (found == null) {
				found = search();
				this.hierarchies = found;
			}
			return found;
		}
	}

	private List<Hierarchy> search() {
		List<Hierarchy> found = new ArrayList<>();
		Map<String, LimitController> needed = new LinkedHashMap<>();
		for (LimitController controller : LimitController.values()) {
			if (this.limits.set().containsKey(controller.capability())) {
				needed.put(controller.controller(), controller);
				this.problems.put(controller,
						"no control group has the controller '" + controller.controller() + "' here");
			}
		}
		Cgroups.hierarchies(List.copyOf(needed.keySet())).forEach((directories, names) -> {
			List<LimitController> controllers = names.stream().map(needed::get).toList();
			Cgroups groups = new Cgroups(directories, new LimitSettings(controllers, this.limits));
			String problem = groups.problem();
			if (problem == null) {
				found.add(new Hierarchy(groups, controllers));
				controllers.forEach(this.problems::remove);
			}
			else {
				controllers.forEach((controller) -> this.problems.put(controller, problem));
			}
		});
		return found;
	}

	/**
	 * A hierarchy of control groups.
	 *
	 * @param groups creates groups in the hierarchy
	 * @param controllers the controllers of the hierarchy
	 */
	private record Hierarchy(Cgroups groups, List<LimitController> controllers) {

	}

	/**
	 * Sets limits in the groups of one hierarchy.
	 *
	 * @param controllers the controllers of the hierarchy, copied
	 * @param limits the limits
	 */
	private record LimitSettings(List<LimitController> controllers, CommandLimits limits) implements GroupSettings {

		private static final String SUBTREE = "cgroup.subtree_control";

		/**
		 * Creates the value.
		 */
		LimitSettings {
			controllers = List.copyOf(controllers);
		}

		/**
		 * In version 2 a controller is available in a group only if each of its ancestors
		 * delegates it.
		 */
		@Override
		public void prepare(Path parent) throws IOException {
			Path above = parent.toAbsolutePath().getParent();
			if (above != null && Files.exists(above.resolve(SUBTREE))) {
				for (LimitController controller : this.controllers) {
					handDown(above, controller.controller());
					handDown(parent, controller.controller());
				}
			}
		}

		@Override
		public void apply(Path group) throws IOException {
			for (LimitController controller : this.controllers) {
				controller.apply(group, this.limits);
			}
		}

		private static void handDown(Path group, String controller) throws IOException {
			String handed = Files.readString(group.resolve(SUBTREE), StandardCharsets.US_ASCII).trim();
			if (!List.of(handed.split(" ", -1)).contains(controller)) {
				LimitController.write(group.resolve(SUBTREE), "+" + controller);
			}
		}

	}

}
