package io.kairo.sandbox.docker;

import java.util.Arrays;
import java.util.List;

import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.api.model.VersionComponent;

/**
 * The version of the API that this backend and an engine speak.
 */
final class ApiVersion {

	/** Engine 20.10, the first one with private namespaces for control groups. */
	static final String OLDEST = "1.41";

	/** The newest version that this backend was tried with. */
	private static final String NEWEST = "1.51";

	private ApiVersion() {
	}

	/**
	 * Returns the newest version that both speak.
	 * @param engine what the engine says about itself
	 * @param address its address
	 * @throws UnsupportedException if there is none, or the engine is not Docker
	 */
	static String of(Version engine, String address) throws UnsupportedException {
		if (isPodman(engine)) {
			throw new UnsupportedException("the engine at " + address + " is Podman " + engine.getVersion()
					+ ", whose containers confine commands less than those of Docker do");
		}
		String newest = String.valueOf(engine.getApiVersion());
		String oldest = (engine.getMinAPIVersion() != null) ? engine.getMinAPIVersion() : newest;
		if (compare(newest, OLDEST) < 0 || compare(oldest, NEWEST) > 0) {
			throw new UnsupportedException("the engine " + engine.getVersion() + " speaks versions " + oldest + " to "
					+ newest + " of the API, this sandbox " + OLDEST + " to " + NEWEST);
		}
		return (compare(newest, NEWEST) < 0) ? newest : NEWEST;
	}

	/**
	 * Returns whether an engine is Podman. Podman speaks the API of Docker, but does not
	 * confine containers as Docker does: it lets commands create namespaces, and ignores
	 * limits without an error.
	 */
	private static boolean isPodman(Version engine) {
		List<VersionComponent> components = engine.getComponents();
		return components != null
				&& components.stream().anyMatch((component) -> "Podman Engine".equals(component.getName()));
	}

	/**
	 * Compares versions such as 1.9 and 1.41.
	 */
	private static int compare(String one, String other) {
		return Arrays.compare(numbers(one), numbers(other));
	}

	private static int[] numbers(String version) {
		return Arrays.stream(version.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
	}

	/**
	 * Thrown if the engine speaks no version of the API that this backend speaks, or is
	 * not Docker.
	 */
	static final class UnsupportedException extends Exception {

		private static final long serialVersionUID = 1L;

		UnsupportedException(String message) {
			super(message);
		}

	}

}
