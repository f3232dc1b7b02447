package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceSync;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.s3.S3Credentials;
import io.kairo.workspace.s3.S3Options;
import io.kairo.workspace.s3.S3WorkspaceProvider;
import io.kairo.workspace.s3.WriteBackMode;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Workspaces from an object store on loopback: opening one beside a listing by the AWS
 * SDK and the creation of as many files, reading a fetched file beside one in a
 * directory, and writing changes back beside writes of the SDK.
 */
final class S3Benchmarks {

	private static final int OBJECTS = 1000;

	/** The default number of concurrent requests of a workspace. */
	private static final int CONCURRENCY = 8;

	private static final AwsCredentialsProvider CREDENTIALS = StaticCredentialsProvider
		.create(AwsBasicCredentials.create("key", "secret"));

	private static final String HINT = "s3://" + SmallObjectStore.BUCKET + "/work";

	private S3Benchmarks() {
	}

	static List<Comparison> comparisons() {
		return List.of(
				new Comparison("acquire, list and release %,d objects, S3".formatted(OBJECTS),
						"listing by the AWS SDK, and as many new files", 2, S3Benchmarks::open),
				new Comparison("read of a fetched file of 10 KB, S3", "the same in a directory", 1.2,
						S3Benchmarks::read),
				new Comparison("read of an object of 10 KB that is not fetched, S3", "`GetObject` of the AWS SDK", 3,
						S3Benchmarks::fetch),
				new Comparison("write back %,d changed files of 10 KB, S3".formatted(OBJECTS),
						"as many `PutObject` of the AWS SDK, 8 at a time", 2, S3Benchmarks::writeBack));
	}

	private static S3WorkspaceProvider provider(Scratch scratch, SmallObjectStore store) throws IOException {
		return scratch.closing(new S3WorkspaceProvider(S3Options.in(scratch.directory("s3"), SmallObjectStore.BUCKET)
			.endpoint(store.endpoint())
			.pathStyle(true)
			.writeBack(WriteBackMode.ON_DEMAND)
			.build(), credentials()));
	}

	private static S3Credentials credentials() {
		return (tenant) -> CREDENTIALS;
	}

	private static S3Client client(Scratch scratch, SmallObjectStore store) {
		return scratch.closing(S3Client.builder()
			.endpointOverride(store.endpoint())
			.region(Region.US_EAST_1)
			.forcePathStyle(true)
			.credentialsProvider(CREDENTIALS)
			.httpClientBuilder(UrlConnectionHttpClient.builder())
			.build());
	}

	private static Sides open(Scratch scratch) throws IOException {
		SmallObjectStore store = scratch.closing(new SmallObjectStore(OBJECTS));
		S3WorkspaceProvider provider = provider(scratch, store);
		S3Client client = client(scratch, store);
		Path plain = scratch.directory("plain");
		return new Sides(Work.of(() -> {
			Workspace workspace = provider.acquire(WorkspaceRequest.writable(HINT));
			int found = files(provider, workspace).listDirectory("", 1).value().entries().size();
			provider.release(workspace.id());
			return found;
		}), Work.of(() -> {
			List<S3Object> found = client
				.listObjectsV2((request) -> request.bucket(SmallObjectStore.BUCKET).prefix("work/").delimiter("/"))
				.contents();
			for (S3Object object : found) {
				Files.createFile(plain.resolve(object.key().substring("work/".length())));
			}
			return found.size();
		}).then((found) -> Commands.countLines("find", plain.toString(), "-type", "f", "-delete")));
	}

	private static Sides read(Scratch scratch) throws IOException {
		SmallObjectStore store = scratch.closing(new SmallObjectStore(10));
		S3WorkspaceProvider provider = provider(scratch, store);
		WorkspaceFiles files = files(provider, provider.acquire(WorkspaceRequest.writable(HINT)));
		Path plain = scratch.directory("plain");
		Files.writeString(plain.resolve("file-1"), SmallObjectStore.CONTENT);
		DiskStore disk = DiskStore.of(plain, scratch.directory("state"));
		return new Sides(Work.of(() -> files.tryReadBytes("file-1").value().length),
				Work.of(() -> disk.files().tryReadBytes("file-1").value().length));
	}

	private static Sides fetch(Scratch scratch) throws IOException {
		SmallObjectStore store = scratch.closing(new SmallObjectStore(1));
		S3WorkspaceProvider provider = provider(scratch, store);
		S3Client client = client(scratch, store);
		Workspace[] open = { provider.acquire(WorkspaceRequest.writable(HINT)) };
		return new Sides(Work.of(() -> files(provider, open[0]).tryReadBytes("file-0").value().length).then((read) -> {
			provider.release(open[0].id());
			open[0] = provider.acquire(WorkspaceRequest.writable(HINT));
			return read;
		}), Work
			.of(() -> client.getObjectAsBytes((request) -> request.bucket(SmallObjectStore.BUCKET).key("work/file-0"))
				.asByteArray().length));
	}

	private static Sides writeBack(Scratch scratch) throws IOException {
		SmallObjectStore store = scratch.closing(new SmallObjectStore(OBJECTS));
		S3WorkspaceProvider provider = provider(scratch, store);
		S3Client client = client(scratch, store);
		ExecutorService threads = Executors.newFixedThreadPool(CONCURRENCY);
		scratch.closing((AutoCloseable) threads::shutdown);
		Workspace workspace = provider.acquire(WorkspaceRequest.writable(HINT));
		WorkspaceSync sync = Objects.requireNonNull(workspace.sync());
		WorkspaceFiles files = files(provider, workspace);
		AtomicInteger change = new AtomicInteger();
		change(files, change);
		return new Sides(Work.of(() -> sync.writeBack().value().changes().size()).then((written) -> {
			change(files, change);
			return written;
		}), Work.of(() -> {
			List<Callable<Object>> puts = IntStream.range(0, OBJECTS)
				.mapToObj((i) -> (Callable<Object>) () -> client.putObject(
						(request) -> request.bucket(SmallObjectStore.BUCKET).key("plain/file-" + i),
						RequestBody.fromString(SmallObjectStore.CONTENT)))
				.toList();
			for (Future<Object> put : threads.invokeAll(puts)) {
				put.get();
			}
			return puts.size();
		}));
	}

	private static void change(WorkspaceFiles files, AtomicInteger change) {
		String content = change.incrementAndGet() + SmallObjectStore.CONTENT;
		for (int i = 0; i < OBJECTS; i++) {
			files.tryWriteFile("file-" + i, content).value();
		}
	}

	private static WorkspaceFiles files(S3WorkspaceProvider provider, Workspace workspace) {
		return provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)).open(workspace);
	}

}
