package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ControlDirectory}.
 */
@EnabledOnOs(OS.LINUX)
class ControlDirectoryTests {

	@Test
	void userThatCommandsRunAsCannotChangeTheFilesThatTheJvmOpens() throws IOException {
		HostUser runAs = JvmUser.bubblewrapOptions().commands().runAs();
		try (PrivateDirectory directory = new PrivateDirectory(null);
				PrivateDirectory reports = new PrivateDirectory(null)) {
			ControlDirectory control = new ControlDirectory(directory, reports, runAs, new byte[8]);
			ControlFiles files = control.newFiles();
			try (files) {
				files.writeArguments(List.of("--setenv", "TOKEN", "secret"));
				Path arguments = files.directory().resolve("args");
				assertThat(Files.getOwner(files.directory())).isEqualTo(Files.getOwner(directory.path()));
				assertThat(Files.getPosixFilePermissions(files.directory()))
					.isEqualTo(PosixFilePermissions.fromString((runAs != null) ? "rwx--x--x" : "rwx------"));
				assertThat(Files.getOwner(arguments)).isEqualTo(Files.getOwner(directory.path()));
				assertThat(Files.getPosixFilePermissions(arguments))
					.isEqualTo(PosixFilePermissions.fromString("rw-------"));
				assertThat(arguments).hasContent("--setenv\0TOKEN\0secret\0");
				if (runAs != null) {
					assertThat(Files.getAttribute(files.report(), "unix:uid")).isEqualTo(runAs.uid());
				}
			}
			assertThat(files.directory()).doesNotExist();
			assertThat(files.report()).doesNotExist();
		}
	}

}
