package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A repository to fetch from, with the branches {@code main} and {@code one} to
 * {@code five}, the tag {@code v1}, and the pull request 7.
 *
 * @param bare the served repository
 * @param work the working tree from which it is published
 */
record TestRepository(Path bare, Path work) {

	/**
	 * Returns the repository {@code shop} of a directory, in which nothing is created.
	 */
	static TestRepository in(Path parent) {
		return new TestRepository(parent.resolve("shop.git"), parent.resolve("shop-work"));
	}

	static TestRepository create(Path parent) throws IOException {
		TestRepository repository = in(parent);
		Path work = Files.createDirectories(repository.work());
		Path bare = Files.createDirectories(repository.bare());
		GitProgram.run(bare, "init", "-q", "--bare", "--template=", "-b", "main");
		GitProgram.run(bare, "config", "http.receivepack", "true");
		GitProgram.run(bare, "config", "uploadpack.allowAnySHA1InWant", "true");
		GitProgram.run(work, "init", "-q", "--template=", "-b", "main");
		repository.commit("README.md", "# shop\n", "Begin");
		repository.commit("src/Main.java", "class Main {\n}\n", "Add Main");
		GitProgram.run(work, "tag", "-a", "v1", "-m", "One");
		for (String branch : new String[] { "one", "two", "three", "four", "five" }) {
			GitProgram.run(work, "checkout", "-q", "-b", branch, "main");
			repository.commit("branch.txt", branch + "\n", "Branch off " + branch);
		}
		GitProgram.run(work, "checkout", "-q", "-b", "pull", "main");
		repository.commit("pull.txt", "request\n", "Ask for something");
		GitProgram.run(work, "update-ref", "refs/pull/7/head", "pull");
		GitProgram.run(work, "checkout", "-q", "main");
		GitProgram.run(work, "branch", "-q", "-D", "pull");
		repository.publish();
		return repository;
	}

	String commit(String file, String content, String message) throws IOException {
		Path path = this.work.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, content);
		GitProgram.run(this.work, "add", "-A");
		GitProgram.run(this.work, "commit", "-q", "--allow-empty", "-m", message);
		return id("HEAD");
	}

	String id(String ref) throws IOException {
		return GitProgram.run(this.work, "rev-parse", ref + "^{commit}");
	}

	void publish() throws IOException {
		GitProgram.run(this.work, "push", "-q", "--mirror", "file://" + this.bare);
	}

	/**
	 * Returns the hint for access through the file system.
	 */
	String hint() {
		return "git:file://" + this.bare;
	}

}
