package io.kairo.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link MountTable}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class MountTableTests {

	private static final MountTable TABLE = MountTable.parse("""
			22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
			23 22 0:5 / /tmp rw,nosuid,nodev shared:7 master:2 - tmpfs tmpfs rw,size=1k
			24 23 0:6 / /tmp/it's\\040a\\134\\011tab rw - tmpfs tmpfs rw
			25 23 0:7 /deep /tmp/work ro,noexec - tmpfs tmpfs rw
			26 22 0:8 / /tmporary rw - tmpfs tmpfs rw
			""");

	@Test
	void allFieldsAreParsed() {
		MountTable.Mount mount = TABLE.mounts().get(3);
		assertThat(mount.id()).isEqualTo("25");
		assertThat(mount.parent()).isEqualTo("23");
		assertThat(mount.device()).isEqualTo("0:7");
		assertThat(mount.root()).isEqualTo("/deep");
		assertThat(mount.point()).isEqualTo("/tmp/work");
		assertThat(mount.type()).isEqualTo("tmpfs");
		assertThat(TABLE.mounts().get(1).superOptions()).containsExactly("rw", "size=1k");
	}

	@Test
	void pathIsOnClosestMount() throws IOException {
		assertThat(TABLE.of(Path.of("/usr/lib")).options()).containsExactly("rw", "relatime");
		assertThat(TABLE.of(Path.of("/tmp/x/y")).options()).containsExactly("rw", "nosuid", "nodev");
		assertThat(TABLE.of(Path.of("/tmp/work")).options()).containsExactly("ro", "noexec");
		assertThat(TABLE.of(Path.of("/tmporary/x")).point()).isEqualTo("/tmporary");
	}

	@Test
	void lastMountCoversEarlierMounts() throws IOException {
		MountTable table = MountTable.parse("1 0 0:1 / /a rw - x x rw\n2 1 0:2 / /a ro - x x rw\n");
		assertThat(table.of(Path.of("/a/b")).options()).containsExactly("ro");
		table = MountTable.parse("9 0 0:0 / / rw - x x rw\n1 9 0:1 / /a rw - x x rw\n2 9 0:2 / /a ro - x x rw\n");
		assertThat(table.of(Path.of("/a/b")).options()).containsExactly("ro");
	}

	@Test
	void hiddenMountIsNotFound() throws IOException {
		MountTable table = MountTable.parse("""
				22 1 8:1 / / rw - ext4 /dev/sda1 rw
				26 22 8:3 / /below rw - ext4 /dev/sdc rw
				27 26 8:4 / /below/hidden rw - ext4 /dev/sdd rw
				28 26 8:5 / /below rw - ext4 /dev/sde rw
				""");
		assertThat(table.of(Path.of("/below/hidden/x")).id()).isEqualTo("28");
	}

	@Test
	@Timeout(60)
	void rootCanBeItsOwnParent() throws IOException {
		MountTable table = MountTable.parse("1 1 0:1 / / rw - rootfs rootfs rw\n");
		assertThat(table.of(Path.of("/x")).id()).isEqualTo("1");
		table = MountTable.parse("1 1 0:1 / / rw - rootfs rootfs rw\n22 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
		assertThat(table.of(Path.of("/x")).id()).isEqualTo("22");
	}

	@Test
	void mountsBelowPathAreFoundByName() {
		assertThat(TABLE.below(Path.of("/tmp"))).extracting(MountTable.Mount::point)
			.containsExactly("/tmp/it's a\\\ttab", "/tmp/work");
		assertThat(TABLE.below(Path.of("/tmp/work"))).isEmpty();
		assertThat(TABLE.below(Path.of("/"))).hasSize(4);
	}

	@Test
	void pathIsOnNoMountOfEmptyTable() {
		assertThatIOException().isThrownBy(() -> MountTable.parse("").of(Path.of("/x")));
	}

	@Test
	void escapedPathIsParsedToOriginalPath() {
		String path = "/a b\tc\nd\\e\u00e9";
		assertThat(MountTable.escape(path)).isEqualTo("/a\\040b\\011c\\012d\\134e\u00e9");
		byte[] bytes = MountTable.escape("/a b\\134").getBytes(StandardCharsets.UTF_8);
		String line = "1 0 0:1 / " + new String(bytes, StandardCharsets.ISO_8859_1) + " rw - x x rw";
		assertThat(MountTable.parse(line).mounts().get(0).point()).isEqualTo("/a b\\134");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void currentTableHasAMountForEveryDirectory() throws IOException {
		assertThat(MountTable.read().of(Path.of("/proc")).type()).isEqualTo("proc");
	}

}
