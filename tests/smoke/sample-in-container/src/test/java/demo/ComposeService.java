package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The service of the sample's compose file, applied to containers of tests, so that what
 * the file says is tried.
 *
 * @param keys the keys of the service
 */
record ComposeService(Map<String, Object> keys) {

	/**
	 * Those that do not describe the container, or that a test replaces since the engine
	 * has no network but that of the host.
	 */
	private static final Set<String> OTHERS = Set.of("image", "build", "ports", "environment", "restart", "volumes",
			"stop_grace_period");

	@SuppressWarnings("unchecked")
	static ComposeService read() throws IOException {
		Map<String, Object> file = new Yaml().load(Files.readString(SampleImage.SAMPLE.resolve("compose.yaml")));
		return new ComposeService(((Map<String, Map<String, Object>>) file.get("services")).get("kairo"));
	}

	/**
	 * Configures a container as the file does. A key that this method does not know is an
	 * error.
	 * @param port the port of the application, instead of 8080
	 */
	void applyTo(CreateContainerCmd command, int port) {
		HostConfig host = command.getHostConfig();
		this.keys.forEach((key, value) -> {
			switch (key) {
				case "user" -> command.withUser((String) value);
				case "read_only" -> host.withReadonlyRootfs((Boolean) value);
				case "cap_drop" -> host.withCapDrop(list(value).stream().map(Capability::valueOf).toArray(Capability[]::new));
				case "security_opt" -> host.withSecurityOpts(list(value));
				case "init" -> host.withInit((Boolean) value);
				case "mem_limit" -> host.withMemory(memory());
				case "memswap_limit" -> host.withMemorySwap(bytes((String) value));
				case "cpus" -> host.withNanoCPUs(cpus() * 1_000_000_000L);
				case "pids_limit" -> host.withPidsLimit(((Integer) value).longValue());
				case "tmpfs" -> host.withTmpFs(tmpfs());
				case "healthcheck" -> command.withHealthcheck(healthCheck(port));
				default -> assertThat(OTHERS).contains(key);
			}
		});
	}

	String user() {
		return (String) this.keys.get("user");
	}

	long memory() {
		return bytes((String) this.keys.get("mem_limit"));
	}

	int cpus() {
		return (Integer) this.keys.get("cpus");
	}

	Duration stopGracePeriod() {
		return duration(this.keys.get("stop_grace_period"));
	}

	/**
	 * Returns the options of each tmpfs by its path.
	 */
	Map<String, String> tmpfs() {
		return list(this.keys.get("tmpfs")).stream()
			.map((mount) -> mount.split(":", 2))
			.collect(Collectors.toMap((mount) -> mount[0], (mount) -> mount[1]));
	}

	/**
	 * Returns the names of volumes by their paths.
	 */
	Map<String, String> volumes() {
		return list(this.keys.get("volumes")).stream()
			.map((volume) -> volume.split(":"))
			.collect(Collectors.toMap((volume) -> volume[1], (volume) -> volume[0]));
	}

	/**
	 * Returns a size such as {@code 64m} in bytes.
	 */
	static long bytes(String size) {
		return DataSize.parse(size.toUpperCase().replaceFirst("[KMGT]$", "$0B")).toBytes();
	}

	@SuppressWarnings("unchecked")
	private HealthCheck healthCheck(int port) {
		Map<String, Object> values = new HashMap<>((Map<String, Object>) this.keys.get("healthcheck"));
		List<String> test = list(values.remove("test")).stream()
			.map((word) -> word.replace("/8080", "/" + port))
			.toList();
		HealthCheck check = new HealthCheck().withTest(test)
			.withTimeout(duration(values.remove("timeout")).toNanos())
			.withStartPeriod(duration(values.remove("start_period")).toNanos())
			.withRetries((Integer) values.remove("retries"));
		assertThat(values.keySet()).containsExactly("interval");
		return check.withInterval(TimeUnit.SECONDS.toNanos(1));
	}

	private static Duration duration(Object value) {
		return DurationStyle.SIMPLE.parse((String) value);
	}

	@SuppressWarnings("unchecked")
	private static List<String> list(Object value) {
		return (List<String>) value;
	}

}
