package io.kairo.workspace.git;

import java.nio.file.Path;

/**
 * Where one checkout is.
 *
 * @param directory everything of it
 * @param gitDirectory the repository that is this provider's
 * @param tree the files, which are the agent's
 */
record Checkout(Path directory, Path gitDirectory, Path tree) {

	static Checkout in(Path directory, RemoteUrl url) {
		String name = url.name().replaceAll("[^A-Za-z0-9._-]", "_");
		boolean usual = !name.isEmpty() && !name.startsWith(".") && !name.equals("git") && name.length() <= 100;
		return new Checkout(directory, directory.resolve("git"), directory.resolve(usual ? name : "checkout"));
	}

}
