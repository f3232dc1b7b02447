package io.kairo.sandbox.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.Sha256;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RemoteSandbox} with directories that are not shared.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RemoteCopyTests {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final int MAX_BYTES = 8 << 20;

	@TempDir
	Path directory;

	private final AtomicReference<CuttingRelay> relay = new AtomicReference<>();

	private Path workspace;

	private Path copies;

	private RemotePair pair;

	private double chance;

	private Duration lease = Duration.ofSeconds(2);

	@BeforeEach
	void open() throws IOException {
		this.workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
		this.copies = Files.createDirectory(this.directory.toRealPath().resolve("copies"));
		open((options) -> options.with((changes) -> changes.copies(new WorkspaceCopies(MAX_BYTES, List.of()))));
	}

	private void open(UnaryOperator<RemoteSandboxOptions> client) {
		this.pair = RemotePair.copying((port) -> {
			try {
				this.relay.set(new CuttingRelay(port, this.chance));
				return this.relay.get().port();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}, (options) -> options.withCopies(new CopyOptions(this.copies, 2 * MAX_BYTES, null)).withLease(this.lease),
				client);
	}

	@AfterEach
	void close() throws IOException {
		this.pair.close();
		this.relay.get().close();
		try (Stream<Path> left = Files.list(this.copies)) {
			assertThat(left).isEmpty();
		}
	}

	private SandboxRequest.Builder request(String command) {
		return new SandboxRequest.Builder(command, this.workspace);
	}

	private SandboxHandle start(String command) {
		return this.pair.start(request(command).attributes(SandboxAttributes.builder().stdin(true).build()).build());
	}

	private Run run(String command) {
		return run(request(command));
	}

	private Run run(SandboxRequest.Builder request) {
		try (SandboxHandle handle = this.pair.start(request.build())) {
			return end(handle);
		}
	}

	private static Run end(SandboxHandle handle) {
		SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
		StringBuilder out = new StringBuilder();
		StringBuilder err = new StringBuilder();
		for (SandboxOutputChunk chunk : handle.output().toIterable()) {
			((chunk instanceof SandboxOutputChunk.Stderr) ? err : out)
				.append(new String(chunk.data(), StandardCharsets.UTF_8));
		}
		return new Run(exit, out.toString(), err.toString());
	}

	private static void resume(SandboxHandle handle) throws IOException {
		handle.stdin().write('\n');
		handle.stdin().close();
	}

	private static void awaitOutput(SandboxHandle handle) {
		handle.output().next().block(Duration.ofSeconds(20));
	}

	@Test
	void whatACommandChangesIsThereWhenItHasExited() throws Exception {
		Files.createDirectories(this.workspace.resolve("src/deep"));
		Files.writeString(this.workspace.resolve("src/deep/ä name"), "before\n");
		Files.writeString(this.workspace.resolve("removed"), "x");
		Files.writeString(this.workspace.resolve("empty"), "");
		Files.createSymbolicLink(this.workspace.resolve("link"), Path.of("src"));
		Run run = run("pwd; cat 'link/deep/ä name'; echo after > 'src/deep/ä name'; rm removed; mkdir new; "
				+ "printf '#!/bin/sh\\necho ran' > new/run; chmod 755 new/run; ln -s run new/again; new/again; "
				+ "touch -d 2001-02-03T04:05:06Z empty; exit 3");
		assertThat(run.exit().exitCode()).isEqualTo(3);
		assertThat(run.out()).startsWith(this.copies.toString()).endsWith("\nbefore\nran\n");
		assertThat(run.err()).isEmpty();
		assertThat(this.workspace.resolve("src/deep/ä name")).hasContent("after\n");
		assertThat(this.workspace.resolve("removed")).doesNotExist();
		assertThat(this.workspace.resolve("new/run")).isExecutable();
		assertThat(Files.readSymbolicLink(this.workspace.resolve("new/again"))).hasToString("run");
		assertThat(Files.getLastModifiedTime(this.workspace.resolve("empty"))).hasToString("2001-02-03T04:05:06Z");
		assertThat(run("new/again").out()).isEqualTo("ran\n");
	}

	@Test
	void commandStartsInADirectoryOfTheCopyAndTellsTheLastOne() throws Exception {
		Path start = Files.createDirectories(this.workspace.resolve("a/b"));
		SandboxAttributes attributes = SandboxAttributes.builder().workingDirectory(start).build();
		try (SandboxHandle handle = this.pair.start(request("cd ..; mkdir c; cd c").attributes(attributes).build())) {
			handle.exit().block(Duration.ofSeconds(20));
			assertThat(handle.workingDirectory()).isEqualTo(this.workspace.resolve("a/c"));
		}
	}

	@Test
	void changesOfACommandThatIsEndedAreCopiedBack() throws Exception {
		Run run = run(request("echo x > written; sleep 60").timeout(Duration.ofSeconds(2)));
		assertThat(run.exit().timedOut()).isTrue();
		assertThat(this.workspace.resolve("written")).hasContent("x\n");
		try (SandboxHandle handle = start("echo y > written; echo up; sleep 60")) {
			awaitOutput(handle);
			handle.cancel();
			assertThat(end(handle).err()).isEmpty();
			assertThat(this.workspace.resolve("written")).hasContent("y\n");
		}
	}

	@Test
	void whatIsChangedOnBothSidesStaysAndIsTold() throws Exception {
		for (String name : List.of("both", "deletedHere", "deletedThere", "dir/inside", "replaced/inside")) {
			Files.createDirectories(this.workspace.resolve(name).getParent());
			Files.writeString(this.workspace.resolve(name), "before");
		}
		try (SandboxHandle handle = start("echo up; read line; for each in both deletedHere added; do"
				+ " echo command > $each; done; rm deletedThere; rm -r dir; echo command > replaced/inside")) {
			awaitOutput(handle);
			Files.writeString(this.workspace.resolve("both"), "tool");
			Files.delete(this.workspace.resolve("deletedHere"));
			Files.writeString(this.workspace.resolve("deletedThere"), "tool");
			Files.writeString(this.workspace.resolve("added"), "tool");
			Files.writeString(this.workspace.resolve("dir/more"), "tool");
			Files.delete(this.workspace.resolve("replaced/inside"));
			Files.delete(this.workspace.resolve("replaced"));
			Files.createSymbolicLink(this.workspace.resolve("replaced"), this.directory);
			resume(handle);
			assertThat(end(handle).err().lines()).containsExactlyInAnyOrder(
					"kairo: both was not copied back: it was changed in the meantime",
					"kairo: deletedHere was not copied back: it was changed in the meantime",
					"kairo: added was not copied back: it was changed in the meantime",
					"kairo: deletedThere was not copied back: it was changed in the meantime",
					"kairo: dir was not copied back: something was added to this directory in the meantime",
					"kairo: replaced/inside was not copied back: it was replaced");
		}
		for (String name : List.of("both", "deletedThere", "added", "dir/more")) {
			assertThat(this.workspace.resolve(name)).hasContent("tool");
		}
		assertThat(this.workspace.resolve("deletedHere")).doesNotExist();
		assertThat(this.directory.resolve("inside")).doesNotExist();
	}

	@Test
	void whatIsChangedOnOneSideOnlyIsNoConflict() throws Exception {
		Files.writeString(this.workspace.resolve("here"), "before");
		Files.writeString(this.workspace.resolve("there"), "before");
		try (SandboxHandle handle = start("echo up; read line; echo command > there; touch added")) {
			awaitOutput(handle);
			Files.writeString(this.workspace.resolve("here"), "tool");
			Files.writeString(this.workspace.resolve("new"), "tool");
			resume(handle);
			assertThat(end(handle).err()).isEmpty();
		}
		assertThat(this.workspace.resolve("here")).hasContent("tool");
		assertThat(this.workspace.resolve("there")).hasContent("command\n");
		assertThat(this.workspace.resolve("new")).hasContent("tool");
		assertThat(this.workspace.resolve("added")).isEmptyFile();
	}

	@Test
	void onlyWhatChangedCrossesTheNetwork() throws Exception {
		Random random = new Random(1);
		byte[] content = new byte[3000];
		for (int i = 0; i < 300; i++) {
			random.nextBytes(content);
			Files.createDirectories(this.workspace.resolve("d" + i % 10));
			Files.write(this.workspace.resolve("d" + i % 10 + "/f" + i), content);
		}
		assertThat(run("ls | wc -l").out().strip()).isEqualTo("10");
		assertThat(this.relay.get().sent()).isBetween(900_000L, 1_050_000L);
		long sent = this.relay.get().sent();
		long received = this.relay.get().received();
		assertThat(run("cat d1/f1 | wc -c").out().strip()).isEqualTo("3000");
		assertThat(this.relay.get().sent() - sent).isLessThan(4000);
		assertThat(this.relay.get().received() - received).isLessThan(4000);
		Files.writeString(this.workspace.resolve("d1/f1"), "changed");
		sent = this.relay.get().sent();
		assertThat(run("cat d1/f1").out()).isEqualTo("changed");
		assertThat(this.relay.get().sent() - sent).as("with the list of all files").isLessThan(75_000);
		sent = this.relay.get().sent();
		received = this.relay.get().received();
		run("head -c 1000000 /dev/urandom > result");
		assertThat(this.relay.get().sent() - sent).isLessThan(6000);
		assertThat(this.relay.get().received() - received).isBetween(1_000_000L, 1_010_000L);
		sent = this.relay.get().sent();
		assertThat(run("cat result | wc -c").out().strip()).isEqualTo("1000000");
		assertThat(this.relay.get().sent() - sent).as("the worker has the result").isLessThan(75_000);
	}

	@Test
	void renamedFileCrossesNeitherWay() throws Exception {
		byte[] content = new byte[1_000_000];
		new Random(5).nextBytes(content);
		Files.write(this.workspace.resolve("before"), content);
		Files.write(this.workspace.resolve("changed"), Arrays.copyOf(content, 500_000));
		run("true");
		long crossed = this.relay.get().sent() + this.relay.get().received();
		assertThat(run("mkdir dir; mv before dir/after; cp dir/after copy").err()).isEmpty();
		assertThat(this.relay.get().sent() + this.relay.get().received() - crossed).isLessThan(20_000);
		assertThat(this.workspace.resolve("before")).doesNotExist();
		assertThat(Files.readAllBytes(this.workspace.resolve("dir/after"))).isEqualTo(content);
		assertThat(Files.readAllBytes(this.workspace.resolve("copy"))).isEqualTo(content);
		try (SandboxHandle handle = start("cp changed other; echo up; read line")) {
			awaitOutput(handle);
			Files.write(this.workspace.resolve("changed"), content);
			resume(handle);
			assertThat(end(handle).err()).isEmpty();
		}
		assertThat(Files.size(this.workspace.resolve("other"))).as("as it was when the command started")
			.isEqualTo(500_000);
	}

	@Test
	void brokenConnectionsLoseAndDoubleNothing() throws Exception {
		this.pair.close();
		this.chance = 0.15;
		this.lease = Duration.ofMinutes(1);
		open((options) -> options.with((changes) -> changes.copies(new WorkspaceCopies(MAX_BYTES, List.of()))));
		Random random = new Random(4);
		byte[] content = new byte[30_000];
		int all = LONG ? 40 : 8;
		for (int i = 0; i < all; i++) {
			random.nextBytes(content);
			Files.write(this.workspace.resolve("f" + i), content);
		}
		for (int i = 0; i < all; i++) {
			byte[] expected = Files.readAllBytes(this.workspace.resolve("f" + i));
			Run run = run("cp f" + i + " g" + i + "; echo x >> g" + i + "; rm f" + i
					+ "; head -c 20000 /dev/urandom > r" + i + "; sha256sum < r" + i);
			assertThat(run.err()).isEmpty();
			assertThat(run.exit().exitCode()).isZero();
			assertThat(this.workspace.resolve("f" + i)).doesNotExist();
			assertThat(Files.readAllBytes(this.workspace.resolve("g" + i))).hasSize(30_002).startsWith(expected);
			assertThat(run.out()).startsWith(Sha256.hex(Files.readAllBytes(this.workspace.resolve("r" + i))));
		}
		assertThat(this.relay.get().cuts()).isGreaterThan(5);
	}

	@Test
	void smallFilesCrossTogether() throws Exception {
		for (int i = 0; i < 200; i++) {
			Files.writeString(this.workspace.resolve("f" + i), "content " + i);
		}
		Run run = run("for f in *; do echo more >> $f; done");
		assertThat(run.err()).isEmpty();
		for (int i = 0; i < 200; i++) {
			assertThat(this.workspace.resolve("f" + i)).hasContent("content " + i + "more");
		}
		assertThat(this.relay.get().requests()).isLessThan(100);
	}

	@Test
	void fileThatIsLongerThanARequestIsCopiedBothWays() throws Exception {
		byte[] content = new byte[6 << 20];
		new Random(2).nextBytes(content);
		Files.write(this.workspace.resolve("large"), content);
		assertThat(run("cmp large large && cp large copied && printf x >> copied && rm large").err()).isEmpty();
		assertThat(this.workspace.resolve("large")).doesNotExist();
		byte[] copied = Files.readAllBytes(this.workspace.resolve("copied"));
		assertThat(copied).hasSize(content.length + 1).startsWith(content);
	}

	@Test
	void workspaceThatIsTooLargeIsRefused() throws Exception {
		Files.write(this.workspace.resolve("large"), new byte[MAX_BYTES + 1]);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
			.withMessageContaining("more than " + MAX_BYTES + " bytes");
	}

	@Test
	void workspaceThatIsTooLargeForTheWorkerIsRefused() throws Exception {
		this.pair.close();
		open((options) -> options.with((changes) -> changes.copies(new WorkspaceCopies(10L * MAX_BYTES, List.of()))));
		byte[] content = new byte[5 * MAX_BYTES];
		new Random(3).nextBytes(content);
		Files.write(this.workspace.resolve("large"), content);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
			.withMessageContaining("more than " + 2 * MAX_BYTES + " bytes");
		Files.writeString(this.workspace.resolve("large"), "small");
		assertThat(run("cat large").out()).isEqualTo("small");
	}

	@Test
	void tooMuchIsNotCopiedBackAndTold() throws Exception {
		Files.writeString(this.workspace.resolve("kept"), "kept");
		for (String size : List.of("9M", "1T")) {
			Run run = run("rm kept; truncate -s " + size + " large; echo ran");
			assertThat(run.out()).isEqualTo("ran\n");
			assertThat(run.err()).contains("kairo: what the command changed was not or not completely copied back",
					"bytes");
			assertThat(this.workspace.resolve("kept")).hasContent("kept");
			assertThat(this.workspace.resolve("large")).doesNotExist();
		}
	}

	@Test
	void whatCannotBeCopiedIsTold() throws Exception {
		Run run = run(
				"mkfifo pipe; touch \"$(printf 'a\\377b')\"; mkdir closed; touch closed/x; chmod 0 closed/x closed");
		assertThat(run.err().lines()).containsExactlyInAnyOrder(
				"kairo: pipe was not copied back: it is neither a file nor a directory, nor a link to a name in UTF-8",
				"kairo: a\ufffdb was not copied back: its name is not UTF-8");
		assertThat(this.workspace.resolve("closed/x")).isEmptyFile().isReadable();
	}

	@Test
	void lostWorkerChangesNothingAndTheRemarkSaysSo() throws Exception {
		Files.writeString(this.workspace.resolve("kept"), "kept");
		try (SandboxHandle handle = start("rm kept; touch added; echo up; read line")) {
			awaitOutput(handle);
			this.relay.get().refuse(true);
			Run run = end(handle);
			assertThat(run.exit().signal()).isEqualTo(SandboxExit.LOST);
			assertThat(run.err()).isEqualTo("kairo: what the command changed was not or not completely copied back: "
					+ "the worker was lost before it sent the changes\n");
		}
		assertThat(this.workspace).isDirectoryContaining((path) -> path.endsWith("kept"))
			.isDirectoryNotContaining((path) -> path.endsWith("added"));
		assertThat(this.workspace.resolve("kept")).hasContent("kept");
		await().atMost(Duration.ofSeconds(20)).untilAsserted(this::assertNoCopies);
		this.relay.get().refuse(false);
		assertThat(run("cat kept").out()).isEqualTo("kept");
	}

	private void assertNoCopies() throws IOException {
		try (Stream<Path> all = Files.walk(this.copies, 2)) {
			assertThat(all.filter((path) -> path.getFileName().toString().startsWith("copy-"))).isEmpty();
		}
	}

	@Test
	void copiesAreRemovedWithTheCommand() throws Exception {
		Files.writeString(this.workspace.resolve("file"), "x");
		SandboxHandle handle = start("chmod 0 file; mkdir closed; chmod 0 closed; echo up; read line");
		awaitOutput(handle);
		try (Stream<Path> all = Files.walk(this.copies, 2)) {
			assertThat(all.filter((path) -> path.getFileName().toString().startsWith("copy-"))).isNotEmpty();
		}
		handle.close();
		await().atMost(Duration.ofSeconds(20)).untilAsserted(this::assertNoCopies);
	}

	@Test
	void commandsAtTheSameTimeDoNotSeeEachOtherAndAllAreCopiedBack() throws Exception {
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			handles.add(start("read line; ls; echo x > file" + i));
		}
		for (SandboxHandle handle : handles) {
			resume(handle);
		}
		for (int i = 0; i < 5; i++) {
			Run run = end(handles.get(i));
			assertThat(run.out()).isEmpty();
			assertThat(run.err()).isEmpty();
			assertThat(this.workspace.resolve("file" + i)).hasContent("x");
			handles.get(i).close();
		}
	}

	@Test
	void hiddenDirectoriesAreNotCopied() throws Exception {
		Path state = Files.createDirectories(this.workspace.resolve("state/inside"));
		Files.writeString(state.resolve("secret"), "secret");
		this.pair.close();
		open((options) -> options
			.with((changes) -> changes.copies(new WorkspaceCopies(MAX_BYTES, List.of(state.getParent())))));
		Run run = run("find .; rm -rf state; mkdir state; echo evil > state/planted");
		assertThat(run.out().lines()).containsExactlyInAnyOrder(".", "./state");
		assertThat(state.resolve("secret")).hasContent("secret");
		assertThat(this.workspace.resolve("state/planted")).doesNotExist();
	}

	@Test
	void sharedDirectoryIsUsedBesideACopy() throws Exception {
		Path shared = Files.createDirectory(this.directory.toRealPath().resolve("shared"));
		this.pair.close();
		open((options) -> RemoteSandboxOptions
			.of(options.workers().get(0), options.token(), new PathMapping(shared, shared.toString()))
			.with((changes) -> changes.copies(options.copies())));
		SandboxAttributes attributes = SandboxAttributes.builder()
			.mounts(List.of(new SandboxAttributes.Mount(shared, true)))
			.build();
		Run run = run(request("echo x > own; echo y > '" + shared + "/own'; readlink -f own").attributes(attributes));
		assertThat(run.out()).startsWith(this.copies.toString());
		assertThat(this.workspace.resolve("own")).hasContent("x");
		assertThat(shared.resolve("own")).hasContent("y");
	}

	@Test
	void confinedCommandsSeeMountsWhereTheirCopiesAre() throws Exception {
		Path other = Files.createDirectory(this.directory.toRealPath().resolve("other"));
		this.pair.close();
		this.pair = RemotePair.copying(new ConfinedSandbox(), (port) -> port,
				(options) -> options.withCopies(new CopyOptions(this.copies, 2 * MAX_BYTES, null)),
				(options) -> options);
		SandboxAttributes attributes = SandboxAttributes.builder()
			.mounts(List.of(new SandboxAttributes.Mount(other, true)))
			.workingDirectory(other)
			.build();
		assertThat(run(request("pwd; echo x > written").attributes(attributes)).out())
			.startsWith(this.copies.toString());
		assertThat(other.resolve("written")).hasContent("x");
		SandboxAttributes elsewhere = SandboxAttributes.builder()
			.mounts(List.of(new SandboxAttributes.Mount(other, "/kairo-other", true)))
			.build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run(request("true").attributes(elsewhere)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
			.withMessageContaining("MOUNTS");
	}

	@Test
	void workerWithoutCopiesRefusesThem() throws Exception {
		this.pair.close();
		this.pair = RemotePair.copying((port) -> port, (options) -> options.withCopies(null), (options) -> options);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
			.withMessageContaining("takes no copies");
	}

	@Test
	void workerThatTakesNoCopiesIsLeftOut() throws Exception {
		this.pair.close();
		Files.writeString(this.workspace.resolve("file"), "content");
		AtomicReference<URI> first = new AtomicReference<>();
		try (RemotePair without = RemotePair.copying((port) -> port, (options) -> options.withCopies(null),
				(options) -> {
					first.set(options.workers().get(0));
					return options;
				})) {
			open((options) -> options.with((changes) -> changes.workers(List.of(first.get(), options.workers().get(0)))
				.selector((request, workers) -> workers.get(0))));
			assertThat(run("cat file; rm file").out()).isEqualTo("content");
			assertThat(this.workspace.resolve("file")).doesNotExist();
			this.relay.get().refuse(true);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("true"));
			this.relay.get().refuse(false);
			assertThat(run("echo again").out()).isEqualTo("again\n");
		}
	}

	/**
	 * A sandbox that says that it confines commands to directories at their own paths.
	 */
	private static final class ConfinedSandbox implements ExecutionSandbox, AutoCloseable {

		private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("confined", Set.of(SandboxCapability.FILE_CONFINEMENT), Map.of());
		}

		@Override
		public void close() {
			this.sandbox.close();
		}

	}

	/**
	 * A command that has ended.
	 */
	private record Run(SandboxExit exit, String out, String err) {

	}

}
