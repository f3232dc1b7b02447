package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the bubblewrap sandbox.
 *
 * @param runAs User that commands run as, required if the application runs as root: a
 * name, uid or uid:gid. Directories that Kairo creates for commands belong to it.
 * @param executable Path of bwrap. By default, the installed program.
 * @param readOnlyPaths Additional files and directories of the host that commands can
 * read, at their own paths.
 * @param unixSockets Whether commands can use Unix domain sockets. A socket in the
 * workspace allows to escape from the sandbox.
 * @param idleTimeout Time without a command after which a session loses its home
 * directory and its temporary files.
 * @param maxIdle Maximum number of sessions without a command; 0 to share nothing between
 * the commands of a session.
 */
@ConfigurationProperties("kairo.sandbox.bubblewrap")
public record BubblewrapProperties(@Nullable String runAs, @Nullable Path executable, @DefaultValue( {
	}) List<Path> readOnlyPaths, @DefaultValue("false") boolean unixSockets,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30m") Duration idleTimeout, @DefaultValue("16") int maxIdle){

	/**
	 * Creates and validates the properties.
	 * @param idleTimeout the time after which an idle session ends, above zero
	 * @param maxIdle the maximum number of idle sessions, at least 0
	 */
	public BubblewrapProperties {
		new PropertyBounds("kairo.sandbox.bubblewrap.").positive("idle-timeout", idleTimeout)
			.atLeast("max-idle", maxIdle, 0);
		readOnlyPaths = List.copyOf(readOnlyPaths);
	}

}
