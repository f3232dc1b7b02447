package io.kairo.sandbox.remote.autoconfigure;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.boot.BundleSslContext;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.remote.PathMapping;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.RemoteSandboxOptions;
import io.kairo.sandbox.remote.WorkerSelector;
import io.kairo.sandbox.remote.WorkspaceCopies;
import io.kairo.sandbox.support.ProcessLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Creates the sandboxes of type {@code remote}.
 *
 * @param properties the configuration
 * @param isolated whether workers must confine commands
 * @param customizers the customizers of the options
 * @param workers receives the sandboxes
 * @param beans contains a selector and the SSL bundles
 */
record RemoteDriver(RemoteProperties properties, boolean isolated,
		ObjectProvider<SandboxCustomizer<RemoteSandboxOptions.Builder>> customizers, RemoteWorkers workers,
		BeanFactory beans) implements SandboxDriver {

	@Override
	public String type() {
		return "remote";
	}

	@Override
	public @Nullable String missing() {
		return this.properties.workers().isEmpty()
				? "kairo.sandbox.remote.workers; set it to the addresses of the workers, such as https://worker:8460"
				: null;
	}

	/**
	 * {@inheritDoc} A limit of this machine would silently have no effect on another one.
	 */
	@Override
	public @Nullable BackendProblem unsupported(CommandSettings settings) {
		List<String> without = new ArrayList<>();
		if (!settings.limits().set().isEmpty() || settings.tmpfsBytes() != null) {
			without.add("kairo.sandbox.limits");
		}
		if (!settings.limits().perProcess().equals(ProcessLimits.NONE)) {
			without.add("kairo.sandbox.process-limits");
		}
		if (settings.allowList() != null) {
			without.add("the hosts of kairo.sandbox.network-allow, kairo.sandbox.network-allow-internal and "
					+ "kairo.sandbox.upstream-proxy");
		}
		return without.isEmpty() ? null
				: new BackendProblem("The remote sandbox", "unsupported",
						String.join(" and ", without) + " would have no effect on the workers",
						"remove it here, and set it on the workers");
	}

	@Override
	public BackendSandbox create(CommandSettings settings) {
		RemoteSandbox sandbox = new RemoteSandbox(options(settings).with(
				(options) -> this.customizers.orderedStream().forEach((customizer) -> customizer.customize(options))));
		this.workers.add(sandbox);
		return sandbox;
	}

	private RemoteSandboxOptions options(CommandSettings settings) {
		RemoteProperties remote = this.properties;
		WorkerSelector configured = (remote.selection() == RemoteProperties.Selection.STICKY) ? WorkerSelector.sticky()
				: WorkerSelector.leastLoaded();
		RemoteSandboxOptions addressed;
		try {
			String token = StringUtils.hasText(remote.token()) ? remote.token() : null;
			addressed = RemoteSandboxOptions.of(remote.workers().get(0), token, mappings(remote.pathMappings()))
				.with((options) -> options.workers(List.copyOf(remote.workers()))
					.copies(copies(settings.hiddenPaths())));
		}
		catch (IllegalArgumentException ex) {
			throw RemoteProperties.invalid("workers", remote.workers().stream().map(URI::toString).toList(),
					ex.getMessage());
		}
		return addressed.with((options) -> {
			options.selector(this.beans.getBeanProvider(WorkerSelector.class).getIfUnique(() -> configured))
				.required(required(settings))
				.patience(remote.patience())
				.directory(settings.directory())
				.shutdownGrace(settings.shutdownGrace());
			String bundle = remote.sslBundle();
			if (StringUtils.hasText(bundle)) {
				try {
					options.ssl(BundleSslContext.of(this.beans.getBean(SslBundles.class), bundle));
				}
				catch (NoSuchSslBundleException ex) {
					throw RemoteProperties.invalid("ssl-bundle", bundle,
							"there is no such bundle: define it below spring.ssl.bundle");
				}
			}
		});
	}

	/**
	 * Returns the capabilities that the configuration requires of every worker, also of a
	 * worker that was not there at the start.
	 */
	private Set<SandboxCapability> required(CommandSettings settings) {
		Set<SandboxCapability> required = EnumSet.noneOf(SandboxCapability.class);
		if (this.isolated) {
			required.add(SandboxCapability.FILE_CONFINEMENT);
		}
		if (settings.network() == Network.NONE) {
			required.add(SandboxCapability.NETWORK_OFF);
		}
		return required;
	}

	private @Nullable WorkspaceCopies copies(List<Path> hiddenPaths) {
		DataSize maxSize = this.properties.maxCopySize();
		return (maxSize != null) ? new WorkspaceCopies(maxSize.toBytes(), hiddenPaths) : null;
	}

	private static PathMapping[] mappings(List<String> mappings) {
		return mappings.stream().map((mapping) -> {
			int colon = mapping.indexOf(':');
			return new PathMapping(Path.of(mapping.substring(0, colon)), mapping.substring(colon + 1));
		}).toArray(PathMapping[]::new);
	}

}
