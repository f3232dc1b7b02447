package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxAttributes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks by names that look like code, and by excessive output. The latter are scenarios
 * of the contract.
 */
final class OutputAttacks {

	private OutputAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				new Attack<>("names-as-code", AttackGroup.OUTPUT,
						"starts in a directory whose name is a command: `$(touch x);'\"`, `-rf`",
						AttackOutcome.CONTAINED, OutputAttacks::namesAsCode),
				new Attack<>("command-as-option", AttackGroup.OUTPUT,
						"runs a command that looks like an option of the launcher", AttackOutcome.CONTAINED,
						OutputAttacks::commandAsOption),
				limited("flood", "prints without end: `yes`",
						(scene) -> holds(scene, OutputOf::outputIsReadWithoutSubscribers)),
				limited("one-line", "prints a line without end",
						(scene) -> holds(scene, OutputOf::outputWithoutALineEndIsRead)),
				limited("heap", "prints more than the heap should hold",
						(scene) -> holds(scene, OutputOf::retainedOutputTakesLittleMemory)),
				new Attack<>("bytes", AttackGroup.OUTPUT, "prints bytes that are not text, on both streams at once",
						AttackOutcome.CONTAINED, (scene) -> holds(scene, OutputOf::bothStreamsAreRetainedByteForByte)),
				new Attack<>("slow-reader", AttackGroup.OUTPUT, "prints much output that is read slowly or never",
						AttackOutcome.CONTAINED, (scene) -> {
							new SubscribersOf(scene.trial()).slowSubscriberReceivesAllOutputWithoutDelayingTheCommand();
							new SubscribersOf(scene.trial()).subscriberWithoutDemandDoesNotDelayTheCommand();
							return Finding.HELD;
						}));
	}

	private static Attack<SandboxScene> limited(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.OUTPUT, description, AttackOutcome.LIMITED, probe);
	}

	private static Finding holds(SandboxScene scene, Scenario scenario) throws Exception {
		scenario.run(new OutputOf(scene.trial()));
		return Finding.HELD;
	}

	private static Finding namesAsCode(SandboxScene scene) throws IOException {
		Finding finding = Finding.HELD;
		for (String name : List.of("$(touch x);'\"", "`touch x`", "-rf", "a\nb; touch x", "--", " ", "*")) {
			Path directory = Files.createDirectories(scene.workspace().resolve(name));
			String out = scene.trial()
				.run("pwd; echo ran",
						(request) -> request
							.attributes(SandboxAttributes.builder().workingDirectory(directory).build()))
				.out();
			assertThat(out).endsWith("/" + name + "\nran\n");
			if (Files.exists(scene.workspace().resolve("x")) || Files.exists(directory.resolve("x"))) {
				finding = scene.found(Finding.BROKEN, name);
			}
		}
		return finding;
	}

	private static Finding commandAsOption(SandboxScene scene) throws IOException {
		Finding finding = Finding.HELD;
		for (String command : List.of("--version", "-c 'echo x > {drop}/x'", "-- touch x", "--bind / / sh", "-")) {
			Outcome outcome = scene.run(command);
			if (outcome.exit().exitCode() != 127 && outcome.exit().exitCode() != 2) {
				finding = scene.found(Finding.BROKEN, command + ": " + outcome.exit());
			}
		}
		return scene.canary().isHarmed("") ? Finding.BROKEN : finding;
	}

	/**
	 * A scenario of the contract.
	 */
	@FunctionalInterface
	private interface Scenario {

		void run(OutputOf scenarios) throws Exception;

	}

	private static final class OutputOf extends OutputScenarios {

		private final Trial trial;

		OutputOf(Trial trial) {
			this.trial = trial;
		}

		@Override
		Trial trial() {
			return this.trial;
		}

	}

	private static final class SubscribersOf extends SubscriberScenarios {

		private final Trial trial;

		SubscribersOf(Trial trial) {
			this.trial = trial;
		}

		@Override
		Trial trial() {
			return this.trial;
		}

	}

}
