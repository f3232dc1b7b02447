package io.kairo.workspace.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * Makes a checkout in a process of its own, whose environment a test can choose, and says
 * what is in its file {@code branch.txt}.
 */
final class GitProcessProgram {

	private GitProcessProgram() {
	}

	static ProcessBuilder command(Path state, GitClientKind client, String hint) {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				GitProcessProgram.class.getName(), state.toString(), client.name(), hint);
	}

	public static void main(String[] arguments) throws Exception {
		GitOptions options = GitOptions.in(Path.of(arguments[0]))
			.withClient(GitClientKind.valueOf(arguments[1]))
			.withAllowedUrls("ssh://", "file://");
		try (GitWorkspaceProvider provider = new GitWorkspaceProvider(options, GitCredentials.NONE)) {
			Workspace workspace = provider.acquire(WorkspaceRequest.writable(arguments[2]));
			System.out.print("branch " + Files.readString(workspace.root().resolve("branch.txt")));
			TimeUnit.SECONDS.sleep(2); // JGit measures clocks in the background
		}
	}

}
