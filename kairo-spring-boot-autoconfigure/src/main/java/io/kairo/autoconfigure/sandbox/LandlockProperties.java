package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.kairo.boot.PropertyBounds;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the Landlock sandbox.
 *
 * @param readOnlyPaths Additional files and directories of the host that commands can
 * read and execute, such as /opt/java.
 * @param idleTimeout Time without a command after which a session loses its home
 * directory and its temporary files.
 * @param maxIdle Maximum number of sessions without a command; 0 to share nothing between
 * the commands of a session.
 */
@ConfigurationProperties("kairo.sandbox.landlock")
public record LandlockProperties(@DefaultValue( {
	}) List<Path> readOnlyPaths, @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30m") Duration idleTimeout,
		@DefaultValue("16") int maxIdle){

	/**
	 * Creates and validates the properties.
	 * @param idleTimeout the time after which an idle session ends, above zero
	 * @param maxIdle the maximum number of idle sessions, at least 0
	 */
	public LandlockProperties {
		new PropertyBounds("kairo.sandbox.landlock.").positive("idle-timeout", idleTimeout)
			.atLeast("max-idle", maxIdle, 0);
		readOnlyPaths = List.copyOf(readOnlyPaths);
	}
}
