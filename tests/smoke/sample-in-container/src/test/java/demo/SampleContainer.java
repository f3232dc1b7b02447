package demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sample application in a container that the compose file describes. It shares the
 * network of the host, where it listens on a free port of the loopback interface.
 */
final class SampleContainer extends GenericContainer<SampleContainer> {

	private final int port = freePort();

	private final String volumes = "kairo-smoke-" + UUID.randomUUID();

	private final ComposeService service;

	private SampleContainer(ComposeService service) {
		super(SampleImage.NAME);
		this.service = service;
	}

	/**
	 * Creates a container that is not started.
	 * @param environment further environment variables
	 */
	static SampleContainer of(Map<String, String> environment) throws IOException {
		SampleContainer container = new SampleContainer(ComposeService.read());
		return container.withNetworkMode("host")
			.withEnv("SERVER_PORT", String.valueOf(container.port))
			.withEnv(environment)
			.withCreateContainerCmdModifier((command) -> {
				container.service.applyTo(command, container.port);
				command.getHostConfig().withBinds(container.binds());
			})
			.waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(3)));
	}

	/**
	 * Adds the options {@code --security-opt seccomp=unconfined --security-opt
	 * systempaths=unconfined}, as the command line of Docker spells them.
	 */
	SampleContainer allowNamespaces() {
		return withCreateContainerCmdModifier((command) -> {
			List<String> options = new ArrayList<>(command.getHostConfig().getSecurityOpts());
			options.add("seccomp=unconfined");
			HostConfig unmasked = new UnmaskedHostConfig();
			unmasked.withNetworkMode("host");
			this.service.applyTo(command.withHostConfig(unmasked), this.port);
			unmasked.withBinds(binds()).withSecurityOpts(options);
		});
	}

	private List<Bind> binds() {
		return this.service.volumes()
			.entrySet()
			.stream()
			.map((volume) -> new Bind(this.volumes + "-" + volume.getValue(), new Volume(volume.getKey())))
			.toList();
	}

	AgentClient connect() {
		return AgentClient.connect(url());
	}

	/**
	 * Returns the health of the sandbox, with its details.
	 */
	JsonNode sandboxHealth() throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/actuator/health")).build();
		String health = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
		return JsonMapper.shared().readTree(health).at("/components/kairoSandbox");
	}

	private String url() {
		return "http://127.0.0.1:" + this.port;
	}

	/**
	 * Stops the application as the engine does on behalf of the compose file, and keeps
	 * its volumes.
	 * @return its exit code
	 */
	long stopInTime() {
		getDockerClient().stopContainerCmd(getContainerId())
			.withTimeout((int) this.service.stopGracePeriod().toSeconds())
			.exec();
		return getDockerClient().inspectContainerCmd(getContainerId()).exec().getState().getExitCodeLong();
	}

	/**
	 * Starts the application again, in the same container.
	 */
	void startAgain() {
		getDockerClient().startContainerCmd(getContainerId()).exec();
		waitUntilContainerStarted();
	}

	@Override
	public void close() {
		super.close();
		DockerClient docker = getDockerClient();
		List<String> existing = docker.listVolumesCmd().exec().getVolumes().stream().map(InspectVolumeResponse::getName).toList();
		binds().stream().map(Bind::getPath).filter(existing::contains).forEach((name) -> docker.removeVolumeCmd(name).exec());
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
