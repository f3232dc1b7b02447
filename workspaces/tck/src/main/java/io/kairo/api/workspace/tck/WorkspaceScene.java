package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.AttackScene;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.HostCanary;
import io.kairo.api.attack.Trees;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A workspace beside a secret of the host, as the scene of one attack.
 */
public final class WorkspaceScene implements AttackScene {

	static final String INSIDE = "inside\n";

	/** Paths that are protected in every scene. */
	static final WritePolicy POLICY = new WritePolicy(false,
			List.of(".git/hooks", ".git/config", ".claude", "caf\u00e9", "**/.git/hooks", "**/.git/config",
					"**/.git/config.worktree", "**/.git/modules", "**/.git/commondir", "**/.git/worktrees",
					"**/.git/rebase-merge", "**/.git/rebase-apply", "**/.git/sequencer"),
			List.of());

	private final Path directory;

	private final HostCanary canary;

	private final FileAgent agent;

	private final boolean onDisk;

	private final List<String> evidence = new ArrayList<>();

	WorkspaceScene(AgentMaker maker, boolean onDisk) throws IOException {
		// rounds of races need not wait for a disk
		Path memory = Path.of("/dev/shm");
		this.directory = (Files.isWritable(memory) ? Files.createTempDirectory(memory, "attack-")
				: Files.createTempDirectory("attack-"))
			.toRealPath();
		this.canary = new HostCanary(this.directory.resolve("outside"));
		this.onDisk = onDisk;
		Files.createDirectories(root().resolve("dir/sub"));
		this.agent = maker.create(root(), POLICY);
		assertThat(this.agent.write("inside", INSIDE).done()).as("writing").isTrue();
		assertThat(this.agent.write("dir/sub/file", INSIDE).done()).as("writing").isTrue();
		assertThat(this.agent.read("inside").text()).as("reading").contains("inside");
		assertThat(this.agent.find(".", "inside").text()).as("finding").contains("file");
	}

	Path root() {
		return this.directory.resolve("ws");
	}

	/**
	 * Returns a path beside the root.
	 */
	Path beside(String name) {
		return this.directory.resolve(name);
	}

	/**
	 * Returns whether what the agent changes can be undone.
	 */
	boolean hasUndo() {
		return agent().changes().done();
	}

	boolean hasTrash() {
		return this.agent.listTrash().done();
	}

	/**
	 * Returns the files beside the root, such as the files of a trash.
	 */
	List<Path> filesBeside() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory)) {
			return files.filter((file) -> Files.isRegularFile(file) && !file.startsWith(root()))
				.filter((file) -> !file.startsWith(this.canary.directory()))
				.toList();
		}
	}

	FileAgent agent() {
		return this.agent;
	}

	HostCanary canary() {
		return this.canary;
	}

	boolean onDisk() {
		return this.onDisk;
	}

	/**
	 * Creates a link in the workspace, and asserts its target.
	 */
	void link(String name, Path target) throws IOException {
		Files.createSymbolicLink(root().resolve(name), target);
	}

	/**
	 * Performs all operations of an agent on a path, and checks the answers.
	 */
	Finding everything(String path) throws IOException {
		return judge(path, List.of(this.agent.read(path), this.agent.list(path), this.agent.find(path, "SECRET"),
				this.agent.write(path, "evil"), this.agent.replace(path, this.canary.secret() + "\n", "evil"),
				this.agent.write(path + "/x", "evil"), this.agent.move("inside", path), this.agent.move(path, "stolen"),
				this.agent.read("stolen"), this.agent.remove(path + "/drop"), this.agent.remove(path)));
	}

	/**
	 * Checks that answers contain neither the secret nor paths of the host that the agent
	 * has not named.
	 */
	Finding judge(String what, List<Answer> answers) throws IOException {
		Finding finding = Finding.HELD;
		String outside = this.canary.directory().toString();
		for (Answer answer : answers) {
			boolean told = !what.contains(outside) && answer.text().contains(outside);
			if (this.canary.isHarmed(answer.text()) || told || answer.text().contains("root:x:0:0")) {
				finding = found(Finding.BROKEN, what + ": " + answer);
			}
		}
		return finding;
	}

	Finding found(Finding finding, String what) {
		if (finding == Finding.BROKEN) {
			this.evidence.add(what);
		}
		return finding;
	}

	@Override
	public void assertUntouched() throws IOException {
		this.canary.assertUntouched();
	}

	@Override
	public void close() throws IOException {
		Trees.delete(this.directory);
	}

	@Override
	public void assertNothingLeft() {
		assertThat(this.directory).doesNotExist();
	}

	@Override
	public String toString() {
		return this.evidence.toString();
	}

	/**
	 * Creates an agent.
	 */
	@FunctionalInterface
	interface AgentMaker {

		FileAgent create(Path root, WritePolicy policy) throws IOException;

	}

}
