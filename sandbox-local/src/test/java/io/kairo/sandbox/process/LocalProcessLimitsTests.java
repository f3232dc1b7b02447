package io.kairo.sandbox.process;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the limits of a {@link LocalProcessSandbox}.
 */
@EnabledOnOs(OS.LINUX)
class LocalProcessLimitsTests extends LimitScenarios {

	@Override
	protected ExecutionSandbox sandbox(CommandLimits limits) {
		return new LocalProcessSandbox(LocalProcessSandboxOptions.defaults().withLimits(limits));
	}

	/**
	 * Limits are put on commands, but only what holds is claimed.
	 */
	@Override
	protected boolean puts(SandboxCapability capability, ExecutionSandbox sandbox) throws Exception {
		boolean claimed = capability == SandboxCapability.FILE_SIZE_LIMIT && !raisesBounds();
		assertThat(sandbox.capabilities().has(capability)).isEqualTo(claimed);
		boolean puts = ((LocalProcessSandbox) sandbox).limitsProblem() == null;
		if (puts && !claimed) {
			assertThat(sandbox.capabilities().reason(capability)).contains("a command that means to can");
		}
		return puts;
	}

	@Test
	void controlGroupIsLeftByACommandThatMeansTo() throws Exception {
		String leave = "for f in /sys/fs/cgroup/pids/tasks /sys/fs/cgroup/cgroup.procs; do echo $$ > $f; done"
				+ " 2>/dev/null; ";
		String bomb = "perl -e 'for (1..100) { my $p = fork; last unless defined $p; if (!$p) { sleep 3; exit } $n++ }"
				+ " print $n < 100 ? qq(refused\n) : qq(all\n)'";
		Outcome outcome = run(new CommandLimits(null, null, 20, null), SandboxCapability.PIDS_LIMIT, leave + bomb);
		if (outcome != null && isRoot()) {
			assertThat(outcome.output()).as("if this is refused, the capability can be claimed").isEqualTo("all\n");
		}
	}

	@Test
	void boundOfFilesIsRaisedByWhoMay() throws Exception {
		Outcome outcome = run(new CommandLimits(null, null, null, 1L << 20), SandboxCapability.FILE_SIZE_LIMIT,
				"exec 2> /dev/null; ulimit -f unlimited; (head -c 3000000 /dev/zero > big); wc -c < big");
		assertThat(outcome).isNotNull();
		assertThat(outcome.output().strip()).isEqualTo(raisesBounds() ? "3000000" : "1048576");
	}

	/**
	 * Returns whether the user of the tests may raise a bound, as root may that was not
	 * denied it.
	 */
	private static boolean raisesBounds() throws Exception {
		return new ProcessBuilder("bash", "-c", "ulimit -f 100; ulimit -f unlimited 2> /dev/null").start()
			.waitFor() == 0;
	}

}
