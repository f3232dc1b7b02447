package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
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
	void aPathIsOnTheClosestMount() throws IOException {
		assertThat(TABLE.of(Path.of("/usr/lib")).options()).containsExactly("rw", "relatime");
		assertThat(TABLE.of(Path.of("/tmp/x/y")).options()).containsExactly("rw", "nosuid", "nodev");
		assertThat(TABLE.of(Path.of("/tmp/work")).options()).containsExactly("ro", "noexec");
		assertThat(TABLE.of(Path.of("/tmporary/x")).point()).isEqualTo(Path.of("/tmporary"));
	}

	@Test
	void theLastMountCoversThoseBefore() throws IOException {
		MountTable table = MountTable.parse("1 0 0:1 / /a rw - x x rw\n2 1 0:2 / /a ro - x x rw\n");
		assertThat(table.of(Path.of("/a/b")).options()).containsExactly("ro");
	}

	@Test
	void whatIsBelowAPathIsFoundUnderItsOwnName() {
		assertThat(TABLE.below(Path.of("/tmp"))).extracting(MountTable.Mount::point)
			.containsExactly(Path.of("/tmp/it's a\\\ttab"), Path.of("/tmp/work"));
		assertThat(TABLE.below(Path.of("/tmp/work"))).isEmpty();
	}

	@Test
	void aTableWithoutARootKnowsNothing() {
		assertThatIOException().isThrownBy(() -> MountTable.parse("").of(Path.of("/x")));
	}

}
