package io.kairo.workspace.s3;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.tck.SmallDisk;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests of object stores that fail, before and after a workspace was opened.
 */
@ExtendWith(S3Server.Extension.class)
class FaultTests {

	private static final WorkspaceFilesFactory LOCAL = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);

	private final S3Server server;

	@TempDir
	Path directory;

	private String bucket;

	private S3WorkspaceProvider provider;

	FaultTests(S3Server server) {
		this.server = server;
	}

	@BeforeEach
	void open() {
		this.bucket = this.server.newBucket();
		this.server.put(this.bucket, "work/a.txt", "a");
		this.server.put(this.bucket, "work/b.txt", "b");
		this.provider = provider(this.server.endpoint(), Duration.ofSeconds(5));
	}

	@AfterEach
	void close() {
		this.server.gateway().fault((method, path) -> null);
		this.server.gateway().drip(0);
		this.provider.close();
	}

	private S3WorkspaceProvider provider(URI endpoint, Duration timeout) {
		return provider(endpoint, new S3Limits(1000, 1 << 20, 1 << 16, 4, timeout));
	}

	private S3WorkspaceProvider provider(URI endpoint, S3Limits limits) {
		return new S3WorkspaceProvider(this.server.options(this.directory.resolve("s3"), this.bucket)
			.endpoint(endpoint)
			.limits(limits)
			.build(), S3Server.credentials());
	}

	private Workspace acquire() {
		return this.provider.acquire(WorkspaceRequest.writable("s3://" + this.bucket + "/work"));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return this.provider.files(LOCAL).open(workspace);
	}

	private static SyncReport writeBack(Workspace workspace) {
		return Objects.requireNonNull(workspace.sync()).writeBack().value();
	}

	private static void assertTells(WorkspaceErrorCode expected, String part, WorkspaceErrorCode code, String message) {
		assertThat(code).as(message).isEqualTo(expected);
		assertThat(message).contains(part)
			.containsPattern(".: [a-z]")
			.doesNotContain(S3Server.SECRET_KEY)
			.doesNotContain("SECRET-MESSAGE");
	}

	static Stream<Arguments> faults() {
		return Stream.of(
				Arguments.of(Gateway.error(403, "RequestTimeTooSkewed"), WorkspaceErrorCode.REMOTE_REFUSED, "clock"),
				Arguments.of(Gateway.error(400, "ExpiredToken"), WorkspaceErrorCode.REMOTE_REFUSED, "expired"),
				Arguments.of(Gateway.error(403, "AccessDenied"), WorkspaceErrorCode.REMOTE_REFUSED, "AccessDenied"),
				Arguments.of(Gateway.error(403, "InvalidAccessKeyId"), WorkspaceErrorCode.REMOTE_REFUSED, "rights"),
				Arguments.of(Gateway.error(403, "QuotaExceeded"), WorkspaceErrorCode.QUOTA_EXCEEDED, "quota"),
				Arguments.of(Gateway.error(507, "Full"), WorkspaceErrorCode.QUOTA_EXCEEDED, "no space"),
				Arguments.of(Gateway.error(500, "InternalError"), WorkspaceErrorCode.REMOTE_UNREACHABLE, "500"),
				Arguments.of(Gateway.error(503, "SlowDown"), WorkspaceErrorCode.REMOTE_UNREACHABLE, "503"),
				Arguments.of(Gateway.answer(200, "this is not S3"), WorkspaceErrorCode.REMOTE_UNREACHABLE, "endpoint"),
				Arguments.of("nonsense\n\n".getBytes(StandardCharsets.UTF_8), WorkspaceErrorCode.REMOTE_UNREACHABLE,
						"did not answer"),
				Arguments.of(Gateway.BREAK_OFF, WorkspaceErrorCode.REMOTE_UNREACHABLE, "did not answer"));
	}

	@ParameterizedTest
	@MethodSource("faults")
	void failureOfListingIsReportedAndLeavesNothingBehind(byte[] answer, WorkspaceErrorCode code, String part) {
		this.server.gateway().fault((method, path) -> answer);
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertTells(code, part, failure.code(), String.valueOf(failure.getMessage()));
		assertThat(this.directory.resolve("s3")).isDirectoryNotContaining((path) -> path.toFile().isDirectory());
		this.server.gateway().fault((method, path) -> null);
		assertThat(files(acquire()).tryReadFile("a.txt").value().content()).isEqualTo("a");
	}

	@ParameterizedTest
	@MethodSource("faults")
	void failureOfFetchIsReportedAndCanBeRepeated(byte[] answer, WorkspaceErrorCode code, String part) {
		Workspace workspace = acquire();
		boolean text = new String(answer, StandardCharsets.UTF_8).contains("this is not S3");
		this.server.gateway().fault((method, path) -> answer);
		WorkspaceResult<?> result = files(workspace).tryReadFile("a.txt");
		WorkspaceResult<Integer> materialized = Objects.requireNonNull(workspace.sync()).materialize();
		this.server.gateway().fault((method, path) -> null);
		if (text) {
			// without an ETag the content has no version
			assertThat(result.isOk()).isFalse();
		}
		else {
			WorkspaceResult.Failure<?> failure = (WorkspaceResult.Failure<?>) result;
			assertTells(code, part, failure.code(), failure.message());
		}
		assertThat(materialized.isOk()).isFalse();
		assertThat(files(workspace).tryReadFile("a.txt").value().content()).isEqualTo("a");
		assertThat(writeBack(workspace).changes()).isEmpty();
	}

	@Test
	void fetchesThatFailDoNotCount() {
		this.provider.close();
		this.provider = provider(this.server.endpoint(), new S3Limits(1000, 2, 2, 4, Duration.ofSeconds(5)));
		Workspace workspace = acquire();
		this.server.gateway().fault((method, path) -> Gateway.error(403, "AccessDenied"));
		for (int i = 0; i < 3; i++) {
			assertThat(files(workspace).tryReadFile("a.txt")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
					(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.REMOTE_REFUSED));
		}
		this.server.gateway().fault((method, path) -> null);
		assertThat(files(workspace).tryReadFile("a.txt").value().content()).isEqualTo("a");
		assertThat(files(workspace).tryReadFile("b.txt").value().content()).isEqualTo("b");
	}

	@ParameterizedTest
	@MethodSource("faults")
	void failureOfWriteIsReportedAndLosesNothing(byte[] answer, WorkspaceErrorCode code, String part) {
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("first.txt", "first").value();
		assertThat(writeBack(workspace).complete()).isTrue();
		files(workspace).tryWriteFile("a.txt", "changed").value();
		files(workspace)
			.apply(new WorkspaceChange.Move(new WorkspacePath(workspace.root(), "b.txt"),
					new WorkspacePath(workspace.root(), "c.txt")))
			.value();
		this.server.gateway().fault((method, path) -> method.equals("PUT") ? answer : null);
		SyncReport report = writeBack(workspace);
		this.server.gateway().fault((method, path) -> null);
		assertThat(report.complete()).isFalse();
		assertThat(report.with(Outcome.FAILED)).extracting(SyncReport.Change::path)
			.containsExactly("a.txt", "b.txt", "c.txt");
		assertThat(report.problems()).doesNotContain(S3Server.SECRET_KEY).doesNotContain("SECRET-MESSAGE");
		assertThat(this.server.get(this.bucket, "work/b.txt")).as("not deleted before it is written").isEqualTo("b");
		assertThat(writeBack(workspace).complete()).isTrue();
		assertThat(this.server.get(this.bucket, "work/a.txt")).isEqualTo("changed");
		assertThat(this.server.get(this.bucket, "work/c.txt")).isEqualTo("b");
		assertThat(this.server.keys(this.bucket)).doesNotContain("work/b.txt");
	}

	@Test
	void endpointThatIsDownIsReported() throws Exception {
		this.provider.close();
		int port;
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = free.getLocalPort();
		}
		this.provider = provider(URI.create("http://127.0.0.1:" + port), Duration.ofSeconds(5));
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "did not answer", failure.code(),
				String.valueOf(failure.getMessage()));
	}

	@Test
	void credentialsThatExpireAreReplacedByThoseThatTheProviderReturnsNext() {
		this.provider.close();
		AtomicReference<String> key = new AtomicReference<>(S3Server.ACCESS_KEY);
		this.provider = new S3WorkspaceProvider(this.server.options(this.directory.resolve("s3"), this.bucket).build(),
				(tenant) -> () -> AwsBasicCredentials.create(key.get(), S3Server.SECRET_KEY));
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("new.txt", "new").value();
		this.server.gateway().fault((method, path) -> Gateway.error(400, "ExpiredToken"));
		assertThat(files(workspace).tryReadFile("a.txt").isOk()).isFalse();
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack()).satisfiesAnyOf(
				(result) -> assertThat(result.isOk()).isFalse(),
				(result) -> assertThat(result.value().complete()).isFalse());
		key.set("another-access-key");
		this.server.gateway().fault((method, path) -> null);
		assertThat(files(workspace).tryReadFile("a.txt").isOk()).as("the new key is used, and unknown").isFalse();
		key.set(S3Server.ACCESS_KEY);
		assertThat(files(workspace).tryReadFile("a.txt").value().content()).isEqualTo("a");
		assertThat(writeBack(workspace).complete()).isTrue();
		assertThat(this.server.get(this.bucket, "work/new.txt")).isEqualTo("new");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void fullDiskOfThisMachineIsReportedAndLosesNothing(@TempDir Path disk) throws Exception {
		this.server.put(this.bucket, "work/large.txt", "x".repeat(100_000));
		SmallDisk.run(FullDiskProgram.class, disk.toRealPath(), this.server.endpoint().toString(), this.bucket);
		for (int i = 0; i < FullDiskProgram.FILES; i++) {
			assertThat(this.server.get(this.bucket, "work/file-" + i)).isEqualTo("content " + i);
		}
		assertThat(this.server.keys(this.bucket)).hasSize(FullDiskProgram.FILES + 3);
	}

	@Test
	void regionThatIsNotKnownIsReported() {
		this.provider.close();
		String disabled = System.setProperty("aws.disableEc2Metadata", "true");
		try {
			this.provider = new S3WorkspaceProvider(S3Options.in(this.directory.resolve("s3"), this.bucket).build(),
					S3Server.credentials());
			WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
			assertTells(WorkspaceErrorCode.REMOTE_REFUSED, "region", failure.code(),
					String.valueOf(failure.getMessage()));
		}
		finally {
			if (disabled == null) {
				System.clearProperty("aws.disableEc2Metadata");
			}
			else {
				System.setProperty("aws.disableEc2Metadata", disabled);
			}
		}
	}

	@Test
	void credentialsThatAreMissingAreReported() {
		this.provider.close();
		this.provider = new S3WorkspaceProvider(this.server.options(this.directory.resolve("s3"), this.bucket).build(),
				(tenant) -> AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()));
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertTells(WorkspaceErrorCode.REMOTE_REFUSED, "there are no credentials", failure.code(),
				String.valueOf(failure.getMessage()));
	}

	@Test
	void slowObjectStoreIsGivenUpAfterTimeout() {
		this.provider.close();
		this.provider = provider(this.server.endpoint(), Duration.ofSeconds(1));
		this.server.gateway().fault((method, path) -> {
			try {
				Thread.sleep(4000);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return null;
		});
		long started = System.nanoTime();
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
		assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "in time", failure.code(),
				String.valueOf(failure.getMessage()));
	}

	@Test
	void answerThatDripsIsGivenUpAfterTimeout() {
		this.server.put(this.bucket, "work/c.txt", "x".repeat(2000));
		this.provider.close();
		this.provider = provider(this.server.endpoint(), Duration.ofSeconds(2));
		WorkspaceFiles files = files(acquire());
		this.server.gateway().drip(5);
		long started = System.nanoTime();
		WorkspaceResult<?> read = files.tryReadFile("c.txt");
		WorkspaceException listed = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(7));
		assertThat(read).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "in time", failure.code(),
						failure.message()));
		assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "in time", listed.code(),
				String.valueOf(listed.getMessage()));
	}

	@Test
	void answerThatIsTooLongIsRefused() {
		this.provider.close();
		this.provider = provider(this.server.endpoint(), Duration.ofSeconds(60));
		byte[] answer = Gateway.answer(200, "<ListBucketResult>" + " ".repeat(17 << 20) + "</ListBucketResult>");
		this.server.gateway().fault((method, path) -> answer);
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "endpoint", failure.code(),
				String.valueOf(failure.getMessage()));
	}

	@Test
	void pagesThatDoNotEndAreRefused() {
		this.server.gateway()
			.fault((method, path) -> Gateway.answer(200, "<ListBucketResult><IsTruncated>true</IsTruncated>"
					+ "<NextContinuationToken>again</NextContinuationToken></ListBucketResult>"));
		WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
		assertTells(WorkspaceErrorCode.REMOTE_UNREACHABLE, "pages", failure.code(),
				String.valueOf(failure.getMessage()));
	}

	@Test
	void objectsAboveBoundsAreRefused() {
		this.server.put(this.bucket, "work/large.bin", "x".repeat((1 << 16) + 1));
		Workspace workspace = acquire();
		assertThat(files(workspace).tryReadFile("large.bin")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.TOO_LARGE));
		assertThat(Objects.requireNonNull(workspace.sync()).materialize()).isInstanceOfSatisfying(
				WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.TOO_LARGE));
		files(workspace).tryWriteFile("too-large.txt", "x".repeat((1 << 16) + 1)).value();
		assertThat(writeBack(workspace).with(Outcome.FAILED)).extracting(SyncReport.Change::path)
			.containsExactly("too-large.txt");
	}

	@Test
	void objectStoreThatIgnoresConditionsIsNotWrittenTo() {
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("a.txt", "changed").value();
		this.server.gateway()
			.fault((method, path) -> method.equals("PUT")
					? "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8)
					: null);
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack())
			.isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> assertThat(failure.message())
				.contains("ignores If-Match", "use an object store with conditional writes"));
	}

	@Test
	void checkOfConditionsThatFailsLeavesNoObject() {
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("a.txt", "changed").value();
		AtomicInteger writes = new AtomicInteger();
		this.server.gateway()
			.fault((method, path) -> (method.equals("PUT") && writes.incrementAndGet() > 1)
					? Gateway.error(403, "AccessDenied") : null);
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().isOk()).isFalse();
		assertThat(this.server.keys(this.bucket)).containsExactly("work/a.txt", "work/b.txt");
	}

	@Test
	void lostAnswersAreNoConflicts() {
		Random random = new Random(42);
		AtomicInteger lost = new AtomicInteger();
		Workspace workspace = acquire();
		for (int round = 0; round < 5; round++) {
			for (int i = 0; i < 10; i++) {
				files(workspace).tryWriteFile("file-" + i, "round " + round).value();
			}
			this.server.gateway().fault((method, path) -> {
				synchronized (random) {
					int chance = random.nextInt(100);
					if (chance < 20) {
						lost.incrementAndGet();
					}
					return (chance < 10) ? Gateway.LOSE_ANSWER : (chance < 20) ? Gateway.BREAK_OFF : null;
				}
			});
			SyncReport report = writeBack(workspace);
			this.server.gateway().fault((method, path) -> null);
			assertThat(report.with(Outcome.CONFLICT)).as(report.problems()).isEmpty();
			if (!report.complete()) {
				assertThat(writeBack(workspace).complete()).isTrue();
			}
			for (int i = 0; i < 10; i++) {
				assertThat(this.server.get(this.bucket, "work/file-" + i)).isEqualTo("round " + round);
			}
		}
		assertThat(lost.get()).isGreaterThan(5);
	}

}
