package io.kairo.tools.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;

/**
 * The advice on a command that has ended: what cannot work here, or does not last, and
 * what to do instead. Recognized by the text of the command and its output.
 *
 * @param command the command
 * @param context the context of the call
 */
record CommandAdvice(PreparedCommand command, ToolContext context) {

	/** A command that makes a repository in the current directory. */
	private static final Pattern NEW_REPOSITORY = Pattern
		.compile("\\bgit\\s+(?:init\\b|clone\\s[^;&|\\n]{0,1000}\\s\\.(?:\\s|$))");

	/** The message of Git, in its own words, for a repository that cannot be written. */
	private static final Pattern NOT_WRITTEN = Pattern.compile(
			"(?m)^(?:fatal|error): .*\\.git(?:/|\\b).*: (?:Read-only file system|Permission denied|Device or resource busy)");

	/** The message of Git in a root that has nothing but the protection of its paths. */
	private static final String NOT_EMPTY = "fatal: destination path '.' already exists and is not an empty directory.";

	/** The message of Git without an author, before it advises to configure one. */
	private static final Pattern NO_AUTHOR = Pattern.compile("(?m)^(?:Author|Committer) identity unknown$");

	private static final Pattern CHANGES_DIRECTORY = Pattern.compile("(?:^|[\\s;&|({])(?:cd|pushd|popd)\\b");

	private static final Pattern SEPARATOR = Pattern.compile("[;&|\\n]+");

	/** A command that changes nothing but the shell. */
	private static final Pattern CHANGES_SHELL = Pattern
		.compile("(?:export|alias|source|\\.|conda activate|nvm use)\\s.+|[A-Za-z_]\\w*=\\S*");

	/** A command that shows the effect of another one. */
	private static final Pattern SHOWS = Pattern.compile("(?:echo|printf|which|type|command -v|env|printenv)\\b.*");

	/**
	 * Returns the advice on a command that has ended by itself.
	 */
	List<String> of(int exitCode, HeadAndTail output) {
		List<String> advice = new ArrayList<>();
		if (exitCode != 0) {
			String text = output.text("");
			List<String> kept = this.command.protectedPaths();
			if (kept.stream().anyMatch((path) -> path.startsWith(".git/"))) {
				adviseOnRepository(text, advice);
			}
			if (NO_AUTHOR.matcher(text).find()) {
				adviseOnAuthor(kept.contains(".git/config"), advice);
			}
			String remark = advice.isEmpty() ? new SandboxRemark(this.context, kept).on(text) : null;
			if (remark != null) {
				advice.add(remark);
			}
		}
		else if (endsWithChangeOfShell(this.command.command())) {
			advice.add("the shell has ended, and its variables with it: set them in each command that needs them");
		}
		return advice;
	}

	/**
	 * Adds how to name the author of a commit, where the advice of Git does not work or
	 * does not last: the home directory of a confined command ends with the session.
	 * @param kept whether the configuration of the repository cannot be changed
	 */
	private void adviseOnAuthor(boolean kept, List<String> advice) {
		if (kept) {
			advice.add("git config cannot change the repository: name the author with the command, as in "
					+ "git -c user.name=NAME -c user.email=EMAIL commit");
		}
		else if (this.context.sandbox().capabilities(this.context.tenant()).has(SandboxCapability.FILE_CONFINEMENT)) {
			advice.add("git config --global lasts no longer than the session: leave out --global");
		}
	}

	/**
	 * Adds a place for a repository, if the command tried to make one in a root of the
	 * workspace, and its configuration could not be written there.
	 */
	private void adviseOnRepository(String output, List<String> advice) {
		WorkspaceFiles files = this.context.files();
		if (NEW_REPOSITORY.matcher(this.command.command()).find() && this.command.start().directory().isRoot()
				&& !files.info(files.root().child(".git")).isOk()
				&& (NOT_WRITTEN.matcher(output).find() || (output.contains(NOT_EMPTY) && isEmpty(files)))) {
			advice
				.add("no Git repository can be made in a root of the workspace, where its hooks and configuration are "
						+ "protected: make it in a subdirectory, as git init NAME does");
		}
	}

	private static boolean isEmpty(WorkspaceFiles files) {
		return files.list(files.root(), 1) instanceof WorkspaceResult.Ok<FileListing> listed
				&& listed.value().entries().isEmpty();
	}

	/**
	 * Returns whether a command changes the current directory.
	 */
	static boolean changesDirectory(String command) {
		return CHANGES_DIRECTORY.matcher(command).find();
	}

	/**
	 * Returns whether a command ends with a change of the shell, perhaps one whose effect
	 * it shows, so that the change looks meant for the next command.
	 */
	static boolean endsWithChangeOfShell(String command) {
		String[] parts = SEPARATOR.split(command, -1);
		for (int i = parts.length - 1; i >= 0; i--) {
			String part = parts[i].strip();
			if (!part.isEmpty() && !SHOWS.matcher(part).matches()) {
				return CHANGES_SHELL.matcher(part).matches();
			}
		}
		return false;
	}

}
