package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.github.dockerjava.api.exception.NotFoundException;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.Shell;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands in containers of a Docker engine: with the root file
 * system of an image, read-only, the workspace and its mounts, without capabilities, and
 * without network or with the hosts of an allow-list. Each container serves one command
 * at a time; it is used again for the next command of the same tenant, session and
 * directories. An engine that does not see the files of this machine gets copies of the
 * directories, for one command each, and the changes of a command are copied back before
 * its exit is emitted. A start blocks while a container is created, usually for less than
 * a second, unless an idle one can be used.
 * <p>
 * If the engine or the image cannot be used, every request is refused, and
 * {@link #problem()} returns the reason. Safe for use by several threads. A new sandbox
 * holds no thread, no file and no connection. Containers end with the JVM, even if that
 * is killed; {@link #close()} removes them.
 */
public final class DockerSandbox extends BackendSandbox {

	private final DockerOptions options;

	private final PrivateDirectory directory;

	private final CommandRunner runner;

	private final Containers containers;

	private final SessionVolumes volumes;

	private final CacheMounts caches;

	private final ContainerLaunch launch;

	private final ContainerSweep sweep;

	private final DockerCheck check;

	private final ContainerEnvironment environment;

	/**
	 * Creates a sandbox.
	 * @param options the options
	 */
	public DockerSandbox(DockerOptions options) {
		this(options, options.commands().newProxy(), null);
	}

	/**
	 * Creates a sandbox.
	 * @param proxy the proxy to the hosts of an allow-list, null if there is none
	 * @param check the check of the engine and the image; null for one of its own
	 */
	DockerSandbox(DockerOptions options, @Nullable AllowListProxy proxy, @Nullable DockerCheck check) {
		this.options = options;
		this.directory = new PrivateDirectory(options.commands().directory());
		this.runner = new CommandRunner(this.directory, null, options.commands().shutdownGrace());
		DockerEngine engine = new DockerEngine(options);
		ContainerFactory factory = new ContainerFactory(engine, options, UUID.randomUUID().toString(), proxy != null);
		this.volumes = factory.volumes();
		this.sweep = new ContainerSweep(engine);
		this.containers = new Containers(options, this.sweep::runIfDue);
		this.caches = new CacheMounts(options.commands().caches(), "docker", options.commands().runAs(),
				Path.of(ContainerFactory.HOME), options.idleTimeout());
		this.launch = new ContainerLaunch(options, this.directory, this.containers, factory, proxy, this.caches);
		this.environment = new ContainerEnvironment(new EnvironmentAllowList(options.commands().inheritEnv()), proxy);
		this.check = (check != null) ? check : new DockerCheck(options, engine,
				new ContainerSelfTest(options, factory, this.directory, proxy != null));
	}

	DockerCheck check() {
		return this.check;
	}

	/**
	 * Returns the problem that prevents the use of the engine. The first call pulls a
	 * missing image if the options say so, and runs a self-test in a container. The pull
	 * may take up to ten minutes, the self-test takes about a second.
	 * @return the problem, or null if the engine and the image can be used
	 */
	@Override
	public @Nullable BackendProblem problem() {
		BackendProblem problem = this.check.problemAfterPull();
		if (problem == null) {
			this.sweep.runIfDue();
		}
		return problem;
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		return this.runner.run(request, (log) -> {
			DockerImage image = this.check.image();
			this.sweep.runIfDue();
			Map<String, String> variables = this.environment.variables(System.getenv(), image, request);
			log.omit(JavaOptions.notice(variables));
			// not by the engine: its limits would apply to the launcher as well
			List<String> command = Shell.posix(image.shell())
				.arguments(request, ContainerFactory.REPORT, this.options.commands().limits().perProcess().prelude());
			try {
				return this.launch.start(image, request, EnvironmentAllowList.entries(variables), command, log);
			}
			catch (SandboxException ex) {
				if (ex.getCause() instanceof NotFoundException) {
					this.check.forget(image);
					// explains the missing image
					this.check.image();
				}
				throw ex;
			}
		});
	}

	@Override
	public SandboxCapabilities capabilities() {
		return DockerCapabilities.of(this.check.problem(), this.check.limits(), this.check.boundedSockets(),
				this.check.gaps(), this.check.copied(), this.environment.proxy() != null);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		boolean shared = this.options.maxIdle() > 0 && this.check.problem() == null && !this.check.copied();
		return shared ? this.volumes.targets() : List.of();
	}

	/**
	 * Ends all commands, and removes all containers. Waits some seconds for that.
	 */
	@Override
	public void close() {
		this.runner.close();
		this.containers.close();
		this.caches.close();
	}

}
