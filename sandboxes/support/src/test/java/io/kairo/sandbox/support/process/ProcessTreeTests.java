package io.kairo.sandbox.support.process;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.kairo.host.ProcStat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcessTree} and the scans it relies on.
 */
@Timeout(60)
class ProcessTreeTests {

	private static final Duration GRACE = Duration.ofMillis(100);

	@Test
	void endScansTwiceBeforeReportingEmptyTree() throws IOException {
		Process late = new ProcessBuilder("sleep", "60").start();
		Deque<List<ProcessHandle>> scans = new ArrayDeque<>(List.of(List.of(), List.of(late.toHandle())));
		ProcessTree tree = new ProcessTree(() -> {
			List<ProcessHandle> members = scans.poll();
			return (members != null) ? members : List.of();
		}, GRACE);
		assertThat(tree.end()).isZero();
		await().until(() -> !late.isAlive());
	}

	@Test
	void leftoverThatEndsByItselfIsNotCounted() throws IOException {
		Process brief = new ProcessBuilder("sleep", "60").start();
		Deque<List<ProcessHandle>> scans = new ArrayDeque<>(List.of(List.of(brief.toHandle()), List.of(), List.of()));
		assertThat(new ProcessTree(scans::remove, GRACE).endLeftovers()).isZero();
		assertThat(brief.isAlive()).isTrue();
		brief.destroyForcibly();
	}

	@Test
	void endLeftoversEndsAndCountsLeftovers() throws IOException {
		Process left = new ProcessBuilder("sleep", "60").start();
		ProcessTree tree = new ProcessTree(() -> left.isAlive() ? List.of(left.toHandle()) : List.of(), GRACE);
		assertThat(tree.endLeftovers()).isEqualTo(1);
		assertThat(left.isAlive()).isFalse();
	}

	@Test
	void endGivesUpOnProcessThatCannotBeEnded() {
		List<ProcessHandle> immortal = List.of(new ImmortalProcess());
		long started = System.nanoTime();
		assertThat(new ProcessTree(() -> immortal, GRACE).end()).isEqualTo(1);
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isBetween(Duration.ofMillis(900),
				Duration.ofSeconds(5));
	}

