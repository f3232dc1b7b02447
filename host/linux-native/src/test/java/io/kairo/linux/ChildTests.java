package io.kairo.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Spawn} and {@link Child}. None may leave a descriptor open.
 */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
@Timeout(60)
class ChildTests {

	private static final long PATIENCE_MILLIS = 10_000;

	private final NativeLinux linux = NativeLinux.find();

	@TempDir
	Path directory;

	private long descriptors;

	@BeforeEach
	void countDescriptors() throws IOException {
		// links and loads what is used once
		Spawn.problem(this.linux);
		this.descriptors = descriptors();
	}

	@AfterEach
	void requireSameDescriptors() throws IOException {
		assertThat(descriptors()).isEqualTo(this.descriptors);
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

	@Test
	void cpuTimeOfProcessAndOfThoseItWaitedForIsKnownAtTheEnd() throws Exception {
		String busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/sh", "-c", "cat; sh -c '" + busy + "'; true"),
				Map.of("PATH", "/usr/bin:/bin"), this.directory, true, true)) {
			spawn.start();
			try (Child child = spawn.child()) {
				assertThat(child.cpuTime()).isEmpty();
				child.input().close();
				assertThat(child.awaitExit(PATIENCE_MILLIS)).isTrue();
				assertThat(child.cpuTime()).get(InstanceOfAssertFactories.DURATION)
					.isBetween(Duration.ofMillis(10), Duration.ofSeconds(10));
			}
		}
	}

	@Test
	void processHasItsDirectoryEnvironmentAndStreamsOnly() throws Exception {
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/sh", "-c",
				"pwd; echo \"$OWN\"; cat; ls /proc/self/fd | tr '\\n' ' '; ps -o sid= $$ | grep -qw $$ && echo own;"
						+ " echo err >&2; kill -TERM $$"),
				Map.of("OWN", "mine", "PATH", "/usr/bin:/bin"), this.directory.toRealPath(), true, true)) {
			spawn.start();
			try (Child child = spawn.child()) {
				spawn.close();
				child.input().write("typed\n".getBytes(StandardCharsets.US_ASCII));
				child.input().close();
				assertThat(read(child, Child.OUTPUT))
					.isEqualTo(this.directory.toRealPath() + "\nmine\ntyped\n0 1 2 3 own\n");
				assertThat(read(child, Child.ERRORS)).isEqualTo("err\n");
				assertThat(child.awaitExit(PATIENCE_MILLIS)).isTrue();
				assertThat(child.exitCode()).hasValue(128 + 15);
			}
		}
	}

	@Test
	void waitsForOutputAndForTheEnd() throws Exception {
		try (Child child = start("read -r line; echo out; read -r line; echo err >&2; read -r line; exit 7");
				OutputStream input = child.input()) {
			assertThat(child.await(true, 50)).isZero();
			assertThat(child.read(Child.OUTPUT, new byte[10])).isZero();
			assertThat(child.exitCode()).isEmpty();
			input.write('\n');
			assertThat(child.await(true, PATIENCE_MILLIS)).isEqualTo(1 << Child.OUTPUT);
			byte[] bytes = new byte[10];
			assertThat(child.read(Child.OUTPUT, bytes)).isEqualTo(4);
			input.write('\n');
			assertThat(child.await(true, -1)).isEqualTo(1 << Child.ERRORS);
			assertThat(child.read(Child.ERRORS, bytes)).isEqualTo(4);
			input.write('\n');
			assertThat(child.awaitExit(PATIENCE_MILLIS)).isTrue();
			assertThat(ProcessHandle.of(child.pid())).as("the zombie").isEmpty();
			assertThat(child.await(true, -1)).isEqualTo(1 << Child.OUTPUT | 1 << Child.ERRORS | 1 << Child.EXIT);
			assertThat(child.await(false, -1)).isEqualTo(1 << Child.OUTPUT | 1 << Child.ERRORS);
			assertThat(child.outputEnded()).isFalse();
			assertThat(child.read(Child.OUTPUT, bytes)).isEqualTo(-1);
			assertThat(child.read(Child.ERRORS, bytes)).isEqualTo(-1).isEqualTo(child.read(Child.ERRORS, bytes));
			assertThat(child.outputEnded()).isTrue();
			assertThat(child.await(false, -1)).isZero();
			assertThat(child.exitCode()).isEqualTo(OptionalInt.of(7)).isEqualTo(child.exitCode());
		}
	}

	@Test
	void inputIsWrittenInPartsAndRefusedOnceTheProcessHasEnded() throws Exception {
		byte[] much = new byte[300_000];
		try (Child child = start("head -c 300000 | wc -c"); OutputStream input = child.input()) {
			input.write(much);
			assertThat(read(child, Child.OUTPUT).strip()).isEqualTo("300000");
			assertThat(child.awaitExit(PATIENCE_MILLIS)).isTrue();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> input.write(much))
				.withMessageContaining("error=32");
		}
	}

	@Test
	void inputStaysOpenUntilItIsClosedItself() throws Exception {
		Child child = start("cat > typed");
		child.close();
		try (OutputStream input = child.input()) {
			input.write('a');
		}
		await().until(() -> child.exitCode().isPresent());
		assertThat(this.directory.resolve("typed")).hasContent("a");
	}

	@Test
	void processThatWasNotStartedIsRefused() throws Exception {
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/true"), Map.of(), this.directory, true, true)) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(spawn::child);
		}
	}

	@Test
	void killedProcessIsWaitedFor() throws Exception {
		Child child = start("sleep 60 & echo $!; wait");
		byte[] line = new byte[32];
		child.await(false, PATIENCE_MILLIS);
		long sleeping = Long.parseLong(new String(line, 0, child.read(Child.OUTPUT, line) - 1));
		child.kill();
		assertThat(ProcessHandle.of(child.pid())).isEmpty();
		ProcessHandle.of(sleeping)
			.ifPresent((process) -> assertThat(process.onExit()).succeedsWithin(10, TimeUnit.SECONDS));
	}

	@Test
	void programThatDoesNotExistIsRefused() throws Exception {
		try (Spawn spawn = new Spawn(this.linux, List.of("/no/program"), Map.of(), this.directory, true, true)) {
			assertThatExceptionOfType(SystemCallException.class).isThrownBy(spawn::start)
				.satisfies((ex) -> assertThat(ex.error()).isEqualTo(SystemCallException.ENOENT));
		}
	}

	@Test
	void processStartsWithTheFilesThatAreOpenedForIt() throws Exception {
		Path read = Files.writeString(this.directory.resolve("read"), "given");
		Path written = Files.writeString(this.directory.resolve("written"), "what was there before");
		Path created = this.directory.resolve("created");
		try (Spawn spawn = new Spawn(this.linux,
				List.of("/bin/sh", "-c", "cat <&7 >&8; echo new >&9; ls /proc/self/fd | tr '\\n' ' '"),
				Map.of("PATH", "/usr/bin:/bin"), this.directory, false, true)) {
			spawn.open(7, read, false);
			spawn.open(8, written, true);
			spawn.open(9, created, true);
			spawn.start();
			try (Child child = spawn.child()) {
				spawn.close();
				assertThat(read(child, Child.OUTPUT)).isEqualTo("0 1 2 3 7 8 9 ");
				assertThat(written).hasContent("given");
				assertThat(created).hasContent("new");
				assertThat(Files.getPosixFilePermissions(created))
					.isEqualTo(PosixFilePermissions.fromString("rw-------"));
			}
		}
	}

	@Test
	void processWhoseFileCannotBeOpenedIsRefused() throws Exception {
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/true"), Map.of(), this.directory, true, true)) {
			spawn.open(7, this.directory.resolve("missing"), false);
			assertThatExceptionOfType(SystemCallException.class).isThrownBy(spawn::start)
				.satisfies((ex) -> assertThat(ex.error()).isEqualTo(SystemCallException.ENOENT));
		}
	}

	private Child start(String script) throws IOException {
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/sh", "-c", script), Map.of("PATH", "/usr/bin:/bin"),
				this.directory, true, true)) {
			spawn.start();
			return spawn.child();
		}
	}

	private static String read(Child child, int stream) throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		byte[] bytes = new byte[100];
		for (int count = child.read(stream, bytes); count >= 0; count = child.read(stream, bytes)) {
			all.write(bytes, 0, count);
			child.await(false, PATIENCE_MILLIS);
		}
		return all.toString(StandardCharsets.UTF_8);
	}

}
