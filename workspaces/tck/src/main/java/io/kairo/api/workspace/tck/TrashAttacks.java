package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.workspace.tck.FileAgent.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks through the trash. An agent moves removed entries there.
 */
final class TrashAttacks {

	private static final int REMOVALS = 40;

	private TrashAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(
				attack("restore-through-link", AttackGroup.LINKS,
						"a link in place of a removed file, or of the directory above it: restores the file",
						AttackOutcome.DENIED, TrashAttacks::throughLink),
				attack("trash-by-path", AttackGroup.PATH,
						"the trash by its path on the host, and ids that are paths: reads, changes and restores",
						AttackOutcome.DENIED, TrashAttacks::byPath),
				attack("trash-of-tenant", AttackGroup.SECRETS,
						"lists and restores what another tenant has removed, by path and by id", AttackOutcome.DENIED,
						TrashAttacks::ofTenant),
				attack("full-trash", AttackGroup.RESOURCES, "removes files without end", AttackOutcome.LIMITED,
						TrashAttacks::fill));
	}

	private static Attack<WorkspaceScene> attack(String id, AttackGroup group, String description, AttackOutcome held,
			Attack.Probe<WorkspaceScene> probe) {
		return new Attack<>(id, group, description, held,
				(scene) -> scene.hasTrash() ? probe.attempt(scene) : Finding.ABSENT);
	}

	private static Finding throughLink(WorkspaceScene scene) throws IOException {
		if (!scene.onDisk()) {
			return Finding.ABSENT;
		}
		FileAgent agent = scene.agent();
		removeAndRestore(agent);
		agent.remove("dir/sub/file");
		Finding finding = Finding.HELD;
		for (String place : List.of("dir/sub/file", "dir/sub", "dir")) {
			Files.deleteIfExists(scene.root().resolve(place));
			scene.link(place, place.endsWith("file") ? scene.canary().drop().resolve("new") : scene.canary().drop());
			if (scene.judge(place, List.of(agent.restore("dir/sub/file", null))) == Finding.BROKEN) {
				finding = Finding.BROKEN;
			}
			Files.delete(scene.root().resolve(place));
		}
		assertThat(agent.restore("dir/sub/file", null).done()).as("restoring without links").isTrue();
		return finding;
	}

	private static Finding byPath(WorkspaceScene scene) throws IOException {
		FileAgent agent = scene.agent();
		agent.write("doomed", "doomed " + scene.canary().secret());
		assertThat(agent.remove("doomed").done()).as("removing").isTrue();
		List<Path> kept = new ArrayList<>();
		for (Path file : scene.filesBeside()) {
			if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(scene.canary().secret())) {
				kept.add(file);
			}
		}
		assertThat(kept).as("files in the trash").isNotEmpty();
		Finding finding = Finding.HELD;
		for (Path file : kept) {
			Path within = scene.beside("").relativize(file);
			for (String path : List.of(file.toString(), "../" + within, "dir/../../" + within)) {
				finding = (scene.everything(path) == Finding.BROKEN) ? Finding.BROKEN : finding;
			}
			List<String> ids = new ArrayList<>(List.of(file.toString(), within.toString(), "../" + within, "*", ""));
			within.forEach((name) -> ids.addAll(List.of(name.toString(), "../" + name)));
			for (String id : ids) {
				finding = agent.restore(null, id).done() ? scene.found(Finding.BROKEN, "restored by " + id) : finding;
			}
		}
		boolean restored = agent.restore("doomed", null).done()
				&& agent.read("doomed").text().contains("doomed SECRET");
		return restored ? finding : scene.found(Finding.BROKEN, "the trash has changed");
	}

	private static Finding ofTenant(WorkspaceScene scene) {
		FileAgent agent = scene.agent();
		removeAndRestore(agent);
		assertThat(agent.remove("inside").done()).as("removing").isTrue();
		String listed = agent.listTrash().text();
		assertThat(listed).as("own trash").contains("inside");
		FileAgent other = agent.ofOtherTenant();
		List<Answer> answers = new ArrayList<>(List.of(other.restore("inside", null)));
		for (String word : listed.split("[^0-9A-Za-z]+", -1)) {
			answers.add(other.restore(null, word));
		}
		boolean held = answers.stream().noneMatch(Answer::done) && !other.listTrash().text().contains("inside")
				&& agent.restore("inside", null).done();
		return scene.found(Finding.heldIf(held), answers + " " + other.listTrash());
	}

	private static Finding fill(WorkspaceScene scene) throws IOException {
		int before = removeMany(scene);
		return scene.found(Finding.heldIf(removeMany(scene) <= before), "the trash grows");
	}

	private static int removeMany(WorkspaceScene scene) throws IOException {
		for (int i = 0; i < REMOVALS; i++) {
			assertThat(scene.agent().write("doomed", "doomed\n").done()).as("writing").isTrue();
			assertThat(scene.agent().remove("doomed").done()).as("removing").isTrue();
		}
		int kept = 0;
		for (Path file : scene.filesBeside()) {
			kept += Files.readString(file, StandardCharsets.ISO_8859_1).equals("doomed\n") ? 1 : 0;
		}
		return kept;
	}

	private static void removeAndRestore(FileAgent agent) {
		assertThat(agent.remove("dir/sub/file").done()).as("removing").isTrue();
		assertThat(agent.restore("dir/sub/file", null).done()).as("restoring").isTrue();
	}

}
