package io.kairo.sandbox.docker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.host.HostUser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for an application that runs in a container, with the socket of the engine and
 * directories of the host mounted at other paths.
 */
@RequiresDocker
@Timeout(120)
class SiblingContainerTests {

	private static final String SOCKET = "unix://";

	private final String engine = new DockerEngine(TestContainers.options()).address();

	@TempDir
	Path temp;

	private Path workspaces;

	private Path state;

	@BeforeEach
	void createDirectories() throws IOException {
		assumeThat(this.engine).as("SKIPPED: the engine is not on this machine").startsWith(SOCKET);
		Path parent = this.temp.toRealPath();
		this.workspaces = Files.createDirectory(parent.resolve("workspaces"));
		this.state = Files.createDirectory(parent.resolve("state"));
		Files.writeString(Files.createDirectory(this.workspaces.resolve("acme")).resolve("given"), "given\n");
		if (TestContainers.isRoot()) {
			AccessGrantingSandbox.grantAccess(this.workspaces, TestContainers.NOBODY.uid());
		}
	}

	/**
	 * Runs the program in a container that has the Java platform and the class path of
	 * this JVM.
	 * @return what it printed
	 */
	private String run(List<String> mounts, String workspace, String command) throws Exception {
		return run(mounts, "/state", workspace, command, DockerOptions.Workspaces.AUTO);
	}

	private String run(List<String> mounts, String state, String workspace, String command,
			DockerOptions.Workspaces workspaces) throws Exception {
		HostUser user = Objects.requireNonNull(HostUser.current());
		HostUser commands = TestContainers.isRoot() ? TestContainers.NOBODY : user;
		List<String> docker = new ArrayList<>(List.of("docker", "run", "--rm", "--network=none", "--user",
				user.uid() + ":" + user.gid(), "-v", this.engine.substring(SOCKET.length()) + ":/engine.sock"));
		mounts.forEach((mount) -> docker.addAll(List.of("-v", mount)));
		for (String path : platform()) {
			docker.addAll(List.of("-v", path + ":" + path + ":ro"));
		}
		docker.addAll(List.of(TestContainers.IMAGE, ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), SiblingProgram.class.getName(), "unix:///engine.sock",
				commands.uid() + ":" + commands.gid(), state, workspace, command, workspaces.name()));
		Process process = new ProcessBuilder(docker).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output;
	}

	/**
	 * Returns the paths of this machine that the JVM needs, without those below others.
	 */
	private static Set<String> platform() throws IOException {
		Path home = Path.of(System.getProperty("java.home")).toRealPath();
		Set<String> paths = new TreeSet<>(List.of("/usr", home.toString()));
		try (Stream<Path> files = Files.walk(home)) {
			for (Path link : files.filter(Files::isSymbolicLink).filter(Files::exists).toList()) {
				paths.add("/" + link.toRealPath().subpath(0, 2));
			}
		}
		Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> new File(entry).exists())
			.forEach(paths::add);
		paths.removeIf((path) -> Path.of(path).getParent() != null
				&& paths.stream().anyMatch((other) -> !path.equals(other) && Path.of(path).startsWith(other)));
		return paths;
	}

	@Test
	void commandSeesDirectoriesOfTheMachineOfTheEngine() throws Exception {
		String output = run(List.of(this.workspaces + ":/agents", this.state + ":/state"), "/agents/acme",
				"pwd; cat given; echo > proof; ls -d missing");
		assertThat(output).contains("problem null\n", "/agents/acme\n", "given\n", "exit 0\n");
		assertThat(this.workspaces.resolve("acme/proof")).exists();
		assertThat(this.workspaces.resolve("acme/missing")).doesNotExist();
	}

	@Test
	void workspaceCanBeInVolume() throws Exception {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: a new volume belongs to root").isTrue();
		String volume = "kairo-test-" + System.nanoTime();
		try {
			assertThat(run(List.of(volume + ":/agents", this.state + ":/state"), "/agents/acme", "pwd"))
				.contains("problem null\n", "/agents/acme\n", "exit 0\n");
		}
		finally {
			new ProcessBuilder("docker", "volume", "rm", volume).start().waitFor();
		}
	}

	@Test
	void workspaceThatOnlyTheContainerHasIsRefused() throws Exception {
		assertThat(run(List.of(this.state + ":/state"), "/tmp/acme", "true")).contains("problem null\n",
				"SETUP_FAILED /tmp/acme " + EnginePaths.NOT_SHARED);
	}

	@Test
	void stateThatOnlyTheContainerHasIsProblem() throws Exception {
		assertThat(run(List.of(this.workspaces + ":/agents"), "/tmp/state", "/agents/acme", "true",
				DockerOptions.Workspaces.MOUNT))
			.contains("problem files_not_shared: ", EnginePaths.NOT_SHARED);
	}

	@Test
	void workspaceIsCopiedIfTheEngineSeesNothing() throws Exception {
		String output = run(List.of(this.workspaces + ":/agents"), "/tmp/state", "/agents/acme",
				"pwd; cat given; echo > missing; echo > proof", DockerOptions.Workspaces.AUTO);
		assertThat(output).contains("problem null\n", "/agents/acme\n", "given\n", "exit 0\n");
		assertThat(this.workspaces.resolve("acme/proof")).exists();
		assertThat(this.workspaces.resolve("acme/missing")).doesNotExist();
	}

}
