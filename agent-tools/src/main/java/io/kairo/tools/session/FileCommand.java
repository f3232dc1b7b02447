package io.kairo.tools.session;

import java.io.ByteArrayOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.sandbox.support.process.ShellWord;

/**
 * A command that reads a file of a session. Nothing of this machine is opened, and the
 * command sees what commands may see. What it has opened must be in a shared directory:
 * links from one to another are followed, and none leads to the workspace.
 *
 * @param sandbox runs the commands
 * @param last a request of the session; the command runs in its place
 * @param directories the shared directories
 */
record FileCommand(ExecutionSandbox sandbox, SandboxRequest last, List<Path> directories) {

	private static final Logger logger = System.getLogger(FileCommand.class.getName());

	private static final int MAX_HEAD = 4096;

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	/** The end of a command may be reported late. */
	private static final long PATIENCE_SECONDS = 30;

	/**
	 * Programs of the system come first, since no policy has allowed to run those that a
	 * command has left in a directory of {@code PATH}.
	 */
	private static final String PATH = "PATH=/usr/bin:/bin:$PATH\n";

	/**
	 * Finds the file {@code $p}, whose path without links is {@code $r}. Prints the code
	 * of a failure and ends the shell.
	 */
	private static final String FIND = """
			r=$(readlink -f "$p")
			[ $? -lt 126 ] || exit 1
			[ -n "$r" ] || [ ! -d "${p%/*}" ] || [ -x "${p%/*}" ] || fail PERMISSION_DENIED
			[ -n "$r" ] || fail FILE_NOT_FOUND
			inside "$r"
			[ -e "$r" ] || fail FILE_NOT_FOUND
			""";

	/**
	 * Runs the command.
	 * @param path the file
	 * @param script what to do with {@code $r}; it begins its output with {@code OK} and
	 * a space
	 * @param maxBytes the maximum size of its output behind the first line
	 * @return the output, or a failure as for reading
	 */
	WorkspaceResult<Output> run(WorkspacePath path, String script, long maxBytes) {
		String inside = this.directories.stream()
			.map((each) -> ShellWord.quote(each.toString()))
			.map((each) -> each + "|" + each + "/*")
			.collect(Collectors.joining("|"));
		String start = PATH + "p=" + ShellWord.quote(path.toString())
				+ "\nfail() { echo $1; exit 0; }\ninside() { case \"$1\" in " + inside
				+ ") ;; *) fail PATH_TRAVERSAL_BLOCKED ;; esac; }\n";
		try {
			return Output.of(run(start + FIND + script, maxBytes + MAX_HEAD), path);
		}
		catch (SandboxLimitException ex) {
			return failed(path, String.valueOf(ex.getMessage()));
		}
		catch (SandboxException ex) {
			logger.log(Level.WARNING, "A file of commands was not read", ex);
			return failed(path, "no command can read it at present");
		}
	}

	static <T> WorkspaceResult<T> failed(WorkspacePath path, String reason) {
		return WorkspaceResult.failure(WorkspaceErrorCode.READ_FAILED,
				WorkspacePath.quote(path.toString()) + " could not be read: " + reason);
	}

	static <T> WorkspaceResult<T> failure(WorkspacePath path, WorkspaceErrorCode code) {
		String reason = switch (code) {
			case FILE_NOT_FOUND -> "does not exist: list the directory above it to see what is there";
			case IS_A_DIRECTORY -> "is a directory: list it, or give a file";
			case NOT_A_DIRECTORY -> "is not a directory: give a directory";
			case PERMISSION_DENIED -> "cannot be read, as its permissions deny that: change them by a command";
			case UNSUPPORTED_FILE_TYPE -> "is a FIFO, a socket or a device: only regular files are read";
			default ->
				"leads out of the files of the session through a symbolic link: give a path whose links stay inside";
		};
		return WorkspaceResult.failure(code, WorkspacePath.quote(path.toString()) + " " + reason);
	}

	/**
	 * Returns the output of a command, empty if it failed.
	 */
	private byte[] run(String command, long maxBytes) {
		SandboxAttributes place = this.last.attributes();
		SandboxRequest request = new SandboxRequest.Builder(command, this.last.workspaceRoot()).env(this.last.env())
			.tenant(this.last.tenant())
			.readOnly(this.last.readOnly())
			.timeout(TIMEOUT)
			.maxOutputBytes(maxBytes)
			.attributes(SandboxAttributes.builder()
				.workspaceTarget(place.workspaceTarget())
				.mounts(place.mounts())
				.protectedPaths(place.protectedPaths())
				.allowedRoots(place.allowedRoots())
				.sessionId(place.sessionId())
				.build())
			.build();
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		try (SandboxHandle handle = this.sandbox.start(request)) {
			SandboxExit exit = handle.output()
				.ofType(SandboxOutputChunk.Stdout.class)
				.doOnNext((chunk) -> output.writeBytes(chunk.data()))
				.then(handle.exit())
				.toFuture()
				.get(TIMEOUT.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS);
			if (exit.exitCode() == 0 && !exit.truncated()) {
				return output.toByteArray();
			}
			logger.log(Level.DEBUG, "The command that reads a file of commands ended with {0}", exit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.log(Level.WARNING, "A file of commands was not read", ex);
		}
		return new byte[0];
	}

	/**
	 * The output of a command, which may be a lie.
	 *
	 * @param head the rest of the first line
	 * @param bytes the bytes after the first line
	 */
	record Output(String head, byte[] bytes) {

		static WorkspaceResult<Output> of(byte[] output, WorkspacePath path) {
			int end = 0;
			while (end < output.length && output[end] != '\n') {
				end++;
			}
			String head = new String(output, 0, end, StandardCharsets.UTF_8);
			if (head.startsWith("OK ") && end < output.length) {
				return WorkspaceResult
					.ok(new Output(head.substring(3), Arrays.copyOfRange(output, end + 1, output.length)));
			}
			return Stream.of(WorkspaceErrorCode.values())
				.filter((each) -> each.name().equals(head))
				.findFirst()
				.<WorkspaceResult<Output>>map((each) -> failure(path, each))
				.orElseGet(() -> failed(path, "the command that reads it failed"));
		}

	}

}
