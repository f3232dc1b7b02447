package io.kairo.api.sandbox.tck;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.HostCanary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that try to get at the {@link HostCanary}, each a way to do the same. One that
 * prints the secret or leaves a file beside it has succeeded.
 *
 * @param control whether the commands succeed outside of a sandbox
 * @param ways the commands
 */
record CommandProbe(Control control, List<String> ways) implements Attack.Probe<SandboxScene> {

	/**
	 * Commands that anybody can run outside.
	 */
	static CommandProbe of(String... ways) {
		return new CommandProbe(Control.ANYBODY, List.of(ways));
	}

	/**
	 * Commands that root can run outside.
	 */
	static CommandProbe ofRoot(String... ways) {
		return new CommandProbe(Control.ROOT, List.of(ways));
	}

	/**
	 * Commands that harm the host outside, or rely on what may be missing there.
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
	 * Who has success outside of a sandbox.
	 */
	enum Control {

		/** Everybody. */
		ANYBODY,

		/** Root, by one of them at least. */
		ROOT,

		/** Perhaps nobody. */
		NONE;

		boolean isPossible() {
			return this == ANYBODY || (this == ROOT && "root".equals(System.getProperty("user.name")));
		}

	}

}
