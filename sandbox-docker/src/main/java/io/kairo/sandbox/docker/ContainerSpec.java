package io.kairo.sandbox.docker;

import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.mount.MountPlan;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes the containers of a sandbox: commands with equal values can share
 * one.
 *
 * @param tenant the ID of the tenant
 * @param session the ID of the session, or null
 * @param user the user that commands run as
 * @param mounts the mounts, the outer ones first
 * @param lines the lines that the mount table has to have
 */
record ContainerSpec(String tenant, @Nullable String session, HostUser user, List<MountPlan.Entry> mounts,
		List<String> lines) {

	/**
	 * Creates the value.
	 * @param tenant the ID of the tenant
	 * @param session the ID of the session, or null
	 * @param user the user
	 * @param mounts the mounts, copied
	 * @param lines the lines, copied
	 */
	ContainerSpec {
		mounts = List.copyOf(mounts);
		lines = List.copyOf(lines);
	}

}
