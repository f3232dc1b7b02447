package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests of object stores whose answers are made to mislead. Every request is answered by
 * the test.
 */
class HostileStoreTests {

	private static final String OBJECT = "<Contents><Key>work/%s</Key>%s<Size>%s</Size></Contents>";

	private static final String ETAG = "<ETag>&quot;e1&quot;</ETag>";

	@TempDir
	private Path directory;

	private Gateway store;

	/** The paths that were written to. */
	private final Set<String> written = ConcurrentHashMap.newKeySet();

	private volatile String listing = OBJECT.formatted("a.txt", ETAG, 1);

	private volatile byte[] fetched = answer(200, "ETag: \"e1\"\r\nContent-Length: 1\r\n", "a");

	private S3WorkspaceProvider provider;

	@BeforeEach
	void open() throws IOException {
		this.store = new Gateway(0);
		this.store.fault(this::answer);
		this.provider = new S3WorkspaceProvider(S3Options.in(this.directory.resolve("s3"), "bucket")
			.endpoint(this.store.endpoint())
			.pathStyle(true)
			.writeBack(WriteBackMode.ON_DEMAND)
			.limits(new S3Limits(1000, 1 << 20, 1 << 16, 4, Duration.ofSeconds(5)))
			.build(), S3Server.credentials());
	}

	@AfterEach
	void close() throws IOException {
		this.provider.close();
		this.store.close();
	}

	private static byte[] answer(int status, String head, String body) {
		return ("HTTP/1.1 " + status + " X\r\nConnection: close\r\n" + head + "\r\n" + body)
			.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Answers as a store that enforces the conditions of writes does.
	 */
	private byte[] answer(String method, String path) {
		if (method.equals("GET")) {
			return path.contains("list-type")
					? Gateway.answer(200, "<ListBucketResult>" + this.listing + "</ListBucketResult>") : this.fetched;
		}
		if (method.equals("PUT") && !this.written.add(path)) {
			return answer(412, "Content-Length: 0\r\n", "");
		}
		return answer(method.equals("PUT") ? 200 : 204, "ETag: \"e2\"\r\nContent-Length: 0\r\n", "");
	}

	private Workspace acquire() {
		return this.provider.acquire(WorkspaceRequest.writable("s3://bucket/work"));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return this.provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)).open(workspace);
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void redirectIsNotFollowed(int status) throws IOException {
		Workspace workspace = acquire();
		try (Gateway other = new Gateway(0)) {
			other.fault((method, path) -> answer(200, "ETag: \"e1\"\r\nContent-Length: 5\r\n", "other"));
			for (Gateway target : List.of(other, this.store)) {
				this.store.fault((method, path) -> answer(status,
						"Location: " + target.endpoint() + path + "\r\nContent-Length: 0\r\n", ""));
				int requests = this.store.requests();
				assertThat(files(workspace).tryReadFile("a.txt")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
						(failure) -> assertRefused(failure.code(), failure.message()));
				assertThat(this.store.requests()).isEqualTo(requests + 1);
				WorkspaceException failure = catchThrowableOfType(WorkspaceException.class, this::acquire);
				assertRefused(failure.code(), String.valueOf(failure.getMessage()));
			}
			assertThat(other.requests()).isZero();
		}
	}

	private static void assertRefused(WorkspaceErrorCode code, String message) {
		assertThat(code).as(message).isEqualTo(WorkspaceErrorCode.REMOTE_REFUSED);
		assertThat(message).contains("check the bucket, the endpoint, the region");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', textBlock = """
			<ETag>&quot;e1&#10;X-Injected: y&quot;</ETag>, 1, version
			<ETag>&quot;e1&#13;&#10;X-Injected: y&quot;</ETag>, 1, version
			<ETag>&#8364;</ETag>, 1, version
			<ETag></ETag>, 1, version
			``, 1, version
			<ETag>e1</ETag>, -1, size
			<ETag>e1</ETag>, 9223372036854775807, size
			""")
	void objectWithAnImpossibleVersionOrSizeIsLeftOut(String etag, String size, String reason) throws IOException {
		this.listing = OBJECT.formatted("bad.txt", etag, size) + this.listing;
		Workspace workspace = acquire();
		assertThat(files(workspace).tryReadFile("a.txt").value().content()).isEqualTo("a");
		assertThat(this.provider.unusable(workspace.id())).singleElement().satisfies((unusable) -> {
			assertThat(unusable.key()).isEqualTo("bad.txt");
			assertThat(unusable.reason()).contains(reason);
		});
		Files.writeString(workspace.root().resolve("bad.txt"), "written by a command");
		files(workspace).tryWriteFile("new.txt", "new").value();
		SyncReport report = Objects.requireNonNull(workspace.sync()).writeBack().value();
		assertThat(report.changes()).extracting(SyncReport.Change::path).contains("new.txt");
		assertThat(this.written).contains("/bucket/work/new.txt");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 2", "Content-Length: -1", "Content-Length: x",
			"Content-Length: 99999999999999999999", "Content-Length: 9223372036854775807", "X: no length",
			"Transfer-Encoding: chunked" })
	void contentWithAWrongLengthIsNotTaken(String length) {
		Workspace workspace = acquire();
		byte[] honest = this.fetched;
		this.fetched = answer(200, "ETag: \"e1\"\r\n" + length + "\r\n", "a");
		assertThat(files(workspace).tryReadFile("a.txt").isOk()).isFalse();
		this.fetched = honest;
		assertThat(files(workspace).tryReadFile("a.txt").value().content()).isEqualTo("a");
	}

	@Test
	void contentWithoutLengthIsBounded() {
		this.fetched = answer(200, "ETag: \"e1\"\r\n", "x".repeat(2 << 20));
		assertThat(files(acquire()).tryReadFile("a.txt")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.TOO_LARGE));
	}

	@Test
	void writeThatIsAnsweredByAnErrorWithStatus200IsNotTakenForWritten() {
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("first.txt", "first").value();
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().complete()).isTrue();
		files(workspace).tryWriteFile("new.txt", "new").value();
		this.store.fault((method, path) -> method.equals("PUT")
				? Gateway.answer(200, "<Error><Code>InternalError</Code></Error>") : answer(method, path));
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().complete()).isFalse();
		this.store.fault(this::answer);
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().complete()).isTrue();
	}

}
