package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.host.MountTable;
import io.kairo.sandbox.support.mount.MountPlan.HostMounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link HostMounts}.
 */
class HostMountsTests {

	private static final String TABLE = """
			22 1 8:1 /os / rw,relatime shared:1 - ext4 /dev/sda1 rw
			23 22 8:2 / /data rw - ext4 /dev/sda2 rw
			24 23 0:40 /vol/a /data/a rw master:1 propagate_from:2 - btrfs /dev/sdb rw
			25 22 0:50 / /mnt rw - nfs4 server:/export rw
			26 22 8:3 / /below rw - ext4 /dev/sdc rw
			27 26 8:4 / /below/hidden rw - ext4 /dev/sdd rw
			28 26 8:5 / /below rw - ext4 /dev/sde rw
			29 22 8:6 / /with\\040blank rw - ext4 /dev/sdf rw
			""";

	private final HostMounts mounts = new HostMounts(MountTable.parse(TABLE));

	@ParameterizedTest
	@CsvSource({ "/srv/w, 8:1 /os/srv/w", "/, 8:1 /os", "/data, 8:2 /", "/data/w, 8:2 /w", "/data/a, 0:40 /vol/a",
			"/data/a/w, 0:40 /vol/a/w", "/data/ab, 8:2 /ab", "/below/w, 8:5 /w", "/below/hidden/w, 8:5 /hidden/w",
			"/with blank/w, 8:6 /w", "/a b\\c, 8:1 /os/a\\040b\\134c" })
	void lineHasDeviceAndPathInTheFileSystem(String path, String expected) throws IOException {
		assertThat(this.mounts.line(Path.of(path), Path.of("/seen"))).isEqualTo(expected + " /seen");
	}

	@Test
	void targetIsEscapedAsInTheMountTable() throws IOException {
		assertThat(this.mounts.line(Path.of("/w"), Path.of("/a b\tc\nd\\e")))
			.isEqualTo("8:1 /os/w /a\\040b\\011c\\012d\\134e");
		assertThat(HostMounts.lineOfNew(Path.of("/a b"))).isEqualTo("/ /a\\040b");
	}

	@Test
	void lineIsNullIfTheFileSystemDoesNotShowTheDirectory() throws IOException {
		assertThat(this.mounts.line(Path.of("/mnt/w"), Path.of("/w"))).isNull();
	}

	@Test
	void lineFailsWithoutMounts() {
		assertThatIOException()
			.isThrownBy(() -> new HostMounts(MountTable.parse("")).line(Path.of("/w"), Path.of("/w")));
	}

}
