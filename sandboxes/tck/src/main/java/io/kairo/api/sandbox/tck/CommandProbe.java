package io.kairo.api.sandbox.tck;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.HostCanary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alternative commands that try to access the {@link HostCanary}. A command succeeds if
 * it prints the secret or leaves a file beside it.
 *
 * @param control the expected success of the commands outside of a sandbox
 * @param ways the commands
 */
record CommandProbe(Control control, List<String> ways) implements Attack.Probe<SandboxScene> {

	/**
	 * Creates a probe whose commands succeed for every user outside of a sandbox.
	 */
	static CommandProbe of(String... ways) {
		return new CommandProbe(Control.ANYBODY, List.of(ways));
	}

	/**
	 * Creates a probe with at least one command that succeeds for root outside of a
	 * sandbox.
	 */
	static CommandProbe ofRoot(String... ways) {
		return new CommandProbe(Control.ROOT, List.of(ways));
	}

	/**
	 * Creates a probe whose commands are not run outside of a sandbox, since they would
	 * harm the host or rely on programs that may be missing.
	 */
	static CommandProbe withoutControl(String... ways) {
		return new CommandProbe(Control.NONE, List.of(ways));
	}

	@Override
	public Finding attempt(SandboxScene scene) throws Exception {
		assertSuccessOutside(scene);
		Finding finding = Finding.HELD;
		for (String way : this.ways) {
			scene.reset();
			if (scene.canary().isHarmed(scene.attack(way))) {
				finding = scene.found(Finding.BROKEN, way);
			}
		}
		return finding;
	}

	private void assertSuccessOutside(SandboxScene scene) throws Exception {
		if (!this.control.isPossible()) {
			return;
		}
		List<String> failures = new ArrayList<>();
		for (String way : this.ways) {
			scene.reset();
			String out = scene.plain().run(scene.in(way));
			if (!scene.canary().isHarmed(out)) {
				failures.add(way + ": " + out);
			}
		}
		assertThat(failures).as("no success outside of a sandbox")
			.hasSizeLessThan((this.control == Control.ROOT) ? this.ways.size() : 1);
	}

	/**
	 * The expected success outside of a sandbox.
	 */
	enum Control {

		/** Every command succeeds. */
		ANYBODY,

		/** At least one command succeeds for root. */
		ROOT,

		/** Not known. */
		NONE;

		boolean isPossible() {
			return this == ANYBODY || (this == ROOT && "root".equals(System.getProperty("user.name")));
		}

	}

}
