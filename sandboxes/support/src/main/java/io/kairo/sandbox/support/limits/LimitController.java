package io.kairo.sandbox.support.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandLimits;

/**
 * A controller of the kernel that limits the resources of a control group, see cgroups(7)
 * for version 1 and the kernel's {@code cgroup-v2.rst}.
 */
enum LimitController {

	/**
	 * Memory including swap. Version 1 counts the buffers of network sockets apart from
	 * the rest: they may take an eighth of the limit besides, and each TCP socket a part
	 * that the kernel grants beyond any limit.
	 */
	MEMORY("memory", SandboxCapability.MEMORY_LIMIT) {

		@Override
		void apply(Path group, CommandLimits limits) throws IOException {
			long limit = Objects.requireNonNull(limits.memoryBytes());
			String bytes = String.valueOf(limit);
			if (Files.exists(group.resolve("memory.max"))) {
				write(group.resolve("memory.max"), bytes);
				writeIfThere(group.resolve("memory.swap.max"), "0");
			}
			else {
				write(group.resolve("memory.limit_in_bytes"), bytes);
				writeIfThere(group.resolve("memory.memsw.limit_in_bytes"), bytes);
				write(group.resolve("memory.kmem.tcp.limit_in_bytes"), String.valueOf(limit / 8));
			}
		}

		@Override
		boolean wasHit(Path group) {
			return count(group.resolve("memory.events"), "oom_kill") > 0
					|| count(group.resolve("memory.oom_control"), "oom_kill") > 0;
		}

	},

	/** Processor time, in periods of 100 ms. */
	CPU("cpu", SandboxCapability.CPU_LIMIT) {

		@Override
		void apply(Path group, CommandLimits limits) throws IOException {
			double cpus = Objects.requireNonNull(limits.cpus());
			long quota = Math.max(1000, Math.round(cpus * PERIOD_MICROS));
			if (Files.exists(group.resolve("cpu.max"))) {
				write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
			}
			else {
				write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
				write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
			}
		}

	},

	/** Processes and threads. */
	PIDS("pids", SandboxCapability.PIDS_LIMIT) {

		@Override
		void apply(Path group, CommandLimits limits) throws IOException {
			write(group.resolve("pids.max"), String.valueOf(limits.pids()));
		}

		@Override
		boolean wasHit(Path group) {
			return count(group.resolve("pids.events"), "max") > 0;
		}

	};

	private static final long PERIOD_MICROS = 100_000;

	private final String controller;

	private final SandboxCapability capability;

	LimitController(String controller, SandboxCapability capability) {
		this.controller = controller;
		this.capability = capability;
	}

	/**
	 * Returns the name of the controller in the kernel.
	 */
	String controller() {
		return this.controller;
	}

	/**
	 * Returns the capability that the controller provides.
	 */
	SandboxCapability capability() {
		return this.capability;
	}

	/**
	 * Writes the limit to a group.
	 * @throws IOException if it cannot be set
	 */
	abstract void apply(Path group, CommandLimits limits) throws IOException;

	/**
	 * Returns whether the kernel refused or ended a process because of the limit.
	 */
	boolean wasHit(Path group) {
		return false;
	}

	static void write(Path file, String value) throws IOException {
		Files.writeString(file, value, StandardOpenOption.WRITE);
	}

	private static void writeIfThere(Path file, String value) throws IOException {
		if (Files.exists(file)) {
			write(file, value);
		}
	}

	private static long count(Path file, String name) {
		try {
			for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
				if (line.startsWith(name + " ")) {
					return Long.parseLong(line.substring(name.length() + 1).trim());
				}
			}
		}
		catch (IOException | NumberFormatException ex) {
			return 0;
		}
		return 0;
	}

}
