package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.mount.MountPlan;
import org.jspecify.annotations.Nullable;

/**
 * The distinctive features of a container: commands with equal values can share one.
 *
 * @param tenant the ID of the tenant
 * @param session the name of the session, or null
 * @param user the user that commands run as
 * @param mounts the mounts, the outer ones first, copied
 * @param lines the lines that the mount table has to have, copied
 * @param copied whether the directories are copied instead of mounted, for one command
 * @param limits the limits of resources
 */
record ContainerSpec(String tenant, @Nullable String session, HostUser user, List<MountPlan.Entry> mounts,
		List<String> lines, boolean copied, CommandLimits limits) {

	/**
	 * Creates the value.
	 */
	ContainerSpec {
		mounts = List.copyOf(mounts);
		lines = List.copyOf(lines);
	}

	/**
	 * Returns the value for a container with the mounts of a plan.
	 * @throws IOException if the mount table of the host cannot be read
	 */
	static ContainerSpec mounted(String tenant, @Nullable String session, HostUser user, MountPlan plan,
			CommandLimits limits) throws IOException {
		return new ContainerSpec(tenant, session, user, plan.entries(), plan.lines(), false, limits);
	}

	/**
	 * Returns the value for a container with copies of directories.
	 * @param targets the paths of the directories in the container
	 */
	static ContainerSpec copied(String tenant, @Nullable String session, HostUser user, MountPlan plan,
			List<Path> targets, CommandLimits limits) {
		List<MountPlan.Entry> roots = plan.entries()
			.stream()
			.filter((each) -> targets.contains(each.target()))
			.toList();
		return new ContainerSpec(tenant, session, user, roots, List.of(), true, limits);
	}

	/**
	 * Returns whether this container has the session of another one.
	 */
	boolean isOfSession(ContainerSpec other) {
		return this.session != null && this.session.equals(other.session) && this.tenant.equals(other.tenant);
	}

}
