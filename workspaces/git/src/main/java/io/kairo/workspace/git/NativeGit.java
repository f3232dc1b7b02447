package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

/**
 * The {@code git} program of this machine.
 */
final class NativeGit implements GitClient {

	private final Path home;

	private final GitOptions options;

	private final String version;

	private NativeGit(Path home, GitOptions options, String version) {
		this.home = home;
		this.options = options;
		this.version = version;
	}

	/**
	 * Looks for the program.
	 * @param home an empty directory
	 * @return the client, or null if the program is missing or does not run
	 */
	static @Nullable NativeGit find(Path home, GitOptions options) {
		try {
			GitProcess.Outcome outcome = new GitProcess(home, "version").run(Deadline.after(Duration.ofSeconds(10)),
					GitProcess.Guard.NONE);
			return outcome.isOk() ? new NativeGit(home, options, outcome.output().replace("git version", "git").strip())
					: null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	@Override
	public String description() {
		return this.version;
	}

	@Override
	public @Nullable String head(GitRemote remote, Path store, Deadline deadline) throws IOException {
		String said = talk(remote, "look at", deadline, GitProcess.Guard.NONE, "--git-dir=" + store, "ls-remote",
				"--symref", "--", remote.url().text(), "HEAD");
		String id = null;
		for (String line : said.lines().toList()) {
			if (line.startsWith("ref: refs/heads/") && line.endsWith("\tHEAD")) {
				return line.substring("ref: ".length(), line.length() - "\tHEAD".length());
			}
			if (line.matches("[0-9a-f]{40,64}\tHEAD")) {
				id = line.substring(0, line.indexOf('\t'));
			}
		}
		return id;
	}

	@Override
	public void fetch(GitRemote remote, Path store, FetchSpec spec, Deadline deadline) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("--git-dir=" + store, "fetch", "--quiet", "--no-tags",
				"--force", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"));
		if (spec.prune()) {
			arguments.add("--prune");
		}
		if (this.options.depth() > 0) {
			arguments.add("--depth=" + this.options.depth());
		}
		arguments.addAll(List.of("--", remote.url().text()));
		arguments.addAll(spec.refSpecs());
		StoreSize size = new StoreSize(store, this.options.limits().maxStoreBytes());
		talk(remote, "fetch from", deadline, () -> !size.isExceeded(), arguments.toArray(String[]::new));
	}

	@Override
	public void populate(Path gitDirectory, Path tree, String commit, Deadline deadline) throws IOException {
		GitProcess.Outcome outcome = new GitProcess(this.home, "--git-dir=" + gitDirectory, "--work-tree=" + tree,
				"read-tree", "--reset", "-u", commit)
			.run(deadline, GitProcess.Guard.NONE);
		if (outcome.code() == GitProcess.Outcome.TIMED_OUT) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "The files could not be written within "
					+ deadline.bound().toSeconds() + " seconds: allow more time", null);
		}
		if (!outcome.isOk()) {
			throw new IOException(outcome.output().contains("No space left") ? "No space left on device"
					: "git ended with " + outcome.code() + ": " + outcome.output().lines().findFirst().orElse(""));
		}
	}

	@Override
	public void push(GitRemote remote, Path gitDirectory, String commit, String branch, Deadline deadline)
			throws IOException {
		String target = "refs/heads/" + branch;
		GitProcess.Outcome outcome = run(remote, deadline, GitProcess.Guard.NONE, "--git-dir=" + gitDirectory, "push",
				"--porcelain", "--no-verify", "--force-with-lease=" + target + ":", "--", remote.url().text(),
				commit + ":" + target);
		if (!outcome.isOk()
				&& (outcome.output().contains("stale info") || outcome.output().contains("reference already exists"))) {
			throw GitFailures.conflict(remote, branch);
		}
		check(remote, outcome, "push to", deadline);
		if (outcome.output().contains("[up to date]")) {
			throw GitFailures.conflict(remote, branch);
		}
	}

	private String talk(GitRemote remote, String doing, Deadline deadline, GitProcess.Guard guard, String... arguments)
			throws IOException {
		GitProcess.Outcome outcome = run(remote, deadline, guard, arguments);
		check(remote, outcome, doing, deadline);
		return outcome.output();
	}

	private GitProcess.Outcome run(GitRemote remote, Deadline deadline, GitProcess.Guard guard, String... arguments)
			throws IOException {
		return new GitProcess(this.home, arguments).talkingTo(remote).run(deadline, guard);
	}

	private void check(GitRemote remote, GitProcess.Outcome outcome, String doing, Deadline deadline) {
		if (outcome.code() == GitProcess.Outcome.TIMED_OUT) {
			throw GitFailures.timeout(remote, deadline);
		}
		if (outcome.code() == GitProcess.Outcome.STOPPED) {
			throw GitFailures.tooLarge(remote, this.options.limits().maxStoreBytes());
		}
		if (!outcome.isOk()) {
			throw GitFailures.remote(remote, outcome.output(), doing);
		}
	}

}
