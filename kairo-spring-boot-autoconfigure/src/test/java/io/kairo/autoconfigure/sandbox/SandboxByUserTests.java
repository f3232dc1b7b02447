package io.kairo.autoconfigure.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.autoconfigure.ThisJvm;
import io.kairo.autoconfigure.tools.TriedInOverlay;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the sandbox of an application that is started by root, by an ordinary user,
 * and by a user who cannot create user namespaces.
 */
@EnabledOnOs(OS.LINUX)
@Tag("bubblewrap")
@Timeout(180)
class SandboxByUserTests {

	private static final String AS_NOBODY = "exec setpriv --reuid 65534 --regid 65534 --clear-groups ";

	/** Uses separate namespaces, so that the limit of this machine is not changed. */
	private static final String WITHOUT_NAMESPACES = AS_NOBODY
			+ "unshare --user --map-current-user --keep-caps sh -c 'echo 0 > /proc/sys/user/max_user_namespaces"
			+ " && exec setpriv --inh-caps=-all --ambient-caps=-all \"$@\"' sh \"$@\"";

	/** Delegates control groups of version 1, as systemd does those of version 2. */
	private static final String DELEGATED = """
			joined=
			for controller in memory pids; do
				own=/sys/fs/cgroup/$controller$(sed -n "s/^[0-9]*:$controller://p" /proc/self/cgroup)
				mkdir "$own/delegated-$$" && chown -R 65534 "$own/delegated-$$" || exit 1
				joined="$joined $own"
				echo $$ > "$own/delegated-$$/cgroup.procs"
			done
			setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
			for own in $joined; do
				echo $$ > "$own/cgroup.procs"
				rmdir "$own/delegated-$$"/kairo-* "$own/delegated-$$"
			done
			""";

	@TempDir
	static Path classes;

	private static String classPath = "";

	@TempDir
	Path state;

	/**
	 * Copies the class path to a directory that every user can read.
	 */
	@BeforeAll
	static void copyClassPath() throws IOException {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: only root can start processes as other users")
			.isEqualTo("root");
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		assumeThat(required || Files.exists(Path.of("/usr/bin/bwrap"))).as("SKIPPED: bwrap is not installed").isTrue();
		Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
		List<String> copies = new ArrayList<>();
		for (String name : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path entry = Path.of(name);
			if (Files.exists(entry)) {
				Path copy = classes.resolve(copies.size() + "-" + entry.getFileName());
				try (Stream<Path> files = Files.walk(entry)) {
					for (Path file : files.toList()) {
						Files.copy(file, copy.resolve(entry.relativize(file).toString()));
					}
				}
				copies.add(copy.toString());
			}
		}
		classPath = String.join(File.pathSeparator, copies);
	}

	private String start(String script, String... arguments) throws Exception {
		return start(SandboxChoiceApplication.class, script, arguments);
	}

	private String start(Class<?> application, String script, String... arguments) throws Exception {
		Files.setPosixFilePermissions(this.state, PosixFilePermissions.fromString("rwxrwxrwx"));
		List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
		command.addAll(ThisJvm.command());
		command.addAll(
				List.of("-cp", classPath, application.getName(), "--kairo.state-dir=" + this.state.resolve("kairo")));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return output;
	}

	@Test
	void rootUsesProcessSandboxWithReason() throws Exception {
		assertThat(start("exec \"$@\"")).containsPattern("chosen: process: .*root_without_run_as");
	}

	@Test
	void rootWithRunAsUsesBubblewrap() throws Exception {
		assertThat(start("exec \"$@\"", "--kairo.sandbox.bubblewrap.run-as=65534")).contains("chosen: bubblewrap: ",
				"health: UP");
	}

	@Test
	void ordinaryUserUsesBubblewrap() throws Exception {
		assertThat(start(AS_NOBODY + "\"$@\"")).contains("chosen: bubblewrap: ", "health: UP");
	}

	@Test
	void ordinaryUserTriesCommandsInOverlays() throws Exception {
		assertThat(start(TriedInOverlay.class, AS_NOBODY + "\"$@\"", "killed")).contains("killed in ");
		assertThat(this.state.resolve("kairo/trials")).isDirectoryContaining(Files::isDirectory);
		assertThat(start(TriedInOverlay.class, AS_NOBODY + "\"$@\"")).contains("tried in overlays");
	}

