package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.DockerProblem;
import io.kairo.sandbox.docker.DockerSandbox;
import org.jspecify.annotations.Nullable;

/**
 * The Docker sandbox beside the {@code docker} program, where an engine can be used.
 */
final class DockerBenchmarks implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	/** The script {@code sandbox-docker/src/test/docker/test-image} makes it. */
	private static final String IMAGE = "kairo-test-image:latest";

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private final DockerSandbox sandbox;

	/** Has a new container for each command. */
	private final DockerSandbox renewing;

	/** Copies the workspace both ways for each command. */
	private final DockerSandbox copying;

	private final Path directory;

	/** The container for {@code docker exec}, or null. */
	private @Nullable String container;

	DockerBenchmarks(Scratch scratch) throws IOException {
		this.directory = scratch.directory("contained");
		DockerOptions options = DockerOptions.of(IMAGE);
		if (System.getProperty("user.name").equals("root")) {
			options = options.withRunAs(NOBODY);
			Files.setPosixFilePermissions(scratch.directory(), PosixFilePermissions.fromString("rwx--x--x"));
			Files.setAttribute(this.directory, "unix:uid", NOBODY.uid());
		}
		this.sandbox = new DockerSandbox(options);
		this.renewing = new DockerSandbox(options.withMode(DockerOptions.Mode.COMMAND));
		this.copying = new DockerSandbox(options.withWorkspaces(DockerOptions.Workspaces.COPY, options.maxCopyBytes()));
	}

	/**
	 * Returns the comparisons; none if there is no engine or image.
	 * @throws IOException if the container for {@code docker exec} cannot be started
	 */
	List<Comparison> comparisons() throws IOException {
		for (DockerSandbox each : List.of(this.sandbox, this.renewing, this.copying)) {
			DockerProblem problem = each.problem();
			if (problem != null) {
				System.out.println("Not measured: Docker backend (" + problem + ")");
				return List.of();
			}
		}
		String[] exec = { "docker", "exec", startContainer(), "bash", "-c", "true" };
		String[] run = { "docker", "run", "--rm", "--network=none", "-v", this.directory + ":" + this.directory, IMAGE,
				"bash", "-c", "true" };
		String copy = "id=$(docker create --network=none " + IMAGE + " bash -c true) && docker cp -q " + this.directory
				+ " $id:/home/ && docker start -a $id && docker cp -q $id:/home/" + this.directory.getFileName() + " "
				+ this.directory + ".copy && docker rm -f $id >&2";
		return List.of(
				new Comparison("command, Docker backend, container of a session", "`docker exec`", 0.1,
						() -> run(this.sandbox), () -> Commands.countLines(exec)),
				new Comparison("command, Docker backend, new container", "`docker run --rm`", 1,
						() -> run(this.renewing), () -> Commands.countLines(run)),
				new Comparison("command, Docker backend, copied workspace",
						"`docker create`, `cp`, `start`, `cp`, `rm`", 1, () -> run(this.copying),
						() -> Commands.countLines("sh", "-c", copy)));
	}

	private String startContainer() throws IOException {
		Process process = Commands.start("docker", "run", "-d", "--rm", "--network=none", IMAGE, "sleep", "3600");
		String id = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
		this.container = id;
		return id;
	}

	private Object run(DockerSandbox sandbox) {
		SandboxRequest request = new SandboxRequest.Builder("true", this.directory).timeout(TIMEOUT).build();
		try (SandboxHandle handle = sandbox.start(request)) {
			return (long) Objects.requireNonNull(handle.exit().block(TIMEOUT)).exitCode();
		}
	}

	@Override
	public void close() throws IOException, InterruptedException {
		this.copying.close();
		this.renewing.close();
		this.sandbox.close();
		if (this.container != null) {
			Commands.start("docker", "rm", "-f", this.container).waitFor();
		}
	}

}
