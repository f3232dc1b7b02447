package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.DockerSandbox;

/**
 * The Docker sandbox beside the {@code docker} program.
 */
final class DockerBenchmarks {

	/** The script {@code sandboxes/docker/src/test/docker/test-image} makes it. */
	private static final String IMAGE = "kairo-test-image:latest";

	List<Comparison> comparisons() {
		return List
			.of(new Comparison("command, Docker backend, container of a session", "`docker exec`", 0.1, (scratch) -> {
				Work<?> work = command(scratch, (options) -> options);
				String id = scratch.closing(new Container(startContainer())).id();
				return new Sides(work, Work.of(() -> Commands.countLines("docker", "exec", id, "bash", "-c", "true")));
			}), new Comparison("command, Docker backend, new container", "`docker run --rm`", 1, (scratch) -> {
				Work<?> work = command(scratch,
						(options) -> options.with((changes) -> changes.mode(DockerOptions.Mode.COMMAND)));
				Path directory = scratch.directoryOfCommands();
				return new Sides(work, Work.of(() -> Commands.countLines("docker", "run", "--rm", "--network=none",
						"-v", directory + ":" + directory, IMAGE, "bash", "-c", "true")));
			}), new Comparison("command, Docker backend, copied workspace",
					"`docker create`, `cp`, `start`, `cp`, `rm`", 1, (scratch) -> {
						Work<?> work = command(scratch,
								(options) -> options.with((changes) -> changes.workspaces(DockerOptions.Workspaces.COPY)
									.maxCopyBytes(options.maxCopyBytes())));
						Path directory = scratch.directoryOfCommands();
						String copy = "id=$(docker create --network=none " + IMAGE + " bash -c true) && docker cp -q "
								+ directory + " $id:/home/ && docker start -a $id && docker cp -q $id:/home/"
								+ directory.getFileName() + " " + directory + ".copy && docker rm -f $id >&2";
						return new Sides(work, Work.of(() -> Commands.countLines("sh", "-c", copy)));
					}));
	}

	private static Work<?> command(Scratch scratch, UnaryOperator<DockerOptions> change)
			throws IOException, NotMeasuredException {
		DockerOptions options = DockerOptions.of(IMAGE);
		if (Scratch.isRoot()) {
			options = options.with((changes) -> changes.commands((commands) -> commands.runAs(Scratch.NOBODY)));
		}
		DockerSandbox sandbox = scratch.closing(new DockerSandbox(change.apply(options)));
		NotMeasuredException.throwIf(sandbox.problem());
		return CommandBenchmarks.starts(sandbox, scratch.directoryOfCommands());
	}

	private static String startContainer() throws IOException {
		Process process = Commands.start("docker", "run", "-d", "--rm", "--network=none", IMAGE, "sleep", "3600");
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
	}

	/**
	 * A container for {@code docker exec}.
	 */
	private record Container(String id) implements AutoCloseable {

		@Override
		public void close() throws IOException, InterruptedException {
			Commands.start("docker", "rm", "-f", this.id).waitFor();
		}

	}

}
