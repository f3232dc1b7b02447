package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.kairo.boot.PropertyBounds;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the caches of tenants.
 *
 * @param names Names of directories in the home directory of commands that are kept for
 * each tenant, on the disk, from session to session; empty for none.
 * @param maxSize Size of the caches of a tenant from which on they are removed when no
 * command of the tenant runs.
 * @param idleTimeout Time after which the caches of a tenant that has run no command are
 * removed; that is checked at most every 12 hours.
 */
public record CacheProperties(@DefaultValue( {
		".cache", ".gradle", ".m2", ".npm" }) List<String> names, @DefaultValue("2GB") DataSize maxSize,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("7d") Duration idleTimeout){

	static final PropertyBounds BOUNDS = new PropertyBounds(SandboxProperties.PREFIX + "caches.");

	/**
	 * Creates and validates the properties.
	 * @param names the names, copied
	 * @param maxSize the size of the caches of a tenant, above zero
	 * @param idleTimeout the time after which unused caches are removed, above zero
	 */
	public CacheProperties {
		BOUNDS.positive("max-size", maxSize).positive("idle-timeout", idleTimeout);
		names = List.copyOf(names);
	}

}
