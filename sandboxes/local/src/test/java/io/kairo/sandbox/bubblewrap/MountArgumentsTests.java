package io.kairo.sandbox.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.sandbox.support.mount.MountPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MountArguments} with the mounts of this machine.
 */
@EnabledOnOs(OS.LINUX)
class MountArgumentsTests {

	private static final Path DIRECTORY = Path.of("/usr");

	private static MountArguments mounts(MountPlan.Kind kind, Path source, String target) {
		MountPlan plan = new MountPlan();
		plan.add(kind, source, Path.of(target));
		return new MountArguments(plan);
	}

	private static String table(MountArguments mounts) throws IOException {
		return "1 0 0:1 / / rw - tmpfs tmpfs rw\n2 1 " + String.join("", mounts.plan().lines()) + " rw - ext4 x rw\n";
	}

	@ParameterizedTest
	@ValueSource(strings = { "/shown", "/with blank", "/ä" })
	void mountIsFoundInItsTable(String target) throws IOException {
		MountArguments mounts = mounts(MountPlan.Kind.WRITABLE, DIRECTORY, target);
		byte[] bytes = table(mounts).getBytes(StandardCharsets.UTF_8);
		assertThat(mounts.isIn(new String(bytes, StandardCharsets.ISO_8859_1))).isTrue();
	}

	@Test
	void mountOfAnotherDirectoryOrAtAnotherPathIsNotFound() throws IOException {
		MountArguments mounts = mounts(MountPlan.Kind.READ_ONLY, DIRECTORY, "/shown");
		String table = table(mounts);
		for (String other : List.of(table.replace("/usr ", "/usr/x "), table.replace("/usr ", "/x/usr "),
				table.replace("/shown ", "/shown/x "), table.replace("/shown ", "/x/shown "),
				table.replace("/shown ", "/ "), table.replace("2 1 ", "2 1 1"), "")) {
			assertThat(mounts.isIn(other)).as(other).isFalse();
		}
		assertThat(mounts(MountPlan.Kind.HIDDEN, DIRECTORY, "/hidden").isIn(table)).isFalse();
	}

	@Test
	void nothingIsReleasedIfTheMountsAreNotKnown(@TempDir Path directory) throws IOException {
		ByteArrayOutputStream input = new ByteArrayOutputStream();
		ControlFiles files = new ControlFiles(directory, directory.resolve("report"));
		mounts(MountPlan.Kind.WRITABLE, DIRECTORY, "/shown").release(files, () -> false, input);
		Files.writeString(directory.resolve("status"), "{ \"child-pid\": " + ProcessHandle.current().pid());
		mounts(MountPlan.Kind.WRITABLE, DIRECTORY, "/shown").release(files, () -> false, input);
		assertThat(input.size()).isZero();
	}

}
