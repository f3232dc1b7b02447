package io.kairo.workspace.git;

import java.nio.file.Path;

/**
 * The directories of a checkout.
 *
 * @param directory the directory of the checkout, which has the other two
 * @param gitDirectory the repository of the provider
 * @param tree the files, which belong to the agent
 */
record Checkout(Path directory, Path gitDirectory, Path tree) {

	static Checkout in(Path directory, RemoteUrl url) {
		String name = url.name().replaceAll("[^A-Za-z0-9._-]", "_");
		boolean usual = !name.isEmpty() && !name.startsWith(".") && !name.equals("git") && name.length() <= 100;
		return new Checkout(directory, directory.resolve("git"), directory.resolve(usual ? name : "checkout"));
	}

}
