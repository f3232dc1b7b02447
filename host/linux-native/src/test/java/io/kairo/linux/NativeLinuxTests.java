package io.kairo.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the types that make system calls.
 */
@EnabledOnOs(OS.LINUX)
class NativeLinuxTests {

	private final NativeLinux linux = NativeLinux.find();

	@TempDir
	Path directory;

	private long descriptors;

	@BeforeEach
	void countDescriptors() throws IOException {
		this.descriptors = descriptors();
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_21)
	void olderJavaNamesTheVersionThatIsNeeded() {
		assertThat(this.linux.problem()).contains("use Java 22 or newer");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> LandlockRuleset.abi(this.linux));
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void newerJavaMakesSystemCalls() throws Exception {
		assertThat(this.linux.problem()).isNull();
		assertThat(this.linux.call(SystemCall.GETPID)).isEqualTo(ProcessHandle.current().pid());
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void refusedCallHasItsErrorNumber() {
		assertThatExceptionOfType(SystemCallException.class)
			.isThrownBy(() -> this.linux.call(SystemCall.CLOSE, 1_000_000))
			.withMessageContaining("close: EBADF")
			.satisfies((ex) -> assertThat(ex.error()).isEqualTo(9));
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void functionThatTheCLibraryLacksIsNamed() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.linux.calls().link("posix_spawn_no_such_thing"))
			.withMessageContaining("posix_spawn_no_such_thing");
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void rulesForAPathThatIsALinkAreRefused() throws Exception {
		Path link = Files.createSymbolicLink(this.directory.toRealPath().resolve("link"), Path.of("/usr"));
		assertThatExceptionOfType(SystemCallException.class)
			.isThrownBy(
					() -> LandlockRuleset.create(this.linux, LandlockRules.ofFiles(false).read(link.resolve("bin")), 3))
			.withMessageContaining("ELOOP");
		assertThat(descriptors()).isEqualTo(this.descriptors);
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void restrictionAppliesToTheThreadAndNotToOthers() throws Exception {
		Path inside = Files.writeString(Files.createDirectory(this.directory.resolve("inside")).resolve("file"), "in");
		Path outside = Files.writeString(this.directory.resolve("outside"), "out");
		int abi = LandlockRuleset.abi(this.linux);
		try (LandlockRuleset ruleset = LandlockRuleset.create(this.linux,
				LandlockRules.ofFiles(false).change(inside.getParent().toRealPath()), abi)) {
			CompletableFuture<List<String>> seen = new CompletableFuture<>();
			Thread thread = new Thread(() -> {
				try {
					ruleset.restrictThread();
					seen.complete(List.of(Files.readString(inside), tryToRead(outside)));
				}
				catch (Throwable ex) {
					seen.completeExceptionally(ex);
				}
			});
			thread.start();
			assertThat(seen.get()).containsExactly("in", "refused");
			thread.join();
		}
		assertThat(Files.readString(outside)).isEqualTo("out");
		assertThat(descriptors()).isEqualTo(this.descriptors);
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void killingADomainReachesOrphansAndNothingElse() throws Exception {
		int abi = LandlockRuleset.abi(this.linux);
		assumeThat(abi).isGreaterThanOrEqualTo(LandlockRules.SCOPE_ABI);
		Process bystander = new ProcessBuilder("sleep", "60").start();
		CompletableFuture<Long> orphan = new CompletableFuture<>();
		try (LandlockRuleset scope = LandlockRuleset.create(this.linux, LandlockRules.ofScopeOnly(), abi)) {
			Thread thread = new Thread(() -> killOrphan(scope, orphan));
			thread.start();
			long pid = orphan.get();
			thread.join();
			await().until(() -> ProcessHandle.of(pid).filter(NativeLinuxTests::isRunning).isEmpty());
			assertThat(bystander.isAlive()).isTrue();
		}
		finally {
			bystander.destroyForcibly().waitFor();
		}
	}

	/**
	 * Returns whether a process is no zombie, which has no command line.
	 */
	private static boolean isRunning(ProcessHandle process) {
		return process.info().command().isPresent();
	}

	private void killOrphan(LandlockRuleset scope, CompletableFuture<Long> orphan) {
		try (Spawn spawn = new Spawn(this.linux,
				List.of("/bin/sh", "-c", "(env -i setsid sh -c 'echo $$; exec sleep 60' &) 2>/dev/null; sleep 0.1"),
				Map.of("PATH", "/usr/bin:/bin"), this.directory, false, true)) {
			ThreadDomain domain = scope.restrictThread();
			spawn.start();
			try (Child child = spawn.child()) {
				byte[] line = new byte[32];
				child.await(false, -1);
				long id = Long.parseLong(new String(line, 0, child.read(Child.OUTPUT, line) - 1));
				assertThat(child.awaitExit(10_000)).isTrue();
				assertThat(ProcessHandle.of(id)).isPresent();
				domain.killAll();
				orphan.complete(id);
			}
		}
		catch (Throwable ex) {
			orphan.completeExceptionally(ex);
		}
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void onlyAThreadInADomainThatConfinesSignalsCanKillIt() throws Exception {
		try (LandlockRuleset ruleset = LandlockRuleset.create(this.linux, LandlockRules.ofFiles(true), 3)) {
			CompletableFuture<Throwable> failure = new CompletableFuture<>();
			Thread thread = new Thread(() -> {
				try {
					ThreadDomain domain = ruleset.restrictThread();
					domain.killAll();
				}
				catch (Throwable ex) {
					failure.complete(ex);
				}
			});
			thread.start();
			assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
		}
	}

	private static String tryToRead(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return "refused";
		}
	}

	@Test
	void bitsThatAKernelDoesNotKnowAreNotAsked() {
		LandlockRules rules = LandlockRules.ofFiles(false).change(this.directory);
		assertThat(rules.handledFiles(3)).isEqualTo(0x7fff);
		assertThat(rules.handledFiles(5)).isEqualTo(0xffff);
		assertThat(rules.handledNetwork(3)).isZero();
		assertThat(rules.handledNetwork(4)).isEqualTo(3);
		assertThat(rules.scoped(5)).isZero();
		assertThat(rules.scoped(6)).isEqualTo(3);
		assertThat(LandlockRules.ofFiles(true).handledNetwork(7)).isZero();
		assertThat(rules.rules().get(0).access(false) & ~0xffff).isZero();
	}

}
