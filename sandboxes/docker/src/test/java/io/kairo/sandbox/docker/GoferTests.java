package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@link Gofer}.
 */
class GoferTests {

	private static final String ID = "ca335f741eed115acf041c52dacffd72";

	private static final String TABLE = """
			97 95 0:39 / / ro,relatime master:2 - overlay overlay rw
			98 97 254:0 /srv/ws /workspace rw,relatime - ext4 /dev/vda rw
			100 98 254:0 /srv/ws/.git /workspace/.git rw,relatime - ext4 /dev/vda rw
			""";

	@TempDir
	Path proc;

	@BeforeEach
	void writeProcesses() throws IOException {
		process(11, 0, "containerd-shim-runc-v2", "-id", ID);
		process(12, 0, "runsc-gofer", "gofer", "--bundle", "/run/" + ID);
		process(13, 65534, "runsc-sandbox", "boot", "--bundle=/run/" + ID, ID);
		process(14, 0, "runsc-gofer", "gofer", "--bundle", "/run/other");
		Files.createDirectory(this.proc.resolve("self"));
		Files.writeString(this.proc.resolve("12/mountinfo"), TABLE);
	}

	private Path process(int id, int user, String... arguments) throws IOException {
		Path process = Files.createDirectories(this.proc.resolve(Integer.toString(id)));
		Files.writeString(process.resolve("cmdline"), String.join("\0", arguments) + "\0");
		Files.writeString(process.resolve("status"), "Name:\tx\nUid:\t%1$d\t%1$d\t%1$d\t%1$d\n".formatted(user));
		return process;
	}

	private Gofer gofer() throws Gofer.UnprovenException {
		return Gofer.of(ID, this.proc);
	}

	@Test
	void showsWhatItsTableLists() throws Exception {
		assertThat(gofer().gofer()).isEqualTo(this.proc.resolve("12"));
		assertThat(gofer().shows(List.of("254:0 /srv/ws /workspace", "254:0 /srv/ws/.git /workspace/.git"))).isTrue();
	}

	@Test
	void doesNotShowOtherDirectories() throws Exception {
		assertThat(gofer().shows(List.of("254:0 /srv/ws /workspace", "254:0 /srv/other /workspace/.git"))).isFalse();
		assertThat(gofer().shows(List.of("254:1 /srv/ws /workspace"))).isFalse();
		assertThat(gofer().shows(List.of("254:0 /srv/ws /work"))).isFalse();
		assertThat(gofer().shows(List.of("4:0 /srv/ws /workspace"))).isFalse();
	}

	@Test
	void showsNothingOnceTheIdOfItsProcessBelongsToAnotherOne() throws Exception {
		Gofer gofer = gofer();
		Files.writeString(this.proc.resolve("12/cmdline"), "other\0");
		assertThat(gofer.shows(List.of("254:0 /srv/ws /workspace"))).isFalse();
	}

	@Test
	void showsNothingOnceItHasEnded() throws Exception {
		Gofer gofer = gofer();
		Files.delete(this.proc.resolve("12/mountinfo"));
		assertThat(gofer.shows(List.of("254:0 /srv/ws /workspace"))).isFalse();
	}

	@Test
	void processOfAnotherUserIsNotTheGofer() throws Exception {
		process(12, 65534, "runsc-gofer", "gofer", "--bundle", "/run/" + ID);
		assertThatExceptionOfType(Gofer.UnprovenException.class).isThrownBy(this::gofer)
			.withMessage("this machine has no gofer process of a container that gVisor runs");
	}

	@Test
	void containerOfAnotherMachineIsUnproven() {
		assertThatExceptionOfType(Gofer.UnprovenException.class).isThrownBy(() -> Gofer.of("0123456789", this.proc));
	}

	@Test
	void unreadableTableIsUnproven() throws Exception {
		Files.delete(this.proc.resolve("12/mountinfo"));
		assertThatExceptionOfType(Gofer.UnprovenException.class).isThrownBy(this::gofer)
			.withMessage("the mount table of the gofer process cannot be read");
	}

	@Test
	void groupsOfVersion1LimitByController() throws Exception {
		Files.writeString(this.proc.resolve("13/cgroup"), "9:name=systemd:/" + ID + "\n4:memory:/docker/" + ID
				+ "\n2:cpu,cpuacct:/docker/" + ID + "\n1:pids:/\n0::/" + ID + "\n");
		assertThat(gofer().isLimited("memory")).isTrue();
		assertThat(gofer().isLimited("cpu")).isTrue();
		assertThat(gofer().isLimited("pids")).isFalse();
	}

	@Test
	void groupOfVersion2LimitsEverything() throws Exception {
		Files.writeString(this.proc.resolve("13/cgroup"), "0::/system.slice/docker-" + ID + ".scope\n");
		assertThat(gofer().isLimited("memory")).isTrue();
	}

	@Test
	void ignoredGroupsLimitNothing() throws Exception {
		Files.writeString(this.proc.resolve("13/cgroup"), "4:memory:/docker\n0::/\n");
		assertThat(gofer().isLimited("memory")).isFalse();
		assertThat(gofer().isLimited("cpu")).isFalse();
	}

}
