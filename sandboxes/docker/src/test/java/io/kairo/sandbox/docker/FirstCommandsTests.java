package io.kairo.sandbox.docker;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the networks of the containers of commands that start at once, with an engine
 * that takes its time.
 */
@Timeout(60)
class FirstCommandsTests {

	@TempDir
	Path temp;

	private SlowEngine engine;

	private PrivateDirectory directory;

	private Containers containers;

	private ContainerLaunch launch;

	@BeforeEach
	void open() throws IOException {
		this.engine = new SlowEngine();
		DockerOptions options = DockerOptions.of("agents")
			.with((changes) -> changes.host(this.engine.address())
				.commands((commands) -> commands.runAs(new HostUser(65534, 65534))));
		this.directory = new PrivateDirectory(this.temp);
		this.containers = new Containers(options, () -> {
		});
		ContainerFactory factory = new ContainerFactory(new DockerEngine(options), options, "sandbox", false);
		this.launch = new ContainerLaunch(options, this.directory, this.containers, factory, null,
				new CacheMounts(null, "docker", null, Path.of(ContainerFactory.HOME), Duration.ofSeconds(1)));
	}

	@AfterEach
	void close() throws IOException {
		this.containers.close();
		this.directory.close();
		this.engine.close();
	}

	private RunningCommand start(String session) {
		SandboxRequest request = new SandboxRequest.Builder("true", this.temp)
			.attributes(SandboxAttributes.builder().sessionId(session).build())
			.build();
		DockerImage image = new DockerImage("agents", Map.of(), "sh", false, MountProof.TABLE,
				new CommandLimits(null, null, null, null), Map.of());
		return this.launch.start(image, request, List.of(), List.of("true"), new OutputLog(1, 0, this.directory));
	}

	private List<RunningCommand> startAtOnce(String... sessions) {
		List<CompletableFuture<RunningCommand>> starts = new ArrayList<>();
		for (String session : sessions) {
			starts.add(CompletableFuture.supplyAsync(() -> start(session), (task) -> new Thread(task).start()));
		}
		return starts.stream().map(CompletableFuture::join).toList();
	}

	@Test
	void firstCommandsOfASessionShareANetworkThoughTheyStartAtOnce() {
		assertThat(startAtOnce("one", "one", "one")).hasSize(3);
		assertThat(this.engine.networks).containsExactly("none", "container:c1", "container:c1");
	}

	@Test
	void firstCommandsOfOtherSessionsDoNotWaitForEachOther() {
		this.engine.expected = new CountDownLatch(2);
		startAtOnce("one", "two");
		assertThat(this.engine.expected.getCount()).as("containers that were not created at once").isZero();
		assertThat(this.engine.networks).containsExactly("none", "none");
	}

	@Test
	void nextCommandHasANetworkIfTheFirstOneCouldNotBeStarted() {
		this.engine.refused = 1;
		List<CompletableFuture<RunningCommand>> starts = IntStream.range(0, 3)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> start("one"), (task) -> new Thread(task).start()))
			.toList();
		assertThat(starts).map((start) -> start.handle((running, ex) -> (ex != null) ? ex.getCause() : null).join())
			.filteredOn(Objects::nonNull)
			.singleElement()
			.isInstanceOf(SandboxException.class);
		assertThat(this.engine.networks).containsExactly("none", "none", "container:c2");
	}

	/**
	 * An engine whose containers run a launcher that starts each command.
	 */
	private static final class SlowEngine implements AutoCloseable {

		private static final Pattern NETWORK = Pattern.compile("\"NetworkMode\":\"([^\"]*)\"");

		private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

		private static final byte[] STARTED = { 1, 0, 0, 0, 0, 0, 0, 5, 'S', 0, 0, 0, 0 };

		private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();

		final List<String> networks = new CopyOnWriteArrayList<>();

		/** The containers that have to be created at once; nobody waits for more. */
		volatile CountDownLatch expected = new CountDownLatch(3);

		/** The number of containers that are not created. */
		volatile int refused;

		SlowEngine() throws IOException {
			run(() -> {
				while (true) {
					Socket socket = this.server.accept();
					this.open.add(socket);
					run(() -> serve(socket));
				}
			});
		}

		URI address() {
			return URI.create("tcp://127.0.0.1:" + this.server.getLocalPort());
		}

		private static void run(Task task) {
			Thread thread = new Thread(() -> {
				try {
					task.run();
				}
				catch (IOException | InterruptedException ex) {
					// the test has ended, or a connection
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

		private void serve(Socket socket) throws IOException, InterruptedException {
			DataInputStream input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
			OutputStream output = socket.getOutputStream();
			while (true) {
				String head = head(input);
				if (head.contains("/attach")) {
					answer(output, "101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp", null);
					startCommands(input, output);
					return;
				}
				Matcher length = LENGTH.matcher(head);
				String body = length.find()
						? new String(input.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8) : "";
				if (!head.contains("/containers/create")) {
					answer(output, head.startsWith("GET") ? "404 Not Found" : "204 No Content",
							head.startsWith("GET") ? "{\"message\":\"none\"}" : null);
					continue;
				}
				int number = create(body);
				this.expected.countDown();
				this.expected.await(500, TimeUnit.MILLISECONDS);
				answer(output, (number > this.refused) ? "201 Created" : "500 Internal Server Error",
						"{\"Id\":\"c" + number + "\",\"message\":\"refused\"}");
			}
		}

		private synchronized int create(String body) {
			Matcher network = NETWORK.matcher(body);
			this.networks.add(network.find() ? network.group(1) : "");
			return this.networks.size();
		}

		private static String head(DataInputStream input) throws IOException {
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") < 0) {
				head.append((char) input.readUnsignedByte());
			}
			return head.toString();
		}

		private static void answer(OutputStream output, String status, String body) throws IOException {
			String length = (body != null) ? "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
					: "";
			output.write(("HTTP/1.1 " + status + length + "\r\n\r\n" + ((body != null) ? body : ""))
				.getBytes(StandardCharsets.UTF_8));
			output.flush();
		}

		private static void startCommands(DataInputStream input, OutputStream output) throws IOException {
			while (true) {
				int letter = input.read();
				if (letter < 0) {
					throw new EOFException();
				}
				input.skipNBytes(input.readInt());
				if (letter == 'R') {
					output.write(STARTED);
					output.flush();
				}
			}
		}

		@Override
		public void close() throws IOException {
			this.server.close();
			for (Socket socket : this.open) {
				socket.close();
			}
		}

		@FunctionalInterface
		private interface Task {

			void run() throws IOException, InterruptedException;

		}

	}

}
