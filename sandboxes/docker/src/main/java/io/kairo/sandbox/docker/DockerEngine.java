package io.kairo.sandbox.docker;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.command.ListContainersCmd;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The requests to a Docker engine. Each has a connection of its own that ends with it, so
 * that a restarted engine is found again. Safe for use by several threads.
 */
final class DockerEngine {

	private static final Logger logger = System.getLogger(DockerEngine.class.getName());

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

	private static final int ATTACH_SECONDS = 10;

	private static final int ATTACH_POLLS = 100;

	private static final int PULL_MINUTES = 10;

	/** For the engine to take or to send the next part of an archive. */
	private static final Duration COPY_TIMEOUT = Duration.ofMinutes(2);

	private static final int PIPE_BYTES = 1 << 16;

	private final @Nullable URI host;

	private volatile String version = ApiVersion.OLDEST;

	DockerEngine(DockerOptions options) {
		this.host = options.host();
	}

	/**
	 * Returns the address of the engine.
	 */
	String address() {
		return settings().build().getDockerHost().toString();
	}

	/**
	 * Connects, and settles on a version of the API.
	 * @return the version of the engine
	 * @throws ApiVersion.UnsupportedException if there is none, or the engine is not
	 * Docker
	 */
	String connect() throws ApiVersion.UnsupportedException {
		Version engine = request(null, (client) -> client.versionCmd().exec());
		this.version = ApiVersion.of(engine, address());
		return String.valueOf(engine.getVersion());
	}

	/**
	 * Returns facts about the engine.
	 */
	Info info() {
		return request((client) -> client.infoCmd().exec());
	}

	/**
	 * Returns the time on the machine of the engine.
	 */
	Instant now() {
		return Instant.parse(Objects.requireNonNull(info().getSystemTime(), "the time of the engine"));
	}

	/**
	 * Returns whether memory of sockets is part of a limit of memory, as with control
	 * groups of version 2.
	 */
	boolean countsSockets() {
		return "2".equals(info().getCGroupVersion());
	}

	/**
	 * Returns an image.
	 * @throws NotFoundException if it does not exist
	 */
	InspectImageResponse image(String name) {
		return request((client) -> client.inspectImageCmd(name).exec());
	}

	/**
	 * Returns the directories of this machine that are mounted in a container, by their
	 * mount points. Directories that exist in memory only have an empty path.
	 * @param container the ID of the container
	 * @throws NotFoundException if the engine has no such container
	 */
	Map<Path, Path> mounts(String container) {
		return request((client) -> {
			List<InspectContainerResponse.Mount> mounts = client.inspectContainerCmd(container).exec().getMounts();
			Map<Path, Path> sources = new HashMap<>();
			for (InspectContainerResponse.Mount mount : (mounts != null) ? mounts
					: List.<InspectContainerResponse.Mount>of()) {
				String target = Objects.requireNonNull(mount.getDestination(), "the path of a mount").getPath();
				sources.put(Path.of(target), Path.of(Objects.requireNonNullElse(mount.getSource(), "")));
			}
			return sources;
		});
	}

	/**
	 * Pulls an image, with the credentials that the configuration of Docker has for its
	 * registry.
	 * @param name the name, with the tag {@code latest} if it has neither tag nor digest
	 * @throws RuntimeException if it could not be pulled
	 * @throws InterruptedException if the thread is interrupted
	 */
	void pull(String name) throws InterruptedException {
		boolean complete = name.contains("@") || name.lastIndexOf(':') > name.lastIndexOf('/');
		DockerClient client = client(this.version, null);
		try {
			boolean ended = client.pullImageCmd(complete ? name : name + ":latest")
				.start()
				.awaitCompletion(PULL_MINUTES, TimeUnit.MINUTES);
			if (!ended) {
				throw new IllegalStateException("it took longer than " + PULL_MINUTES + " minutes");
			}
		}
		finally {
			close(client);
		}
	}

	/**
	 * Creates a container.
	 * @param image the digest of the image
	 * @param settings completes the request
	 * @return the ID of the container
	 */
	String create(String image, UnaryOperator<CreateContainerCmd> settings) {
		return request((client) -> settings.apply(client.createContainerCmd(image)).exec().getId());
	}

	void start(String container) {
		request((client) -> client.startContainerCmd(container).exec());
	}

	/**
	 * Connects to the standard streams of a container before it is started. Returns once
	 * they are connected.
	 * @param input the source of its standard input
	 * @param output receives its output
	 * @return closes the connection
	 * @throws InterruptedException if the thread is interrupted
	 */
	Closeable attach(String container, InputStream input, ResultCallback.Adapter<Frame> output)
			throws InterruptedException {
		DockerClient client = client(this.version, null);
		boolean attached = false;
		try {
			client.attachContainerCmd(container)
				.withStdIn(input)
				.withStdOut(true)
				.withStdErr(true)
				.withFollowStream(true)
				.exec(output);
			awaitStarted(output);
			attached = true;
			return () -> {
				output.close();
				client.close();
			};
		}
		finally {
			if (!attached) {
				close(client);
			}
		}
	}

	/**
	 * Waits for a connection. The answer of an engine that refuses it is thrown at once.
	 */
	private static void awaitStarted(ResultCallback.Adapter<Frame> output) throws InterruptedException {
		long pause = TimeUnit.SECONDS.toMillis(ATTACH_SECONDS) / ATTACH_POLLS;
		for (int polls = 1; !output.awaitStarted(pause, TimeUnit.MILLISECONDS); polls++) {
			// throws the answer
			output.awaitCompletion(0, TimeUnit.SECONDS);
			if (polls == ATTACH_POLLS) {
				throw new IllegalStateException(
						"The engine did not connect to a container in " + ATTACH_SECONDS + " s");
			}
		}
	}

