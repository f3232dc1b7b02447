package io.kairo.sandbox.docker;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * The containers of the tests.
 */
final class TestContainers {

	static final String IMAGE = "kairo-test-image:latest";

	static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final Map<List<Object>, DockerCheck> CHECKS = new ConcurrentHashMap<>();

	private TestContainers() {
	}

	private static DockerCheck check(DockerOptions options) {
		try (DockerSandbox sandbox = new DockerSandbox(
				options(options.image()).with((changes) -> changes.workspaces(options.workspaces())
					.maxCopyBytes(options.maxCopyBytes())
					.runtime(options.runtime())
					.commands((commands) -> commands.limits(options.commands().limits()))))) {
			BackendProblem problem = sandbox.problem();
			if (problem != null) {
				throw problem.toException();
			}
			return sandbox.check();
		}
	}

	static boolean isRoot() {
		return Objects.requireNonNull(HostUser.current()).uid() == 0;
	}

	static DockerOptions options() {
		return options(IMAGE);
	}

	static DockerOptions options(String image) {
		DockerOptions options = DockerOptions.of(image);
		return isRoot() ? options.with((changes) -> changes.commands((commands) -> commands.runAs(NOBODY))) : options;
	}

	/**
	 * Returns a sandbox that gives the directories of requests to the user that commands
	 * run as. The self-test is run once for all sandboxes with the same image, runtime,
	 * use of workspaces and limits.
	 */
	static ExecutionSandbox sandbox(DockerOptions options) {
		return sandbox(options, null);
	}

	/**
	 * Returns a sandbox whose commands reach a proxy.
	 */
	static ExecutionSandbox sandbox(DockerOptions options, @Nullable AllowListProxy proxy) {
		List<Object> kind = List.of(options.image(), String.valueOf(options.runtime()), options.workspaces(),
				options.commands().limits());
		DockerSandbox sandbox = new DockerSandbox(options, proxy,
				CHECKS.computeIfAbsent(kind, (key) -> check(options)));
		return isRoot() ? new AccessGrantingSandbox(sandbox, NOBODY.uid()) : sandbox;
	}

}
