package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The compose file and the Kubernetes manifest of the sample harden it alike.
 */
class DeploymentFilesTests {

	private ComposeService compose;

	private Map<String, Object> deployment;

	private Map<String, Object> policy;

	private Map<String, Object> pod;

	private Map<String, Object> container;

	@BeforeEach
	void read() throws IOException {
		this.compose = ComposeService.read();
		List<Map<String, Object>> documents = new ArrayList<>();
		for (Object document : new Yaml().loadAll(Files.readString(SampleImage.SAMPLE.resolve("kubernetes.yaml")))) {
			documents.add(map(document));
		}
		assertThat(documents).extracting((document) -> document.get("kind")).containsExactly("Deployment", "NetworkPolicy");
		this.deployment = documents.get(0);
		this.policy = documents.get(1);
		this.pod = map(get(this.deployment, "spec", "template", "spec"));
		this.container = map(((List<?>) this.pod.get("containers")).get(0));
	}

	@Test
	void bothRunAsTheSameOrdinaryUser() {
		Map<String, Object> security = map(this.pod.get("securityContext"));
		assertThat(this.compose.user()).isEqualTo(security.get("runAsUser") + ":" + security.get("runAsGroup"))
			.isNotEqualTo("0:0");
		assertThat(security).containsEntry("runAsNonRoot", true)
			.containsEntry("fsGroup", security.get("runAsGroup"))
			.containsEntry("seccompProfile", Map.of("type", "RuntimeDefault"));
	}

	@Test
	void bothTakeRightsAway() {
		assertThat(this.compose.keys()).containsEntry("read_only", true)
			.containsEntry("cap_drop", List.of("ALL"))
			.containsEntry("security_opt", List.of("no-new-privileges:true"))
			.doesNotContainKeys("privileged", "cap_add", "network_mode", "pid", "ipc");
		assertThat(map(this.container.get("securityContext")))
			.isEqualTo(Map.of("readOnlyRootFilesystem", true, "capabilities", Map.of("drop", List.of("ALL")),
					"allowPrivilegeEscalation", false));
		assertThat(this.pod).containsEntry("automountServiceAccountToken", false)
			.containsEntry("enableServiceLinks", false)
			.doesNotContainKeys("hostNetwork", "hostPID", "hostIPC");
	}

	@Test
	void bothAdoptOrphans() {
		assertThat(this.compose.keys()).containsEntry("init", true);
		assertThat(this.pod).containsEntry("shareProcessNamespace", true);
	}

	@Test
	void bothHaveTheSameLimits() {
		Map<String, Object> limits = map(get(this.container, "resources", "limits"));
		assertThat(quantity(limits.get("memory"))).isEqualTo(this.compose.memory());
		assertThat(this.compose.keys()).containsEntry("memswap_limit", this.compose.keys().get("mem_limit"))
			.containsKey("pids_limit");
		assertThat(limits).containsEntry("cpu", String.valueOf(this.compose.cpus()));
		assertThat(Duration.ofSeconds((Integer) this.pod.get("terminationGracePeriodSeconds")))
			.isEqualTo(this.compose.stopGracePeriod())
			.isGreaterThan(Duration.ofSeconds(30));
	}

	@Test
	void bothWriteToTheSameDirectoriesOnly() {
		Map<String, Map<String, Object>> volumes = new HashMap<>();
		for (Object volume : (List<?>) this.pod.get("volumes")) {
			volumes.put((String) map(volume).get("name"), map(map(volume).get("emptyDir")));
		}
		assertThat(volumes.values()).allSatisfy((volume) -> assertThat(volume).containsKey("sizeLimit"));
		Map<String, Map<String, Object>> mounts = new HashMap<>();
		for (Object mount : (List<?>) this.container.get("volumeMounts")) {
			mounts.put((String) map(mount).get("mountPath"), volumes.get(map(mount).get("name")));
		}
		Map<String, String> tmpfs = this.compose.tmpfs();
		tmpfs.forEach((path, options) -> {
			assertThat(mounts.get(path)).containsEntry("medium", "Memory");
			assertThat(options).startsWith("size=" + quantity(mounts.get(path).get("sizeLimit")) / (1 << 20) + "m,");
		});
		List<String> paths = new ArrayList<>(tmpfs.keySet());
		paths.addAll(this.compose.volumes().keySet());
		assertThat(mounts.keySet()).containsExactlyInAnyOrderElementsOf(paths);
	}

	@Test
	void neitherOffersToolsToOtherMachines() {
		assertThat((List<?>) this.compose.keys().get("ports")).singleElement().asString().startsWith("127.0.0.1:");
		assertThat((List<?>) this.container.get("env")).extracting(DeploymentFilesTests::map)
			.contains(Map.of("name", "SERVER_ADDRESS", "value", "127.0.0.1"));
		assertThat((List<?>) this.container.get("ports")).extracting((port) -> map(port).get("name"))
			.containsExactly("management");
		assertThat(map(this.policy.get("spec"))).isEqualTo(Map.of("podSelector",
				get(this.deployment, "spec", "selector"), "policyTypes", List.of("Ingress", "Egress")));
	}

	/**
	 * Returns a quantity of Kubernetes, such as {@code 1Gi}, in bytes.
	 */
	private static long quantity(Object value) {
		return ComposeService.bytes(((String) value).replaceFirst("i$", ""));
	}

	private static Object get(Map<String, Object> map, String... keys) {
		Object value = map;
		for (String key : keys) {
			value = map(value).get(key);
		}
		return value;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Object value) {
		assertThat(value).isInstanceOf(Map.class);
		return (Map<String, Object>) value;
	}

}