	/**
	 * Kills and removes a container.
	 * @param volumes whether its anonymous volumes are removed as well, unless another
	 * container uses them
	 * @return whether it is gone; false if it is still being removed
	 */
	boolean remove(String container, boolean volumes) {
		try {
			request((client) -> client.removeContainerCmd(container).withForce(true).withRemoveVolumes(volumes).exec());
			return true;
		}
		catch (NotFoundException ex) {
			logger.log(Level.TRACE, "The container is gone", ex);
			return true;
		}
		catch (ConflictException ex) {
			logger.log(Level.TRACE, "The container is being removed", ex);
			return false;
		}
	}

	/**
	 * Extracts an archive in a container, at its root.
	 * @param archive writes the archive, on another thread
	 * @throws IOException if the archive could not be written
	 */
	void upload(String container, ArchiveWriter archive) throws IOException {
		try (PipedInputStream input = new PipedInputStream(PIPE_BYTES)) {
			PipedOutputStream output = new PipedOutputStream(input);
			CompletableFuture<@Nullable IOException> written = new CompletableFuture<>();
			DaemonThreads.start("kairo-container-upload", () -> written.complete(write(archive, output)));
			DockerClient client = client(this.version, COPY_TIMEOUT);
			try {
				client.copyArchiveToContainerCmd(container)
					.withRemotePath("/")
					.withCopyUIDGID(true)
					.withTarInputStream(input)
					.exec();
			}
			finally {
				close(client);
				input.close();
			}
			IOException failure = written.join();
			if (failure != null) {
				throw failure;
			}
		}
	}

	private static @Nullable IOException write(ArchiveWriter archive, OutputStream output) {
		try (OutputStream buffered = new BufferedOutputStream(output, PIPE_BYTES)) {
			archive.write(buffered);
			return null;
		}
		catch (IOException ex) {
			return ex;
		}
		catch (RuntimeException ex) {
			return new IOException(ex);
		}
	}

	/**
	 * Reads an archive of a directory of a container.
	 * @param path the path of the directory; its name is the first one in the archive
	 * @throws IOException if the reader does
	 */
	void download(String container, Path path, ArchiveReader reader) throws IOException {
		DockerClient client = client(this.version, COPY_TIMEOUT);
		try {
			reader.read(client.copyArchiveFromContainerCmd(container, path.toString()).exec());
		}
		finally {
			// ends the stream: closing that alone would read the rest of it
			close(client);
		}
	}

	/**
	 * Returns the containers with a label.
	 * @param states the states of the containers to return; empty for any
	 */
	List<Container> containers(String label, List<String> states) {
		return request((client) -> {
			ListContainersCmd list = client.listContainersCmd().withShowAll(true).withLabelFilter(List.of(label));
			return (states.isEmpty() ? list : list.withStatusFilter(states)).exec();
		});
	}

	/**
	 * Returns the volumes with a label that no container has.
	 */
	List<InspectVolumeResponse> unusedVolumes(String label) {
		return request((client) -> {
			List<InspectVolumeResponse> volumes = client.listVolumesCmd()
				.withDanglingFilter(true)
				.withFilter("label", List.of(label))
				.exec()
				.getVolumes();
			return (volumes != null) ? volumes : List.of();
		});
	}

	/**
	 * Removes a volume, unless a container uses it.
	 * @return whether it was removed
	 */
	boolean removeVolume(String name) {
		try {
			request((client) -> client.removeVolumeCmd(name).exec());
			return true;
		}
		catch (NotFoundException | ConflictException ex) {
			logger.log(Level.TRACE, "The volume is gone, or in use", ex);
			return false;
		}
	}

	private <T> T request(Function<DockerClient, T> request) {
		return request(this.version, request);
	}

	/**
	 * Makes a request.
	 * @param version the version of the API; null for the default of the engine
	 */
	private <T> T request(@Nullable String version, Function<DockerClient, T> request) {
		DockerClient client = client(version, RESPONSE_TIMEOUT);
		try {
			return request.apply(client);
		}
		finally {
			close(client);
		}
	}

	private static void close(DockerClient client) {
		try {
			client.close();
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A connection to the engine could not be closed", ex);
		}
	}

	/**
	 * Creates a client.
	 * @param timeout maximum time for an answer of the engine; null for none, for streams
	 */
	private DockerClient client(@Nullable String version, @Nullable Duration timeout) {
		DefaultDockerClientConfig.Builder settings = settings();
		DockerClientConfig config = ((version != null) ? settings.withApiVersion(version) : settings).build();
		ZerodepDockerHttpClient.Builder transport = new ZerodepDockerHttpClient.Builder()
			.dockerHost(config.getDockerHost())
			.sslConfig(config.getSSLConfig())
			.connectionTimeout(CONNECT_TIMEOUT);
		if (timeout != null) {
			transport.responseTimeout(timeout);
		}
		return DockerClientImpl.getInstance(config, transport.build());
	}

	private DefaultDockerClientConfig.Builder settings() {
		DefaultDockerClientConfig.Builder settings = DefaultDockerClientConfig.createDefaultConfigBuilder();
		return (this.host != null) ? settings.withDockerHost(this.host.toString()) : settings;
	}

	/**
	 * Writes an archive.
	 */
	interface ArchiveWriter {

		void write(OutputStream output) throws IOException;

	}

	/**
	 * Reads an archive.
	 */
	interface ArchiveReader {

		void read(InputStream archive) throws IOException;

	}

}
