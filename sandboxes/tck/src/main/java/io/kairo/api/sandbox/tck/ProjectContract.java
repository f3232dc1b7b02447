package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Builds small projects by the commands of one session, without options for the sandbox.
 * A project is skipped if a sandbox lacks what it needs, such as a compiler.
 */
@Timeout(600)
public abstract class ProjectContract {

	private static final List<Project> PROJECTS = List.of(
			new Project("java", "command -v javac",
					"echo 'class A { public static void main(String[] a) throws Exception {"
							+ " java.nio.file.Files.createTempFile(\"a\", \"b\");"
							+ " System.out.print(System.getProperty(\"user.home\")); } }' > A.java",
					"javac -J-XX:TieredStopAtLevel=1 -d ~/out A.java",
					"[ \"$(java -XX:TieredStopAtLevel=1 -cp ~/out A)\" = \"$HOME\" ]"),
			new Project("make", "command -v make && command -v cc",
					"printf 'all: a\\n\\t./a\\na: a.c\\n\\tcc -o a a.c\\n' > Makefile;"
							+ " echo 'int main(void) { return 0; }' > a.c",
					"make"),
			new Project("venv", "python3 -c 'import venv'", "python3 -m venv --without-pip v",
					". v/bin/activate && [ \"$(python -c 'import sys; print(sys.prefix)')\" = \"$PWD/v\" ]"),
			new Project("pip", "python3 -c 'import setuptools, wheel, ensurepip'",
					"mkdir -p p/made && echo > p/made/__init__.py && echo 'from setuptools import setup;"
							+ " setup(name=\"made\", version=\"1\", packages=[\"made\"])' > p/setup.py",
					"python3 -m venv --system-site-packages v && . v/bin/activate"
							+ " && pip install -q --no-index --no-build-isolation ./p",
					". v/bin/activate && cd v && python -c 'import made'"),
			new Project("go", "command -v go", "go mod init example.org/a 2> /dev/null;"
					+ " printf 'package main\n\nfunc main() {}\n' > a.go;"
					+ " printf 'package main\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n' > a_test.go",
					"go test ./...", "go build -o ~/a . && ~/a"),
			new Project("rust", "command -v cargo", "cargo init -q --vcs none --name a .", "cargo test -q --offline",
					"cargo run -q --offline"),
			new Project("npm", "command -v npm", "npm init -y > /dev/null && npm pkg set scripts.test='node -e 0'",
					"npm test"),
			new Project("worktree", "command -v git",
					"git init -q main && cd main && git config user.name a && git config user.email"
							+ " a@example.org && git commit -q --allow-empty -m first && git worktree add -q ../other",
					"cd ../other && echo x > x && git add x && git commit -q -m second", "git -C ../main log other"),
			new Project("submodule", "command -v git",
					"for r in a b; do git init -q $r && git -C $r config user.name a && git -C $r"
							+ " config user.email a@example.org && git -C $r commit -q --allow-empty -m first; done",
					"cd a && git -c protocol.file.allow=always submodule add -q ../b b && git commit -q -m second",
					"git -C b log"),
			new Project("server", "python3 -c 'import socket; socket.socket()'",
					"&python3 -m http.server --bind 127.0.0.1 18080",
					"for i in $(seq 100); do python3 -c \"import urllib.request as u;"
							+ " print(u.urlopen('http://127.0.0.1:18080/').status)\" 2> /dev/null && exit; sleep 0.1;"
							+ " done; exit 1"));

	/**
	 * Creates the contract.
	 */
	protected ProjectContract() {
	}

	/**
	 * Returns a sandbox, which is closed after the test if it can be. It is skipped here
	 * if this machine lacks something.
	 * @return the sandbox
	 */
	protected abstract ExecutionSandbox createSandbox();

	/**
	 * Returns the workspace of a project.
	 * @param temporary an empty directory
	 * @return an empty directory to which commands have access
	 * @throws IOException if it cannot be created
	 */
	protected Path workspace(Path temporary) throws IOException {
		return Files.createDirectory(temporary.toRealPath().resolve("workspace"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("projects")
	final void projectIsBuilt(Project project, @TempDir Path temporary) throws Exception {
		ExecutionSandbox sandbox = createSandbox();
		try {
			Path workspace = workspace(temporary);
			// in a session of its own, so that the first commands of the other are those
			// of the
			// project
			assumeThat(run("need", sandbox, workspace, workspace, project.need()).exit().exitCode())
				.as("SKIPPED: " + project.need())
				.isZero();
			build(sandbox, workspace, project.commands());
		}
		finally {
			if (sandbox instanceof AutoCloseable closeable) {
				closeable.close();
			}
		}
	}

	static Stream<Project> projects() {
		return PROJECTS.stream();
	}

	/**
	 * Runs the commands of a session, each in the directory of the last one.
	 * @param sandbox runs the commands
	 * @param workspace the workspace
	 * @param commands the commands; one that starts with {@code &} runs in the
	 * background, and the next one starts at once
	 */
	protected static void build(ExecutionSandbox sandbox, Path workspace, List<String> commands) {
		Path current = workspace;
		CompletableFuture<SandboxHandle> background = null;
		for (String command : commands) {
			if (command.startsWith("&")) {
				Path directory = current;
				background = CompletableFuture
					.supplyAsync(() -> start("session", sandbox, workspace, directory, command.substring(1), true));
				continue;
			}
			Ended ended = run("session", sandbox, workspace, current, command);
			assertThat(ended.exit().exitCode()).as("%s: %s", command, ended.output()).isZero();
			current = ended.directory();
		}
		if (background != null) {
			background.join().close();
		}
	}

	private static Ended run(String session, ExecutionSandbox sandbox, Path workspace, Path directory, String command) {
		try (SandboxHandle handle = start(session, sandbox, workspace, directory, command, false)) {
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return new Ended(Objects.requireNonNull(handle.exit().block()), output.toString(),
					Objects.requireNonNullElse(handle.workingDirectory(), workspace));
		}
	}

	private static SandboxHandle start(String session, ExecutionSandbox sandbox, Path workspace, Path directory,
			String command, boolean background) {
		return sandbox.start(new SandboxRequest.Builder(command, workspace).timeout(Duration.ofMinutes(4))
			.attributes(SandboxAttributes.builder()
				.sessionId(session)
				.redirectErrorStream(true)
				.background(background)
				.workingDirectory(directory)
				.build())
			.build());
	}

	/**
	 * A command that has ended.
	 *
	 * @param exit its exit
	 * @param output its output
	 * @param directory its last directory
	 */
	private record Ended(SandboxExit exit, String output, Path directory) {

	}

	/**
	 * A project.
	 *
	 * @param name its name
	 * @param need a command that fails where the project cannot be built
	 * @param commands the commands of the session
	 */
	private record Project(String name, String need, List<String> commands) {

		Project(String name, String need, String... commands) {
			this(name, need, List.of(commands));
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
