package io.kairo.sandbox.remote.autoconfigure;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.boot.BundleSslContext;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.sandbox.remote.server.CopyOptions;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Auto-configuration for the server that lets other applications run commands in the
 * {@link ExecutionSandbox} of this one, with its limits, interceptors and meters.
 */
@AutoConfiguration(afterName = "io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration")
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("kairo.sandbox.server.enabled")
@ConditionalOnClass(KairoProperties.class)
@EnableConfigurationProperties({ SandboxServerProperties.class, KairoProperties.class })
public final class KairoSandboxServerAutoConfiguration {

	KairoSandboxServerAutoConfiguration() {
	}

	@Bean
	@ConditionalOnBean(ExecutionSandbox.class)
	SandboxServerLifecycle kairoSandboxServer(SandboxServerProperties properties, ExecutionSandbox sandbox,
			ObjectProvider<SslBundles> bundles, KairoProperties kairo, ObjectProvider<CommandUser> user,
			Environment environment) {
		Duration drain = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class,
				Duration.ofSeconds(30));
		return new SandboxServerLifecycle(sandbox, options(properties, bundles, copies(properties, kairo, user)),
				drain.multipliedBy(9).dividedBy(10));
	}

	/**
	 * Returns the options for copies. The user of commands cannot pass through the state
	 * of an application that runs as root.
	 */
	private static @Nullable CopyOptions copies(SandboxServerProperties properties, KairoProperties kairo,
			ObjectProvider<CommandUser> users) {
		DataSize maxSize = properties.maxCopiesSize();
		CommandUser user = users.getIfAvailable(() -> new CommandUser(null));
		return (maxSize != null)
				? new CopyOptions((user.user() != null) ? null : kairo.stateDirectory().resolve("sandbox"),
						maxSize.toBytes(), user.user())
				: null;
	}

	private static SandboxServerOptions options(SandboxServerProperties properties, ObjectProvider<SslBundles> bundles,
			@Nullable CopyOptions copies) {
		InetAddress address = (properties.address() != null) ? properties.address() : InetAddress.getLoopbackAddress();
		SSLContext ssl = ssl(properties.sslBundle(), bundles);
		if (ssl == null && !address.isLoopbackAddress()) {
			throw SandboxServerProperties.invalid("address", address.getHostAddress(),
					"tokens and output would be sent without encryption; set kairo.sandbox.server.ssl-bundle");
		}
		List<RemoteClient> clients = clients(properties, ssl != null);
		try {
			return new SandboxServerOptions(new InetSocketAddress(address, properties.port()), clients, ssl,
					properties.lease(), properties.maxCommands(), properties.retention(), copies);
		}
		catch (IllegalArgumentException ex) {
			throw SandboxServerProperties.invalid("clients", properties.clients().keySet(), ex.getMessage());
		}
	}

	private static @Nullable SSLContext ssl(@Nullable String bundle, ObjectProvider<SslBundles> bundles) {
		if (!StringUtils.hasText(bundle)) {
			return null;
		}
		try {
			SslBundles existing = bundles.getObject();
			if (existing.getBundle(bundle).getStores().getKeyStore() == null) {
				throw SandboxServerProperties.invalid("ssl-bundle", bundle,
						"it has no certificate of the server: set its keystore below spring.ssl.bundle");
			}
			return BundleSslContext.of(existing, bundle);
		}
		catch (NoSuchSslBundleException ex) {
			throw SandboxServerProperties.invalid("ssl-bundle", bundle,
					"there is no such bundle: define it below spring.ssl.bundle");
		}
	}

	private static List<RemoteClient> clients(SandboxServerProperties properties, boolean certificates) {
		List<RemoteClient> clients = new ArrayList<>();
		properties.clients().forEach((name, client) -> {
			String token = StringUtils.hasText(client.token()) ? client.token() : null;
			if (token == null && !certificates) {
				throw SandboxServerProperties.invalid("clients." + name + ".token", "",
						"it is required without kairo.sandbox.server.ssl-bundle");
			}
			try {
				clients.add(new RemoteClient(name, token, client.tenants(), client.roots()));
			}
			catch (IllegalArgumentException ex) {
				throw SandboxServerProperties.invalid("clients." + name, "***", ex.getMessage());
			}
		});
		return clients;
	}

}
