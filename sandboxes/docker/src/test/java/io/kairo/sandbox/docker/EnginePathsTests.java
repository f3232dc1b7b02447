package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link EnginePaths}.
 */
class EnginePathsTests {

	private static final String ID = "0123456789abcdef".repeat(4);

	private static final String OTHER = "fedcba9876543210".repeat(4);

	@Test
	void innermostMountDeterminesPathOfEngine() {
		EnginePaths paths = new EnginePaths(
				Map.of(Path.of("/agents"), Path.of("/srv/agents"), Path.of("/agents/shared"), Path.of("/mnt/shared")));
		assertThat(paths.translate(Path.of("/agents"))).isEqualTo(Path.of("/srv/agents"));
		assertThat(paths.translate(Path.of("/agents/acme/src"))).isEqualTo(Path.of("/srv/agents/acme/src"));
		assertThat(paths.translate(Path.of("/agents/shared/lib"))).isEqualTo(Path.of("/mnt/shared/lib"));
		assertThat(paths.translate(Path.of("/agents/shared2"))).isEqualTo(Path.of("/srv/agents/shared2"));
	}

	@Test
	void rootDirectoryOfEngineCanBeMounted() {
		EnginePaths paths = new EnginePaths(Map.of(Path.of("/host"), Path.of("/")));
		assertThat(paths.translate(Path.of("/host"))).isEqualTo(Path.of("/"));
		assertThat(paths.translate(Path.of("/host/srv"))).isEqualTo(Path.of("/srv"));
		assertThat(new EnginePaths(Map.of(Path.of("/"), Path.of("/img"))).translate(Path.of("/a")))
			.isEqualTo(Path.of("/img/a"));
	}

	@Test
	void pathOnNoMountIsRefused() {
		EnginePaths paths = new EnginePaths(
				Map.of(Path.of("/agents"), Path.of("/srv/agents"), Path.of("/agents/memory"), Path.of("")));
		for (String path : new String[] { "/agent", "/agents2/a", "/", "/agents/memory", "/agents/memory/a" }) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> paths.translate(Path.of(path)))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
				.withMessageContainingAll(path, EnginePaths.NOT_SHARED);
		}
	}

	@Test
	void pathsAreTheSameOutsideOfContainers() {
		assertThat(new EnginePaths(null).translate(Path.of("/any"))).isEqualTo(Path.of("/any"));
	}

	@Test
	void directoryOfCachesIsSeenOnAMountOrBesideWhatIsSeen() {
		EnginePaths same = new EnginePaths(null);
		assertThat(same.maps(Path.of("/state/caches"), Path.of("/state"))).isTrue();
		assertThat(same.maps(Path.of("/var/caches"), Path.of("/state"))).isFalse();
		assertThat(same.maps(Path.of("/state/caches"), null)).isFalse();
		EnginePaths mounted = new EnginePaths(Map.of(Path.of("/state/sandbox"), Path.of("/srv/sandbox")));
		assertThat(mounted.maps(Path.of("/state/caches"), Path.of("/state"))).isFalse();
		assertThat(mounted.maps(Path.of("/state/sandbox/caches"), null)).isTrue();
	}

	@Test
	void relativeMappingIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> DockerOptions.of("image")
				.with((changes) -> changes.pathMappings(Map.of(Path.of("/a"), Path.of("b")))))
			.withMessageContaining("absolute");
	}

	@Test
	void ownContainerIsFoundByItsFilesAndControlGroups() {
		String mounts = """
				650 631 0:62 / / rw,relatime - overlay overlay rw,lowerdir=/data/overlay2/l/%2$s
				664 650 254:0 /data/containers/%1$s/resolv.conf /etc/resolv.conf rw,relatime - ext4 /dev/vda rw
				665 650 254:0 /data/containers/%1$s/hostname /etc/hostname rw,relatime - ext4 /dev/vda rw
				667 650 254:0 /srv/%2$s/hosts /workspace/etc/hosts rw,relatime - ext4 /dev/vda rw
				""".formatted(ID, OTHER);
		assertThat(EnginePaths.containers(mounts, "0::/\n")).containsExactly(ID);
		assertThat(EnginePaths.containers("", "11:cpu:/docker/" + ID + "\n10:pids:/docker/" + ID + "\n"))
			.containsExactly(ID);
		assertThat(EnginePaths.containers("", "0::/system.slice/docker-" + ID + ".scope\n")).containsExactly(ID);
		assertThat(EnginePaths.containers(mounts, "0::/machine.slice/libpod-" + OTHER + ".scope\n")).containsExactly(ID,
				OTHER);
		assertThat(EnginePaths.containers("21 20 254:0 / / rw - ext4 /dev/vda rw\n", "0::/user.slice\n")).isEmpty();
	}

}
