package io.kairo.sandbox.docker;

import java.util.List;
import java.util.Map;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.RuntimeInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link MountProof}.
 */
class MountProofTests {

	private static final List<String> PLANNED = List.of("254:0 /srv/a\\040b /workspace", "/ /workspace/hidden");

	/**
	 * Returns what an engine reports that has a single runtime.
	 */
	private static Info info(String name, String path) {
		RuntimeInfo runtime = new RuntimeInfo();
		runtime.setPath(path);
		return new EngineInfo(name).withRuntimes(Map.of(name, runtime));
	}

	@Test
	void runtimeIsRecognisedByItsName() {
		assertThat(MountProof.of("runsc-kvm", info("runsc-kvm", ""))).isEqualTo(MountProof.GOFER);
		assertThat(MountProof.of("runc", info("runc", "runc"))).isEqualTo(MountProof.TABLE);
	}

	@Test
	void runtimeIsRecognisedByItsPath() {
		assertThat(MountProof.of("safe", info("safe", "/usr/local/bin/runsc"))).isEqualTo(MountProof.GOFER);
	}

	@Test
	void defaultRuntimeIsThatOfTheEngine() {
		assertThat(MountProof.of(null, info("runsc", ""))).isEqualTo(MountProof.GOFER);
		assertThat(MountProof.of(null, info("safe", "/usr/bin/runsc"))).isEqualTo(MountProof.GOFER);
		assertThat(MountProof.of(null, info("runc", "runc"))).isEqualTo(MountProof.TABLE);
		assertThat(MountProof.of(null, new Info())).isEqualTo(MountProof.TABLE);
	}

	@Test
	void tableProvesEverythingInTheContainer() {
		assertThat(MountProof.TABLE.inContainer(PLANNED)).isEqualTo(PLANNED);
		assertThat(MountProof.TABLE.onHost(PLANNED)).isEmpty();
	}

	@Test
	void goferProvesDirectoriesOfTheHost() {
		assertThat(MountProof.GOFER.inContainer(PLANNED)).containsExactly("/ /workspace", "/ /workspace/hidden");
		assertThat(MountProof.GOFER.onHost(PLANNED)).containsExactly("254:0 /srv/a\\040b /workspace");
	}

	/**
	 * The answer of an engine with a default runtime.
	 */
	private static final class EngineInfo extends Info {

		private static final long serialVersionUID = 1L;

		private final String defaultRuntime;

		EngineInfo(String defaultRuntime) {
			this.defaultRuntime = defaultRuntime;
		}

		@Override
		public Map<String, Object> getRawValues() {
			return Map.of("DefaultRuntime", this.defaultRuntime);
		}

	}

}
