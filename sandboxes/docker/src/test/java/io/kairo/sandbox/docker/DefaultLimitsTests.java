package io.kairo.sandbox.docker;

import com.github.dockerjava.api.model.DockerObjectAccessor;
import com.github.dockerjava.api.model.Info;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link DefaultLimits}.
 */
class DefaultLimitsTests {

	private static Info info(boolean enforcing, int processors) {
		Info info = new Info().withMemoryLimit(enforcing).withCpuCfsQuota(enforcing).withNCPU(processors);
		DockerObjectAccessor.overrideRawValue(info, "PidsLimit", enforcing);
		return info;
	}

	@Test
	void limitsThatAreNotSetHaveDefaults() {
		assertThat(DefaultLimits.complete(CommandLimits.NONE, info(true, 8), MountProof.TABLE))
			.isEqualTo(new CommandLimits(2L << 30, 2.0, 512, null));
	}

	@Test
	void limitsThatAreSetAreKept() {
		CommandLimits limits = new CommandLimits(4L << 30, 6.0, 5000, 1024L);
		assertThat(DefaultLimits.complete(limits, info(true, 8), MountProof.TABLE)).isEqualTo(limits);
		assertThat(DefaultLimits.complete(limits, info(false, 8), MountProof.TABLE)).isEqualTo(limits);
	}

	@Test
	void engineIsNotAskedForMoreProcessorsThanItHas() {
		assertThat(DefaultLimits.complete(CommandLimits.NONE, info(true, 1), MountProof.TABLE).cpus()).isEqualTo(1);
	}

	@Test
	void limitsThatTheEngineDoesNotEnforceAreNotSet() {
		assertThat(DefaultLimits.complete(CommandLimits.NONE, info(false, 8), MountProof.TABLE))
			.isEqualTo(CommandLimits.NONE);
	}

	@Test
	void threadsOfGvisorAreNotLimited() {
		assertThat(DefaultLimits.complete(CommandLimits.NONE, info(true, 8), MountProof.GOFER))
			.isEqualTo(new CommandLimits(2L << 30, 2.0, null, null));
	}

}
