package io.kairo.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link HostUser}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class HostUserTests {

	/** A user that owns nothing on any machine. */
	private static final HostUser STRANGER = new HostUser(87_654_321, 87_654_321);

	@TempDir
	Path temp;

	@Test
	void parsesNamesAndNumbers() {
		assertThat(HostUser.parse("root")).isEqualTo(new HostUser(0, 0)).hasToString("0:0");
		assertThat(HostUser.parse("1000")).isEqualTo(new HostUser(1000, 1000));
		assertThat(HostUser.parse("1000:100")).isEqualTo(new HostUser(1000, 100));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no such user", "-1", "1:", "9999999999" })
	void rejectsWhatIsNoUser(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> HostUser.parse(text))
			.withMessageContaining("'" + text + "' is not a user of this machine");
	}

	@Test
	void userWithoutEntryHasNoHomeAndIsNamedByNumber() {
		String home = System.getProperty("user.home");
		String name = System.getProperty("user.name");
		assertThat(HostUser.home()).isEqualTo(Path.of(home));
		try {
			System.setProperty("user.home", "?");
			System.setProperty("user.name", "?");
			assertThat(HostUser.home()).isNull();
			HostUser current = HostUser.current();
			assumeThat(current).isNotNull();
			assertThat(HostUser.besideTemporaryFiles("kairo-")).isAbsolute().hasFileName("kairo-" + current.uid());
		}
		finally {
			System.setProperty("user.home", home);
			System.setProperty("user.name", name);
		}
		assertThat(HostUser.besideTemporaryFiles("kairo-")).hasFileName("kairo-" + name);
	}

	@Test
	void barrierIsOutermostDirectoryThatUserMayNotEnter() throws Exception {
		Path real = this.temp.toRealPath();
		Path inner = Files.createDirectories(real.resolve("a/b"));
		Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxr-xr-x"));
		assertThat(STRANGER.barrier(inner)).isNull();
		Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("rwxrwx---"));
		assertThat(STRANGER.barrier(inner)).isEqualTo(inner);
		Files.setPosixFilePermissions(real.resolve("a"), PosixFilePermissions.fromString("rwx------"));
		assertThat(STRANGER.barrier(inner)).isEqualTo(real.resolve("a"));
		HostUser.letPass(real.resolve("a"));
		HostUser.letPass(inner);
		assertThat(STRANGER.barrier(inner)).isNull();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real.resolve("a"))))
			.isEqualTo("rwx--x--x");
	}

	@Test
	void groupDecidesForItsMembers() throws Exception {
		Path real = this.temp.toRealPath();
		Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxr-xr-x"));
		Path directory = Files.createDirectory(real.resolve("shared"));
		int group = (Integer) Files.getAttribute(directory, "unix:gid");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx---r-x"));
		assertThat(new HostUser(STRANGER.uid(), group).barrier(directory)).isEqualTo(directory);
		assertThat(STRANGER.barrier(directory)).isNull();
	}

	@Test
	void treeIsGivenWithoutFollowingLinks() throws Exception {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: only root can change owners").isEqualTo("root");
		Path kept = Files.createFile(this.temp.resolve("kept"));
		Path tree = Files.createDirectories(this.temp.resolve("tree/sub")).getParent();
		Path link = Files.createSymbolicLink(tree.resolve("sub/link"), kept);
		STRANGER.ownTree(tree);
		assertThat(Files.getAttribute(tree, "unix:uid")).isEqualTo(STRANGER.uid());
		assertThat(Files.getAttribute(link.getParent(), "unix:gid")).isEqualTo(STRANGER.gid());
		assertThat(Files.getAttribute(kept, "unix:uid")).isEqualTo(0);
	}

}
