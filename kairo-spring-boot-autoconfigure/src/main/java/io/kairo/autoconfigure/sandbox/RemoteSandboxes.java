package io.kairo.autoconfigure.sandbox;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.remote.PathMapping;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.RemoteSandboxOptions;
import io.kairo.sandbox.remote.WorkerSelector;
import io.kairo.sandbox.remote.WorkerState;
import io.kairo.sandbox.remote.WorkspaceCopies;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The configured sandboxes of type {@code remote}. Not loaded unless one is configured,
 * since its classes are optional.
 */
final class RemoteSandboxes extends SandboxesOfType<RemoteSandbox> {

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final BeanFactory beans;

	private final RemoteWorkers workers;

	/**
	 * Creates the value.
	 * @param beans the beans that change the options
	 * @param workers receives the sandboxes
	 */
	RemoteSandboxes(Path stateDirectory, Duration shutdownGrace, BeanFactory beans, RemoteWorkers workers) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.beans = beans;
		this.workers = workers;
	}

	@Override
	protected RemoteSandbox create(SandboxProperties properties) {
		RemoteSandboxOptions options = this.beans.getBeanProvider(RemoteSandboxOptionsCustomizer.class)
			.orderedStream()
			.reduce(options(properties), (each, next) -> next.customize(each), (first, last) -> last);
		RemoteSandbox sandbox = new RemoteSandbox(options);
		this.workers.add(sandbox);
		return sandbox;
	}

	/**
	 * {@inheritDoc} A limit of this machine would silently have no effect on another one.
	 */
	@Override
	protected @Nullable Problem unsupported(SandboxProperties properties) {
		List<String> settings = new ArrayList<>();
		SandboxLimitsProperties limits = properties.limits();
		ProcessLimitsProperties perProcess = properties.processLimits();
		if (limits.memory() != null || limits.cpus() != null || limits.pids() != null || limits.fileSize() != null
				|| limits.tmpfsSize() != null) {
			settings.add("kairo.sandbox.limits");
		}
		if (perProcess.addressSpace() != null || perProcess.cpuTime() != null || perProcess.openFiles() != null) {
			settings.add("kairo.sandbox.process-limits");
		}
		if (!properties.networkAllow().isEmpty()) {
			settings.add("kairo.sandbox.network-allow");
		}
		if (!properties.networkAllowInternal().isEmpty()) {
			settings.add("kairo.sandbox.network-allow-internal");
		}
		if (properties.upstreamProxy().url() != null) {
			settings.add("kairo.sandbox.upstream-proxy");
		}
		if (settings.isEmpty()) {
			return null;
		}
		String finding = String.join(" and ", settings) + " would have no effect on the workers of the remote sandbox";
		return new Problem(finding, new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, finding,
				"remove it here, and set it on the workers"));
	}

	@Override
	protected @Nullable Problem test(RemoteSandbox sandbox) {
		List<WorkerState> states = sandbox.connect();
		if (states.stream().anyMatch((state) -> state.status() != WorkerState.Status.DOWN)) {
			return null;
		}
		String finding = states.stream()
			.map((state) -> state.address() + ": " + state.problem())
			.collect(Collectors.joining("; ", "No worker of the remote sandbox can be used: ", ""));
		return new Problem(finding,
				new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, finding,
						"correct that, or kairo.sandbox.remote.workers, .token or .ssl-bundle, or use another sandbox"),
				!sandbox.isRefused());
	}

	@Override
	protected void close(RemoteSandbox sandbox) {
		this.workers.remove(sandbox);
		sandbox.close();
	}

	private RemoteSandboxOptions options(SandboxProperties properties) {
		RemoteProperties remote = properties.remote();
		WorkerSelector configured = (remote.selection() == RemoteProperties.Selection.STICKY) ? WorkerSelector.sticky()
				: WorkerSelector.leastLoaded();
		RemoteSandboxOptions options;
		try {
			String token = StringUtils.hasText(remote.token()) ? remote.token() : null;
			options = RemoteSandboxOptions.of(remote.workers().get(0), token, mappings(remote.pathMappings()))
				.withWorkers(List.copyOf(remote.workers()))
				.withCopies(copies(remote));
		}
		catch (IllegalArgumentException ex) {
			throw RemoteProperties.invalid("workers", remote.workers().stream().map(URI::toString).toList(),
					ex.getMessage());
		}
		options = options.withSelector(this.beans.getBeanProvider(WorkerSelector.class).getIfUnique(() -> configured))
			.withRequired(required(properties))
			.withPatience(remote.patience())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace);
		String bundle = remote.sslBundle();
		if (!StringUtils.hasText(bundle)) {
			return options;
		}
		try {
			return options.withSsl(BundleSslContext.of(this.beans.getBean(SslBundles.class), bundle));
		}
		catch (NoSuchSslBundleException ex) {
			throw RemoteProperties.invalid("ssl-bundle", bundle,
					"there is no such bundle: define it below spring.ssl.bundle");
		}
	}

	/**
	 * Returns what the configuration requires of every worker, also of one that was not
	 * there at the start.
	 */
	private static Set<SandboxCapability> required(SandboxProperties properties) {
		Set<SandboxCapability> required = EnumSet.noneOf(SandboxCapability.class);
		if (properties.requireIsolation()) {
			required.add(SandboxCapability.FILE_CONFINEMENT);
		}
		if (properties.network() == NetworkAccess.NONE) {
			required.add(SandboxCapability.NETWORK_OFF);
		}
		return required;
	}

	private @Nullable WorkspaceCopies copies(RemoteProperties remote) {
		DataSize maxSize = remote.maxCopySize();
		return (maxSize != null) ? new WorkspaceCopies(maxSize.toBytes(), List.of(this.stateDirectory)) : null;
	}

	private static PathMapping[] mappings(List<String> mappings) {
		return mappings.stream().map((mapping) -> {
			int colon = mapping.indexOf(':');
			return new PathMapping(Path.of(mapping.substring(0, colon)), mapping.substring(colon + 1));
		}).toArray(PathMapping[]::new);
	}

}