	@Test
	void ordinaryUserWithDelegatedGroupHasTenantsLimitsAndIsolation() throws Exception {
		assumeThat(Path.of("/sys/fs/cgroup/pids")).as("SKIPPED: control groups of version 1 are not mounted")
			.isDirectory();
		String output = start(LimitedTenants.class, DELEGATED, "--kairo.workspace.roots=" + tenants(),
				"--kairo.sandbox.type=bubblewrap", "--kairo.sandbox.require-isolation=true",
				"--kairo.sandbox.limits.memory=256MB", "--kairo.sandbox.limits.pids=64",
				"--kairo.sandbox.tenants.acme.limits.pids=16");
		assertThat(output).containsPattern("acme: ran in ")
			.containsPattern("acme: .*limit of 16 processes")
			.containsPattern("globex: 40 processes")
			.containsPattern("globex: .*limit of 268435456 bytes of memory")
			.containsPattern("health: .*notLimited=\\{cpus=no limit is set, file-size=no limit is set\\}");
		try (Stream<Path> groups = Files.walk(Path.of("/sys/fs/cgroup/pids"))) {
			assertThat(groups.filter((group) -> group.getFileName().toString().startsWith("delegated-"))).isEmpty();
		}
	}

	@Test
	void ordinaryUserWithoutGroupHasLimitsOfProcessesAndIsolation() throws Exception {
		String output = start(LimitedTenants.class, AS_NOBODY + "\"$@\"", "--kairo.workspace.roots=" + tenants(),
				"--kairo.sandbox.type=bubblewrap", "--kairo.sandbox.process-limits.address-space=256MB",
				"--kairo.sandbox.process-limits.cpu-time=60s", "--kairo.sandbox.process-limits.open-files=128");
		assertThat(output).containsPattern("globex: 40 processes")
			.containsPattern("globex: .*(memory exhausted|cannot allocate)")
			.containsPattern("health: .*notLimited=\\{.*memory=no limit is set, except 268435456 bytes");
	}

	private Path tenants() throws IOException {
		Path tenants = Files.createDirectory(this.state.resolve("tenants"));
		Files.setAttribute(tenants, "unix:uid", 65534);
		return tenants.resolve("{tenant}");
	}

	@Test
	void landlockIsUsedWithReasonWithoutUserNamespaces() throws Exception {
		assertThat(start(WITHOUT_NAMESPACES, "--kairo.sandbox.require-isolation=true"))
			.containsPattern("chosen: landlock: .*user_namespaces_forbidden");
	}

	@Test
	void configuredLandlockIsUsedByAnOrdinaryUserAndRefusedToRoot() throws Exception {
		assertThat(start(AS_NOBODY + "\"$@\"", "--kairo.sandbox.type=landlock", "--kairo.native-calls=false"))
			.contains("chosen: landlock: kairo.sandbox.type is landlock")
			.as("with the state directory below that for temporary files")
			.contains("health: UP");
		assertThat(start("exec \"$@\"", "--kairo.sandbox.type=landlock")).doesNotContain("chosen:")
			.contains("APPLICATION FAILED TO START", "commands of root would be root", "ordinary user");
	}

	@Test
	void processSandboxIsUsedWithReasonsWithoutUserNamespacesAndLandlock() throws Exception {
		assertThat(start(WITHOUT_NAMESPACES, "--kairo.sandbox.limits.tmpfs-size=1MB")).doesNotContain("chosen:")
			.contains("user_namespaces_forbidden", "landlock cannot be used", "needs a mount namespace");
		assertThat(start(WITHOUT_NAMESPACES, "--kairo.sandbox.auto-order=bubblewrap,process"))
			.containsPattern("chosen: process: .*user_namespaces_forbidden");
	}

	@Test
	void requiredIsolationFailsStartupWithoutUserNamespacesAndLandlock() throws Exception {
		assertThat(start(WITHOUT_NAMESPACES, "--kairo.sandbox.require-isolation=true",
				"--kairo.sandbox.auto-order=bubblewrap,process"))
			.doesNotContain("chosen:")
			.contains("APPLICATION FAILED TO START", "user_namespaces_forbidden");
	}

	@Test
	void configuredBubblewrapFailsStartupWithoutUserNamespaces() throws Exception {
		assertThat(start(WITHOUT_NAMESPACES, "--kairo.sandbox.type=bubblewrap")).doesNotContain("chosen:")
			.contains("APPLICATION FAILED TO START", "max_user_namespaces");
	}

}
