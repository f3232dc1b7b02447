package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks through links and special files in the workspace.
 */
final class LinkAttacks {

	private LinkAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(denied("link-to-file", "a link to a file outside: reads, writes, edits, moves and removes it",
				(scene) -> {
					scene.link("l", scene.canary().file());
					assertThat(Files.readString(scene.root().resolve("l"))).as("link to the host")
						.contains(scene.canary().secret());
					return scene.everything("l");
				}), denied("dangling-link", "a link to a file outside that is not there: writes it", (scene) -> {
					scene.link("l", scene.canary().drop().resolve("new"));
					return scene.everything("l");
				}), denied("linked-directory", "a link to a directory outside: reads and writes below it", (scene) -> {
					scene.link("l", scene.canary().directory());
					assertThat(scene.root().resolve("l/secret")).as("link to the host").exists();
					Finding finding = scene.everything("l/secret");
					return (scene.everything("l/drop/new") == Finding.BROKEN) ? Finding.BROKEN : finding;
				}), denied("link-chain", "three links, each to the next, relative, through directories", (scene) -> {
					scene.link("a", Path.of("dir/b"));
					scene.link("dir/b", Path.of("sub/c"));
					scene.link("dir/sub/c", Path.of("../../../outside"));
					assertThat(scene.root().resolve("a/secret")).as("link to the host").exists();
					return scene.everything("a/secret");
				}), denied("link-loop", "links to each other", (scene) -> {
					scene.link("a", Path.of("b"));
					scene.link("b", Path.of("a"));
					return quickly(scene, "a/x");
				}),
				denied("link-to-proc", "links to `/proc/self/root`, `/proc/self/environ`, `/proc/self/fd`", (scene) -> {
					scene.link("r", Path.of("/proc/self/root"));
					scene.link("e", Path.of("/proc/self/environ"));
					assertThat(scene.root().resolve("r" + scene.canary().file())).as("link to the host").exists();
					boolean seen = scene.agent().read("e").text().contains("PATH=");
					Finding finding = scene.everything("r" + scene.canary().file());
					return seen ? scene.found(Finding.BROKEN, "the environment was read") : finding;
				}), denied("hard-link", "another name of a file outside: edits it", LinkAttacks::hardLink),
				denied("fifo", "reads a named pipe that nobody writes to", (scene) -> {
					assertThat(new ProcessBuilder("mkfifo", scene.root().resolve("p").toString()).start().waitFor())
						.isZero();
					return quickly(scene, "p");
				}), denied("device", "reads a link to `/dev/zero`, which never ends", (scene) -> {
					scene.link("z", Path.of("/dev/zero"));
					return quickly(scene, "z");
				}), denied("socket", "reads and writes a socket", (scene) -> {
					try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
						server.bind(UnixDomainSocketAddress.of(scene.root().resolve("s")));
						return quickly(scene, "s");
					}
				}),
				denied("traversal", "lists, searches and removes a directory with links to the host in it", (scene) -> {
					scene.link("dir/l", scene.canary().directory());
					scene.link("dir/f", scene.canary().file());
					return scene.judge("dir", List.of(scene.agent().list("."), scene.agent().find(".", "SECRET"),
							scene.agent().find("dir", scene.canary().secret()), scene.agent().move("dir", "moved"),
							scene.agent().remove("moved"), scene.agent().remove("dir")));
				}));
	}

	private static Attack<WorkspaceScene> denied(String id, String description, Attack.Probe<WorkspaceScene> probe) {
		return new Attack<>(id, AttackGroup.LINKS, description, AttackOutcome.DENIED,
				(scene) -> scene.onDisk() ? probe.attempt(scene) : Finding.ABSENT);
	}

	private static Finding quickly(WorkspaceScene scene, String path) throws IOException {
		long started = System.nanoTime();
		Finding finding = scene.everything(path);
		Duration took = Duration.ofNanos(System.nanoTime() - started);
		return (took.compareTo(Duration.ofSeconds(20)) < 0) ? finding : scene.found(Finding.BROKEN, "took " + took);
	}

	/**
	 * Writes through a hard link to a file of the host. Reading is permitted, because the
	 * link makes the file part of the workspace.
	 */
	private static Finding hardLink(WorkspaceScene scene) throws IOException {
		Path link = scene.root().resolve("hard");
		Files.createLink(link, scene.canary().file());
		scene.agent().read("hard");
		scene.agent().replace("hard", scene.canary().secret() + "\n", "evil");
		scene.agent().write("hard", "evil");
		boolean kept = Files.readString(scene.canary().file()).equals(scene.canary().secret() + "\n");
		Files.deleteIfExists(link);
		return scene.found(Finding.heldIf(kept), "the file outside has changed");
	}

}
