package io.kairo.sandbox.remote.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;

import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the remote sandbox.
 *
 * @param workers Addresses of the workers, such as https://worker:8460, required by this
 * sandbox. They can start with http:// only on this machine.
 * @param token Secret with which the application identifies itself to the workers. Not
 * needed if the SSL bundle has a certificate that they know.
 * @param sslBundle Name of the SSL bundle (spring.ssl.bundle) with the certificates to
 * use and to trust. By default, those that the JVM trusts.
 * @param pathMappings Directories that the application shares with the workers, such as
 * /workspaces:/srv/agents if the workers see /workspaces as /srv/agents. By default, all
 * directories have the same paths there (/:/), or none is shared if copies are allowed.
 * @param selection Worker that a command is sent to, unless there is a WorkerSelector
 * bean.
 * @param patience Time for which the start of a command is repeated if no worker answers.
 * @param maxCopySize Maximum size of the files that are copied for one command, in each
 * direction, if it uses directories that are not shared. By default, such a command is
 * refused.
 */
@ConfigurationProperties("kairo.sandbox.remote")
public record RemoteProperties(@DefaultValue List<URI> workers, @Nullable String token, @Nullable String sslBundle,
		@DefaultValue List<String> pathMappings, @DefaultValue("least-loaded") Selection selection,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("15s") Duration patience, @Nullable DataSize maxCopySize) {

	private static final Pattern MAPPING = Pattern.compile("/[^:]*:/[^:]*");

	/**
	 * Creates and validates the properties.
	 * @param workers the addresses of the workers, copied
	 * @param pathMappings the shared directories, copied; if empty, all of them, or none
	 * with a maximum size of copies
	 * @param patience the time for which a start is repeated, above zero
	 * @param maxCopySize the maximum size of the files to copy, above zero, or null
	 */
	public RemoteProperties {
		UnresolvedPlaceholder.refuse("kairo.sandbox.remote.token", token);
		workers = List.copyOf(workers);
		pathMappings = (pathMappings.isEmpty() && maxCopySize == null) ? List.of("/:/") : List.copyOf(pathMappings);
		new PropertyBounds("kairo.sandbox.remote.").positive("max-copy-size", maxCopySize)
			.positive("patience", patience);
		for (String mapping : pathMappings) {
			if (!MAPPING.matcher(mapping).matches()) {
				throw invalid("path-mappings", mapping,
						"it must be an absolute path of this machine, a colon, and the absolute path of the same directory "
								+ "on the workers, such as /workspaces:/srv/agents");
			}
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String name, Object value, @Nullable String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.sandbox.remote." + name, value,
				String.valueOf(reason));
	}

	@Override
	public String toString() {
		// not the token
		return "RemoteProperties[workers=" + this.workers + ", pathMappings=" + this.pathMappings + "]";
	}

	/**
	 * Worker that a command is sent to.
	 */
	public enum Selection {

		/** The one with the smallest part of its commands in use. */
		LEAST_LOADED,

		/** The same one for all commands of a workspace, as long as it accepts them. */
		STICKY

	}

}
