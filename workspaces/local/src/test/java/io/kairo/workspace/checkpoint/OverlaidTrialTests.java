package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.TrialOverlays;
import io.kairo.host.ProcessRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link SessionTrial} in overlays, each in namespaces of its own.
 */
@Tag("bubblewrap")
@EnabledOnOs(OS.LINUX)
class OverlaidTrialTests extends SessionTrialTests {

	private static final String MOUNT = """
			cd "$1" && mount -t overlay overlay -o "lowerdir=$2,upperdir=upper,workdir=work,userxattr" merged &&
				echo && exec cat
			""";

	private final List<TrialOverlays.Overlay> mounted = new ArrayList<>();

	@BeforeAll
	static void requireOverlays(@TempDir(factory = io.kairo.workspace.local.disk.MemoryDirectory.class) Path temp)
			throws IOException {
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		assumeThat(required || Files.isExecutable(Path.of("/usr/bin/unshare"))).as("SKIPPED: there is no unshare")
			.isTrue();
		TrialOverlays.Overlay tried = mount(temp, Files.createDirectory(temp.resolve("layer")));
		assumeThat(required || tried != null).as("SKIPPED: no overlay can be mounted in a user namespace").isTrue();
		assertThat(tried).isNotNull();
		tried.close();
	}

	@Override
	TrialOverlays overlays() {
		return (lower, layer) -> {
			TrialOverlays.Overlay overlay = mount(lower, layer);
			this.mounted.add(overlay);
			return overlay;
		};
	}

	@AfterEach
	void checkThatTheyWereUsed() {
		assertThat(this.mounted).isNotEmpty().doesNotContainNull();
	}

	private static TrialOverlays.Overlay mount(Path lower, Path layer) {
		try {
			for (String name : List.of("upper", "work", "merged")) {
				Files.createDirectory(layer.resolve(name));
			}
			Files.setPosixFilePermissions(layer.resolve("upper"), Files.getPosixFilePermissions(lower));
			Process process = new ProcessBuilder("unshare", "--user", "--map-current-user", "--mount", "--keep-caps",
					"sh", "-c", MOUNT, "kairo", layer.toString(), lower.toString())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			if (process.getInputStream().read() != '\n') {
				return null;
			}
			return new TrialOverlays.Overlay(new ProcessRoot(process.pid()).resolve(layer.resolve("merged")),
					process::isAlive, () -> process.destroyForcibly().onExit().join());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
