package io.kairo.sandbox.docker;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.ProjectContract;

/**
 * Builds small projects by commands in a {@link DockerSandbox}. The system property
 * {@code kairo.docker.image} names an image with more programs, such as
 * {@code test-image NAME gcc libc6-dev make npm} makes.
 */
@RequiresDocker
class DockerProjectTests extends ProjectContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		return TestContainers
			.sandbox(TestContainers.options(System.getProperty("kairo.docker.image", TestContainers.IMAGE)));
	}

}
