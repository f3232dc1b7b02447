package io.kairo.tools.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OutputStore}.
 */
class OutputStoreTests {

	@TempDir
	Path parent;

	private final TestClock clock = new TestClock();

	private OutputStore store;

	@BeforeEach
	void openStore() {
		this.store = new OutputStore(this.parent, new OutputOptions(100, 150, 3, Duration.ofMinutes(5)), this.clock);
	}

	@AfterEach
	void closeStore() {
		this.store.close();
	}

	@Test
	void readReturnsRangeOfOutput() throws Exception {
		SessionOutputs session = this.store.open("t");
		String id = keep(session, "0123456789");
		assertThat(session.find(id).size()).isEqualTo(10);
		assertThat(session.find(id).read(3, 4)).asString(StandardCharsets.UTF_8).isEqualTo("3456");
		assertThat(session.find(id).read(8, 4)).asString(StandardCharsets.UTF_8).isEqualTo("89");
		assertThat(session.find(id).read(20, 4)).isEmpty();
	}

	@Test
	void outputFilesAreAccessibleToOwnerOnly() throws Exception {
		keep(this.store.open("t"), "secret");
		List<Path> found = files();
		assertThat(found).hasSize(1);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found.get(0)))).isEqualTo("rw-------");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found.get(0).getParent())))
			.isEqualTo("rwx------");
	}

	@Test
	void outputOfCallWithoutSessionIsFoundByLaterCallsOfSamePrincipalAndOtherStores() throws Exception {
		OutputOptions options = new OutputOptions(100, 150, 3, Duration.ofMinutes(5));
		String id;
		try (OutputStore lasting = OutputStore.lasting(this.parent, options, this.clock)) {
			SessionOutputs call = lasting.openForOneCall("t", "ann");
			id = keep(call, "0123456789");
			call.close();
			assertThat(lasting.openForOneCall("t", "ann").find(id).read(3, 4)).asString(StandardCharsets.UTF_8)
				.isEqualTo("3456");
			assertThat(lasting.openForOneCall("t", "bob").find(id)).isNull();
			assertThat(lasting.openForOneCall("u", "ann").find(id)).isNull();
			assertThat(lasting.open("t").find(id)).isNull();
		}
		assertThat(this.store.openForOneCall("t", "ann").find(id)).isNull();
		try (OutputStore other = OutputStore.lasting(this.parent, options, this.clock)) {
			SessionOutputs call = other.openForOneCall("t", "ann");
			assertThat(call.find(id).size()).isEqualTo(10);
			assertThat(call.find("../" + id)).isNull();
			this.clock.now = this.clock.now.plus(Duration.ofSeconds(301));
			assertThat(call.find(id)).isNull();
			keep(other.openForOneCall("u", "ann"), "x");
			assertThat(files()).hasSize(1);
		}
	}

	@Test
	void outputsOfCallsWithoutSessionAreBounded() throws Exception {
		OutputOptions options = new OutputOptions(100, 150, 3, Duration.ofMinutes(5));
		try (OutputStore lasting = OutputStore.lasting(this.parent, options, this.clock)) {
			List<String> ids = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				this.clock.now = this.clock.now.plus(Duration.ofSeconds(1));
				ids.add(keep(lasting.openForOneCall("t", "ann"), "x"));
			}
			SessionOutputs ann = lasting.openForOneCall("t", "ann");
			assertThat(ids).filteredOn((id) -> ann.find(id) != null).isEqualTo(ids.subList(2, 5));
			this.clock.now = this.clock.now.plus(Duration.ofSeconds(1));
			String large = keep(lasting.openForOneCall("t", "ann"), "x".repeat(99));
			assertThat(ids).filteredOn((id) -> ann.find(id) != null).containsExactly(ids.get(4));
			this.clock.now = this.clock.now.plus(Duration.ofSeconds(1));
			String other = keep(lasting.openForOneCall("t", "bob"), "x".repeat(60));
			assertThat(ann.find(large)).isNull();
			assertThat(lasting.openForOneCall("t", "bob").find(other)).isNotNull();
		}
	}

	@Test
	void outputsFromBeforeTheClockWasSetBackGiveWayAndExpire() throws Exception {
		OutputOptions options = new OutputOptions(100, 150, 3, Duration.ofMinutes(5));
		try (OutputStore lasting = OutputStore.lasting(this.parent, options, this.clock)) {
			for (int i = 0; i < 3; i++) {
				keep(lasting.openForOneCall("t", "ann"), "ahead");
			}
			this.clock.now = this.clock.now.minus(Duration.ofDays(365));
			SessionOutputs ann = lasting.openForOneCall("t", "ann");
			String first = keep(lasting.openForOneCall("t", "ann"), "x");
			assertThat(ann.find(first)).isNotNull();
			this.clock.now = this.clock.now.plus(Duration.ofSeconds(301));
			keep(lasting.openForOneCall("t", "ann"), "x");
			assertThat(files()).hasSize(1);
		}
	}

	@Test
	void outputIsNotFoundByAnotherSession() {
		String id = keep(this.store.open("t"), "secret");
		assertThat(this.store.open("t").find(id)).isNull();
	}

	@Test
	void outputExpiresAfterMaximumAge() throws Exception {
		SessionOutputs session = this.store.open("t");
		String id = keep(session, "x");
		this.clock.now = this.clock.now.plus(Duration.ofMinutes(6));
		assertThat(session.find(id)).isNull();
		assertThat(files()).isEmpty();
	}

	@Test
	void newOutputRemovesExpiredOutputsOfOtherSessions() throws Exception {
		keep(this.store.open("t"), "x");
		this.clock.now = this.clock.now.plus(Duration.ofMinutes(6));
		keep(this.store.open("other"), "y");
		assertThat(files()).hasSize(1);
	}

	@Test
	void oldestOutputsOfSessionAreRemovedFirst() throws Exception {
		SessionOutputs session = this.store.open("t");
		String first = keep(session, "x".repeat(60));
		String second = keep(session, "y".repeat(60));
		assertThat(session.find(first)).isNull();
		assertThat(session.find(second)).isNotNull();
		for (int i = 0; i < 3; i++) {
			keep(session, "z");
		}
		assertThat(session.find(second)).isNull();
		assertThat(files()).hasSize(3);
	}

	@Test
	void outputBeyondTenantLimitIsDropped() {
		keep(this.store.open("t"), "x".repeat(100));
		OutputWriter writer = this.store.open("t").create();
		writer.write("y".repeat(40).getBytes(StandardCharsets.UTF_8));
		writer.write("y".repeat(40).getBytes(StandardCharsets.UTF_8));
		writer.write("y".getBytes(StandardCharsets.UTF_8));
		assertThat(writer.dropped()).as("nothing is kept after the first dropped part").isEqualTo(41);
		assertThat(keep(this.store.open("other"), "z".repeat(100))).isNotNull();
	}

	@Test
	void closingSessionReleasesItsShareOfTenantLimit() {
		SessionOutputs ended = this.store.open("t");
		keep(ended, "x".repeat(100));
		ended.close();
		OutputWriter writer = this.store.open("t").create();
		writer.write(new byte[100]);
		assertThat(writer.dropped()).isZero();
	}

	@Test
	void discardedOutputIsReleasedOnce() throws Exception {
		OutputWriter writer = this.store.open("t").create();
		writer.write(new byte[100]);
		writer.discard();
		assertThat(files()).isEmpty();
		assertThat(keep(this.store.open("t"), "x".repeat(100))).isNotNull();
		OutputWriter next = this.store.open("t").create();
		next.write(new byte[51]);
		assertThat(next.dropped()).as("released once").isEqualTo(51);
	}

	@Test
	void closingSessionReleasesUnfinishedOutputOnce() throws Exception {
		SessionOutputs ended = this.store.open("t");
		OutputWriter running = ended.create();
		running.write(new byte[100]);
		ended.close();
		assertThat(files()).isEmpty();
		OutputWriter writer = this.store.open("t").create();
		writer.write(new byte[100]);
		assertThat(writer.dropped()).isZero();
		assertThat(running.finish()).isNull();
		OutputWriter next = this.store.open("t").create();
		next.write(new byte[51]);
		assertThat(next.dropped()).as("released once").isEqualTo(51);
	}

	@Test
	void directoryOfDeadJvmIsRemovedButNotThatOfLiveJvm() throws Exception {
		Path dead = Files.createDirectory(this.parent.resolve("kairo-output-1-1-1-dead"));
		Files.createFile(dead.resolve("lock"));
		Files.createFile(dead.resolve("secret.txt"));
		Path foreign = Files.createDirectory(this.parent.resolve("kairo-output-without-lock"));
		Path live = Files.createDirectory(this.parent.resolve("kairo-output-1-1-1-live"));
		Path link = Files.createSymbolicLink(this.parent.resolve("kairo-output-1-1-1-link"), live);
		Path lock = Files.createFile(live.resolve("lock"));
		try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
			channel.lock();
			keep(this.store.open("t"), "x");
			assertThat(dead).doesNotExist();
			assertThat(lock).exists();
			assertThat(link).isSymbolicLink();
			assertThat(foreign).isDirectory();
		}
	}

	@Test
	void storesInSameParentDirectoryAreIndependent() throws Exception {
		SessionOutputs session = this.store.open("t");
		String id = keep(session, "x");
		try (OutputStore other = new OutputStore(this.parent, OutputOptions.defaults(), this.clock)) {
			keep(other.open("t"), "y");
			assertThat(session.find(id).read(0, 1)).asString(StandardCharsets.UTF_8).isEqualTo("x");
		}
		assertThat(session.find(id).read(0, 1)).asString(StandardCharsets.UTF_8).isEqualTo("x");
	}

	@Test
	void closingSessionOrStoreRemovesItsFiles() throws Exception {
		SessionOutputs session = this.store.open("t");
		keep(session, "x");
		session.close();
		assertThat(files()).isEmpty();
		SessionOutputs running = this.store.open("t");
		OutputWriter writer = running.create();
		writer.write(new byte[10]);
		this.store.close();
		assertThat(this.parent).isEmptyDirectory();
		assertThat(writer.finish()).isNull();
		assertThat(keep(running, "x")).isNull();
		assertThat(this.parent).isEmptyDirectory();
	}

	private static String keep(SessionOutputs session, String text) {
		OutputWriter writer = session.create();
		writer.write(text.getBytes(StandardCharsets.UTF_8));
		return writer.finish();
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> found = Files.walk(this.parent)) {
			return found.filter((file) -> file.toString().endsWith(".txt")).toList();
		}
	}

	private static final class TestClock extends Clock {

		private Instant now = Instant.EPOCH;

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