	@Test
	void endTerminatesProcessBeforeKillingIt() {
		ImmortalProcess process = new ImmortalProcess();
		new ProcessTree(() -> List.of(process), GRACE).end();
		assertThat(process.destroyCount).isEqualTo(1);
		assertThat(process.destroyForciblyCount).isGreaterThan(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 100, 0 })
	void processIsSignalledBeforeItsChildrenWhateverTheOrderOfTheScan(int graceMillis) {
		for (int seed = 0; seed < 50; seed++) {
			List<ProcessHandle> signalled = new ArrayList<>();
			List<ProcessHandle> chain = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				chain.add(new ImmortalProcess() {

					private final Optional<ProcessHandle> parent = chain.stream().reduce((first, last) -> last);

					@Override
					public Optional<ProcessHandle> parent() {
						return this.parent;
					}

					@Override
					public boolean destroy() {
						return signalled.add(this);
					}

					@Override
					public boolean destroyForcibly() {
						return signalled.add(this);
					}

				});
			}
			List<ProcessHandle> members = new ArrayList<>(chain);
			Collections.shuffle(members, new Random(seed));
			Deque<List<ProcessHandle>> scans = new ArrayDeque<>(List.of(members, List.of(), List.of()));
			new ProcessTree(scans::remove, Duration.ofMillis(graceMillis)).end();
			assertThat(signalled).isEqualTo(chain);
		}
	}

	@Test
	void descendantsAreFoundWithoutProcFileSystem() throws Exception {
		Process root = new ProcessBuilder("sh", "-c", "trap '' TERM; sleep 60 & sleep 60").start();
		DescendantTreeScan scan = new DescendantTreeScan(root.toHandle());
		await().until(() -> scan.members().size() == 3);
		List<ProcessHandle> members = scan.members();
		new ProcessTree(scan, GRACE).end();
		await().until(() -> members.stream().noneMatch(ProcessHandle::isAlive));
		assertThat(root.waitFor(1, TimeUnit.SECONDS)).isTrue();
	}

	@Nested
	@EnabledOnOs(OS.LINUX)
	class OnLinux {

		private final ProcCookie cookie = new ProcCookie();

		private Process start(boolean ownSession, String command) throws IOException {
			ProcessBuilder builder = ownSession ? new ProcessBuilder("setsid", "sh", "-c", command)
					: new ProcessBuilder("sh", "-c", command);
			builder.environment().put(ProcCookie.NAME, this.cookie.value());
			return builder.redirectErrorStream(true).start();
		}

		private void assertAllFound(boolean ownSession, String command, int count) throws Exception {
			Process root = start(ownSession, command);
			ProcTreeScan scan = new ProcTreeScan(root, ownSession, this.cookie);
			await().untilAsserted(() -> assertThat(scan.members()).hasSize(count));
			List<ProcessHandle> members = scan.members();
			assertThat(members).doesNotContain(ProcessHandle.current());
			new ProcessTree(scan, GRACE).end();
			await().until(() -> members.stream().noneMatch(ProcessHandle::isAlive));
			assertThat(scan.members()).isEmpty();
		}

		@ParameterizedTest
		@CsvSource({ "exit 0, 0", "sleep 60 > /dev/null 2>&1 & exit 0, 1",
				"(setsid sleep 60 > /dev/null 2>&1 &) ; exit 0, 1" })
		void leftoversOfDirectStartAreEnded(String command, int leftovers) throws Exception {
			NativeLauncher launcher = NativeLauncher.find();
			assumeThat(NativeLauncher.problem()).as("SKIPPED: no direct starts").isNull();
			ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command).directory(new File("/"));
			builder.environment().put(ProcCookie.NAME, this.cookie.value());
			try (NativeProcess root = Objects.requireNonNull(launcher).launch(builder)) {
				ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
				root.waitFor();
				assertThat(new ProcessTree(scan, GRACE).endLeftovers()).isEqualTo(leftovers);
				assertThat(scan.members()).isEmpty();
			}
		}

		@Test
		void scanFindsProcessByParent() throws Exception {
			assertAllFound(true, "env -i setsid sleep 60 & sleep 60", 3);
		}

		@Test
		void scanFindsProcessBySession() throws Exception {
			assertAllFound(true, "(env -i /bin/sleep 60 &); sleep 60; :", 3);
		}

		@Test
		void scanFindsProcessByCookie() throws Exception {
			assertAllFound(true, "(setsid sleep 60 &); exec sleep 60", 2);
		}

		@Test
		void scanFindsOrphanByCookieAlone() throws Exception {
			Process root = start(true, "(setsid sh -c 'sleep 0.1; echo alone; exec sleep 60' &); exec sleep 60");
			assertThat(root.inputReader().readLine()).isEqualTo("alone");
			ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
			// a process has no environment for a moment while it starts another program
			await().untilAsserted(() -> assertThat(scan.members()).hasSize(2));
			new ProcessTree(scan, GRACE).end();
			assertThat(scan.members()).isEmpty();
		}

		@Test
		void programsInTrapOfShellAreNotAskedToEnd() throws Exception {
			Process root = start(true,
					"trap \"sh -c 'sleep 0.05 && echo cleaned'; exit\" TERM; sleep 60 & echo up; wait");
			assertThat(root.inputReader().readLine()).isEqualTo("up");
			ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
			new ProcessTree(scan, Duration.ofMillis(900)).end();
			assertThat(root.inputReader().lines()).containsExactly("cleaned");
		}

		@Test
		void scanFindsProcessByCookieWithoutOwnSession() throws Exception {
			assertAllFound(false, "(setsid sleep 60 &); exec sleep 60", 2);
		}

		@Test
		void scanFindsProcessesLeftByEndedRoot() throws Exception {
			Process root = start(true, "(env -i /bin/sleep 60 >/dev/null &); setsid sleep 60 >/dev/null & exit 0");
			ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
			root.waitFor();
			assertThat(new ProcessTree(scan, GRACE).end()).isEqualTo(2);
			assertThat(scan.members()).isEmpty();
		}

		@Test
		void scanRemembersProcessThatLosesItsParent() throws Exception {
			Process root = start(true, "env -i setsid sleep 60 & sleep 60");
			ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
			await().untilAsserted(() -> assertThat(scan.members()).hasSize(3));
			root.toHandle().destroyForcibly();
			root.waitFor();
			assertThat(scan.members()).hasSize(2);
			new ProcessTree(scan, GRACE).end();
			assertThat(scan.members()).isEmpty();
		}

		@Test
		void scanDoesNotReportThreadsAsProcesses() throws Exception {
			Process root = start(true, "exec " + ProcessHandle.current().info().command().orElseThrow() + " -cp "
					+ System.getProperty("java.class.path") + " " + ManyThreads.class.getName());
			ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
			assertThat(root.getInputStream().read()).isEqualTo('!');
			assertThat(scan.members()).containsExactly(root.toHandle());
			new ProcessTree(scan, GRACE).end();
			assertThat(root.waitFor(5, TimeUnit.SECONDS)).isTrue();
		}

		@Test
		void unrelatedProcessIsNotEnded() throws Exception {
			Process root = start(true, "exec sleep 60");
			Process stranger = new ProcessBuilder("setsid", "sleep", "60").start();
			try {
				ProcTreeScan scan = new ProcTreeScan(root, true, this.cookie);
				new ProcessTree(scan, GRACE).end();
				assertThat(stranger.isAlive()).isTrue();
			}
			finally {
				stranger.destroyForcibly();
			}
		}

		@Test
		void candidatesAreLaterIdsUnlessIdsWrappedAround() {
			long self = ProcessHandle.current().pid();
			assertThat(candidates(self, self)).containsExactly(self);
			assertThat(candidates(self, self + 10_000)).contains(self).doesNotContain(1L);
			assertThat(candidates(self, self - 1)).contains(1L, self);
			assertThat(new ProcCandidates(self).read(new ProcTables()).processes()).containsKey(self);
		}

		private Set<Long> candidates(long root, long newest) {
			return new ProcCandidates(root, () -> newest).read(new ProcTables()).processes().keySet();
		}

		@Test
		void candidatesAreFreeUnlessOneIsUsedOrMoreAreAssignedMeanwhile() {
			long[] newest = { 5000 };
			ProcCandidates candidates = new ProcCandidates(4990, () -> newest[0]);
			assertThat(candidates.areFree((first, last) -> first == 4990 && last == 5000)).isTrue();
			assertThat(candidates.areFree((first, last) -> false)).isFalse();
			assertThat(candidates.areFree((first, last) -> newest[0]++ > 0)).isFalse();
			for (long unknown : new long[] { 0, 4989, 6000 }) {
				newest[0] = unknown;
				assertThat(candidates.areFree((first, last) -> true)).isFalse();
			}
		}

		@Test
		void scanIgnoresProcessThatReusesIdOfRoot() throws Exception {
			Process root = start(true, "exit 0");
			root.waitFor();
			Process stranger = new ProcessBuilder("setsid", "sleep", "60").start();
			try {
				await().until(() -> ProcStat.read(stranger.pid()).session() == stranger.pid());
				ReusedId reused = new ReusedId(root, stranger.pid());
				assertThat(new ProcTreeScan(reused, true, this.cookie).members()).isEmpty();
			}
			finally {
				stranger.destroyForcibly();
			}
		}

		@Test
		void cookieIsFoundAcrossBufferBoundary() throws IOException {
			String entry = ProcCookie.NAME + "=" + this.cookie.value();
			for (int before = 8100; before < 8300; before++) {
				String environment = "K".repeat(before) + "KAIRO_EXECUTION=K\0" + entry + "\0X=1\0";
				assertThat(contains(environment)).isTrue();
			}
			String other = ProcCookie.NAME + "=" + new ProcCookie().value();
			assertThat(contains(other + "\0" + entry)).isTrue();
			assertThat(contains(entry + "\0" + other)).isTrue();
			assertThat(contains(entry.substring(0, entry.length() - 1) + "\0" + entry)).isTrue();
			assertThat(contains(entry.substring(0, entry.length() - 1))).isFalse();
			assertThat(contains("A=1\0" + ProcCookie.NAME + "=" + new ProcCookie().value())).isFalse();
			assertThat(contains("")).isFalse();
		}

		private boolean contains(String environment) throws IOException {
			return ProcCookie.values(new ByteArrayInputStream(environment.getBytes(StandardCharsets.US_ASCII)))
				.contains(this.cookie.value());
		}

	}

}
