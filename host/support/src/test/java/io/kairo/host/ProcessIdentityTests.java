package io.kairo.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessIdentity}.
 */
class ProcessIdentityTests {

	private static final long NO_PROCESS = 999_999_999;

	private final ProcessIdentity current = ProcessIdentity.current();

	@Test
	void currentProcessIsRunning() {
		assertThat(this.current.isRunning()).isTrue();
		assertThat(this.current.hasEnded()).isFalse();
		assertThat(this.current).isEqualTo(ProcessIdentity.current());
		assertThat(this.current.pid()).isEqualTo(ProcessHandle.current().pid());
	}

	@Test
	void missingProcessHasEnded() {
		ProcessIdentity ended = new ProcessIdentity(this.current.namespace(), NO_PROCESS, 1);
		assertThat(ended.isRunning()).isFalse();
		assertThat(ended.hasEnded()).isTrue();
	}

	@Test
	void earlierProcessWithTheSameIdHasEnded() {
		ProcessIdentity ended = new ProcessIdentity(this.current.namespace(), this.current.pid(),
				this.current.started() + 1);
		assertThat(ended.isRunning()).isFalse();
		assertThat(ended.hasEnded()).isTrue();
	}

	@Test
	void processWithUnknownStartTimeIsRunningIfItsIdIsInUse() {
		assertThat(new ProcessIdentity(this.current.namespace(), this.current.pid(), 0).isRunning()).isTrue();
	}

	@Test
	void processOfAnotherNamespaceIsNeitherRunningNorEnded() {
		for (long pid : new long[] { this.current.pid(), NO_PROCESS }) {
			ProcessIdentity elsewhere = new ProcessIdentity(this.current.namespace() + 1, pid, this.current.started());
			assertThat(elsewhere.isRunning()).isFalse();
			assertThat(elsewhere.hasEnded()).isFalse();
		}
	}

	@Test
	void endedChildHasEnded() throws Exception {
		Process child = OtherJvm.start(OtherJvm.Waiting.class);
		ProcStat stat = ProcStat.read(child.pid());
		ProcessIdentity identity = new ProcessIdentity(this.current.namespace(), child.pid(),
				(stat != null) ? stat.started() : 0);
		try {
			assertThat(identity.isRunning()).isTrue();
		}
		finally {
			child.destroyForcibly().waitFor();
		}
		assertThat(identity.hasEnded()).isTrue();
	}

	@Test
	void ofNameReturnsTheIdentityOfThePrefix() {
		assertThat(ProcessIdentity.ofName(this.current.prefix() + "x")).isEqualTo(this.current);
		assertThat(ProcessIdentity.ofName("4026531836-12-345-7-8.claim"))
			.isEqualTo(new ProcessIdentity(4026531836L, 12, 345));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "1-2-3", "1-2-3-", "1-2-x-y", "-1-2-3-x", "1-2-", "x1-2-3-y",
			"1-2-1234567890123456789-x" })
	void ofNameReturnsNullWithoutIdentity(String name) {
		assertThat(ProcessIdentity.ofName(name)).isNull();
	}

}
