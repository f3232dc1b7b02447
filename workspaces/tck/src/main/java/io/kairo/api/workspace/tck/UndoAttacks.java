package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks through the undoing of changes.
 */
final class UndoAttacks {

	private UndoAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(
				attack("undo-through-link", AttackGroup.LINKS,
						"a link in place of a changed file, or of the directory above it: undoes the change",
						AttackOutcome.DENIED, UndoAttacks::throughLink),
				attack("undo-by-path", AttackGroup.PATH,
						"the kept contents by their paths on the host: reads and changes them", AttackOutcome.DENIED,
						UndoAttacks::byPath),
				attack("commit-through-link", AttackGroup.LINKS,
						"a link in place of a file that was changed in a trial, or of the directory above it: commits the trial",
						AttackOutcome.DENIED, UndoAttacks::commitThroughLink),
				attack("undo-of-tenant", AttackGroup.SECRETS, "shows and undoes what another tenant has changed",
						AttackOutcome.DENIED, UndoAttacks::ofTenant));
	}

	private static Attack<WorkspaceScene> attack(String id, AttackGroup group, String description, AttackOutcome held,
			Attack.Probe<WorkspaceScene> probe) {
		return new Attack<>(id, group, description, held,
				(scene) -> scene.hasUndo() ? probe.attempt(scene) : Finding.ABSENT);
	}

	private static Finding throughLink(WorkspaceScene scene) throws IOException {
		if (!scene.onDisk()) {
			return Finding.ABSENT;
		}
		FileAgent agent = scene.agent();
		Finding finding = Finding.HELD;
		for (String place : List.of("dir/sub/file", "dir/sub", "dir")) {
			assertThat(agent.write("dir/sub/file", "changed").done()).as("writing").isTrue();
			Path parked = scene.beside("parked");
			Files.move(scene.root().resolve(place), parked);
			scene.link(place, place.endsWith("file") ? scene.canary().drop().resolve("new") : scene.canary().drop());
			if (scene.judge(place,
					List.of(agent.changes(), agent.undo(), agent.redo(), agent.undo())) == Finding.BROKEN) {
				finding = Finding.BROKEN;
			}
			Files.delete(scene.root().resolve(place));
			Files.move(parked, scene.root().resolve(place));
		}
		assertThat(agent.undo().done()).as("undoing without links").isTrue();
		return finding;
	}

	private static Finding commitThroughLink(WorkspaceScene scene) throws IOException {
		if (!scene.onDisk()) {
			return Finding.ABSENT;
		}
		FileAgent agent = scene.agent();
		Finding finding = Finding.HELD;
		for (String place : List.of("dir/sub/file", "dir/sub", "dir")) {
			Path parked = scene.beside("parked");
			FileAgent.Answer committed = agent.tried((inTrial) -> {
				inTrial.write("dir/sub/file", "evil");
				inTrial.write("dir/sub/new", "evil");
				try {
					Files.move(scene.root().resolve(place), parked);
					scene.link(place,
							place.endsWith("file") ? scene.canary().drop().resolve("new") : scene.canary().drop());
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
			if (committed.done() || scene.judge(place, List.of(committed)) == Finding.BROKEN) {
				finding = scene.found(Finding.BROKEN, place + ": " + committed);
			}
			Files.delete(scene.root().resolve(place));
			Files.move(parked, scene.root().resolve(place));
		}
		assertThat(agent.tried((inTrial) -> inTrial.write("dir/sub/file", "tried")).done()).as("commit without links")
			.isTrue();
		return finding;
	}

	private static Finding byPath(WorkspaceScene scene) throws IOException {
		FileAgent agent = scene.agent();
		assertThat(agent.write("doomed", "doomed " + scene.canary().secret()).done()).as("writing").isTrue();
		assertThat(agent.write("doomed", "other").done()).as("writing").isTrue();
		Finding finding = Finding.HELD;
		int kept = 0;
		for (Path file : scene.filesBeside()) {
			if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(scene.canary().secret())) {
				kept++;
				Path within = scene.beside("").relativize(file);
				for (String path : List.of(file.toString(), "../" + within, "dir/../../" + within)) {
					finding = (scene.everything(path) == Finding.BROKEN) ? Finding.BROKEN : finding;
				}
			}
		}
		assertThat(kept).as("kept contents").isPositive();
		boolean undone = agent.undo().done() && agent.read("doomed").text().contains("doomed SECRET");
		return undone ? finding : scene.found(Finding.BROKEN, "what is kept has changed");
	}

	private static Finding ofTenant(WorkspaceScene scene) {
		FileAgent agent = scene.agent();
		assertThat(agent.write("inside", "private words").done()).as("writing").isTrue();
		assertThat(agent.write("inside", "other words").done()).as("writing").isTrue();
		FileAgent other = agent.ofOtherTenant();
		List<FileAgent.Answer> answers = List.of(other.changes(), other.undo(), other.redo());
		boolean held = answers.stream().noneMatch((answer) -> answer.text().contains("private words"))
				&& agent.read("inside").text().contains("other words") && agent.undo().done()
				&& agent.read("inside").text().contains("private words");
		return scene.found(Finding.heldIf(held), answers.toString());
	}

}
