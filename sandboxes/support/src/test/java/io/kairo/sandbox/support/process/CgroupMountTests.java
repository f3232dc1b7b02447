package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.host.MountTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CgroupMount}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class CgroupMountTests {

	private static final MountTable BOTH_VERSIONS = MountTable.parse("""
			26 22 0:8 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
			27 22 0:9 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
			28 22 0:10 /box /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
			""");

	@TempDir
	private Path unified;

	@Test
	void ownGroupsAreReturnedInOrderOfPreference() {
		assertThat(CgroupMount.own(List.of("3:pids:/box/in", "2:cpu,freezer:/f", "0::/a/b"), BOTH_VERSIONS))
			.containsExactly(Path.of("/sys/fs/cgroup/freezer/f"), Path.of("/sys/fs/cgroup/unified/a/b"),
					Path.of("/sys/fs/cgroup/pids/in"));
	}

	@Test
	void groupOutsideMountIsIgnored() {
		assertThat(CgroupMount.own(List.of("3:pids:/other", "0::/../sibling"), BOTH_VERSIONS)).isEmpty();
	}

	@Test
	void controllersOfVersionOneHaveSeparateGroups() {
		assertThat(CgroupMount.ofControllers(List.of("freezer", "pids", "memory"),
				List.of("3:pids:/box/in", "2:freezer:/f"), BOTH_VERSIONS))
			.hasSize(2)
			.containsEntry(List.of(Path.of("/sys/fs/cgroup/freezer/f")), List.of("freezer"))
			.containsEntry(List.of(Path.of("/sys/fs/cgroup/pids/in")), List.of("pids"));
	}

	@Test
	void controllersOfVersionTwoShareNearestGroupThatHasAll() throws IOException {
		createGroup("", "cpu memory pids");
		createGroup("user", "cpu memory pids");
		createGroup("user/session", "memory pids");

		assertThat(ofControllers("memory", "cpu")).containsExactly(this.unified.resolve("user"), this.unified);
		assertThat(ofControllers("memory")).containsExactly(this.unified.resolve("user/session"),
				this.unified.resolve("user"), this.unified);
	}

	@Test
	void missingControllerDoesNotAffectOthers() throws IOException {
		createGroup("", "memory");
		createGroup("user", "memory");
		createGroup("user/session", "memory");

		assertThat(CgroupMount.ofControllers(List.of("memory", "pids"), List.of("0::/user/session"), table()))
			.hasSize(1)
			.containsValue(List.of("memory"));
	}

	private List<Path> ofControllers(String... controllers) {
		return CgroupMount.ofControllers(List.of(controllers), List.of("0::/user/session"), table())
			.keySet()
			.iterator()
			.next();
	}

	private MountTable table() {
		return MountTable.parse("26 22 0:8 / " + this.unified + " rw - cgroup2 cgroup2 rw");
	}

	private void createGroup(String name, String controllers) throws IOException {
		Path directory = Files.createDirectories(this.unified.resolve(name));
		Files.writeString(directory.resolve("cgroup.controllers"), controllers + "\n");
	}

}
