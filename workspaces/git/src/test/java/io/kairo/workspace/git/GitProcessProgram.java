package io.kairo.workspace.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceRequest;
import org.eclipse.jgit.util.FS;

/**
 * A program that creates a checkout in a separate process, whose environment a test can
 * choose, and prints the content of its file {@code branch.txt}, or the failure. Optional
 * arguments are the timeout of the remote, and a branch to push a change of that file to.
 */
final class GitProcessProgram {

	/**
	 * System property. Whether JGit measures the clocks of file systems, and saves the
	 * results, in the foreground instead of the background.
	 */
	static final String MEASURING = "kairo.git.measuring";

	private GitProcessProgram() {
	}

	static ProcessBuilder command(Path state, GitClientKind client, String hint) {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				GitProcessProgram.class.getName(), state.toString(), client.name(), hint);
	}

	public static void main(String[] arguments) throws Exception {
		FS.FileStoreAttributes.setBackground(!Boolean.getBoolean(MEASURING));
		GitOptions options = GitOptions.in(Path.of(arguments[0]))
			.withClient(GitClientKind.valueOf(arguments[1]))
			.withAllowedUrls("ssh://", "file://");
		if (arguments.length > 3) {
			options = options.withLimits(new GitLimits(Duration.parse(arguments[3]), 1 << 30, 1 << 30, 1 << 20));
		}
		try (GitWorkspaceProvider provider = new GitWorkspaceProvider(options, GitCredentials.NONE)) {
			Workspace workspace = provider.acquire(WorkspaceRequest.writable(arguments[2]));
			Path file = workspace.root().resolve("branch.txt");
			System.out.print("branch " + Files.readString(file));
			if (arguments.length > 4) {
				Files.writeString(file, "changed\n");
				WorkspaceHistory history = Objects.requireNonNull(workspace.history());
				history.commit("Change").value();
				history.push(arguments[4]).value();
			}
		}
		catch (WorkspaceException ex) {
			System.out.println(ex.code().code() + " " + ex.getMessage());
		}
		System.exit(0); // without waiting for what JGit measures in the background
	}

}
