package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.kairo.host.PrivateDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EtcSnapshot}.
 */
@EnabledOnOs(OS.LINUX)
class EtcSnapshotTests {

	private static final Map<String, String> OWN = Map.of("passwd", "nobody\n");

	@TempDir
	Path source;

	@TempDir
	Path state;

	private PrivateDirectory directory;

	private ControlDirectory control;

	private EtcSnapshot snapshot;

	@BeforeEach
	void createSource() throws IOException {
		this.directory = new PrivateDirectory(this.state);
		this.control = new ControlDirectory(this.directory, this.directory, null, new byte[0]);
		this.snapshot = new EtcSnapshot(this.source, List.of("hosts", "ssl/certs", "missing"),
				Pattern.compile("java-.*"));
		Files.writeString(this.source.resolve("hosts"), "localhost\n");
		Files.writeString(this.source.resolve("shadow"), "secret\n");
		Files.createDirectories(this.source.resolve("ssl/private"));
		Files.createDirectories(this.source.resolve("java-17"));
		Files.writeString(Files.createDirectories(this.source.resolve("ssl/certs")).resolve("a.pem"), "a\n");
		Files.createSymbolicLink(this.source.resolve("ssl/certs/b.pem"), Path.of("a.pem"));
	}

	@AfterEach
	void close() {
		this.directory.close();
	}

	private Path copy() throws IOException {
		return this.snapshot.copy(this.control, OWN).directory();
	}

	@Test
	void onlySelectedEntriesAreCopied() throws IOException {
		Path copy = copy();
		assertThat(copy).isDirectoryRecursivelyContaining("glob:**/certs/a.pem");
		assertThat(copy.resolve("hosts")).hasContent("localhost\n");
		assertThat(copy.resolve("ssl/certs/b.pem")).isSymbolicLink().hasContent("a\n");
		assertThat(copy.resolve("java-17")).isDirectory();
		assertThat(copy.resolve("passwd")).hasContent("nobody\n");
		assertThat(copy.resolve("shadow")).doesNotExist();
		assertThat(copy.resolve("ssl/private")).doesNotExist();
		assertThat(this.snapshot.copy(this.control, OWN).names()).containsExactlyInAnyOrder("hosts", "ssl/certs",
				"java-17", "passwd");
	}

	@Test
	void copyHasTheOwnerAndPermissionsOfTheOriginal() throws IOException {
		Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rw-r-----");
		Files.setPosixFilePermissions(this.source.resolve("hosts"), mine);
		Files.setPosixFilePermissions(this.source.resolve("ssl/certs/a.pem"), mine);
		Files.setPosixFilePermissions(this.source.resolve("java-17"), PosixFilePermissions.fromString("rwx------"));
		Path copy = copy();
		assertThat(Files.getPosixFilePermissions(copy.resolve("hosts"))).isEqualTo(mine);
		assertThat(Files.getPosixFilePermissions(copy.resolve("ssl/certs/a.pem"))).isEqualTo(mine);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.resolve("java-17"))))
			.isEqualTo("rwx------");
		assertThat(Files.getOwner(copy.resolve("hosts"))).isEqualTo(Files.getOwner(this.source.resolve("hosts")));
	}

	@Test
	void symbolicLinkAtTheTopLevelIsFollowed() throws IOException {
		Files.move(this.source.resolve("hosts"), this.source.resolve("elsewhere"));
		Files.createSymbolicLink(this.source.resolve("hosts"), Path.of("elsewhere"));
		assertThat(copy().resolve("hosts")).isRegularFile().hasContent("localhost\n");
		assertThat(copy().resolve("hosts")).satisfies((file) -> assertThat(Files.isSymbolicLink(file)).isFalse());
	}

	@Test
	void copyIsRenewedAfterACopiedEntryChanges() throws IOException {
		Path first = copy();
		assertThat(copy()).isEqualTo(first);
		Files.setLastModifiedTime(Files.writeString(this.source.resolve("hosts"), "changed\n"), FileTime.fromMillis(1));
		Path second = copy();
		assertThat(second.resolve("hosts")).hasContent("changed\n");
		assertThat(first.resolve("hosts")).as("copy that a command may have mounted").hasContent("localhost\n");
		Files.createDirectory(this.source.resolve("java-21"));
		assertThat(copy().resolve("java-21")).isDirectory();
	}

	@Test
	void copyIsRenewedForCopiedEntriesOnly() throws IOException {
		Path first = copy();
		for (int i = 0; i < 3; i++) {
			Files.writeString(this.source.resolve("resolv.conf"), "nameserver " + i);
			Files.setLastModifiedTime(this.source, FileTime.fromMillis(i));
			assertThat(copy()).isEqualTo(first);
		}
		Files.move(this.source.resolve("hosts"), this.source.resolve("java-18"));
		Files.setLastModifiedTime(this.source, FileTime.fromMillis(9));
		assertThat(copy()).isNotEqualTo(first).isDirectoryContaining("glob:**/java-18");
	}

	@Test
	void missingCopyIsCreatedAgain() throws IOException {
		Files.move(copy(), this.state.resolve("elsewhere"));
		assertThat(copy().resolve("hosts")).exists();
	}

}
