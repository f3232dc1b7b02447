package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How commands run in bubblewrap.
 *
 * @param runAs who commands run as where the application is root, needed there: the name
 * of a user, or uid or uid:gid.
 * @param executable the program. Unset, the bwrap of this machine.
 * @param readOnlyPaths further files and directories of the host that commands can read,
 * at their own paths.
 * @param unixSockets whether commands can use Unix domain sockets; one that lies in the
 * workspace leads out of the sandbox.
 * @since 0.1.0
 */
public record BubblewrapProperties(@Nullable String runAs, @Nullable Path executable, @DefaultValue( {
	}) List<Path> readOnlyPaths, @DefaultValue("false") boolean unixSockets){

	/**
	 * Creates the value.
	 * @param runAs who commands run as where the application is root, or null
	 * @param executable the program, or null
	 * @param readOnlyPaths further paths that commands can read
	 * @param unixSockets whether commands can use Unix domain sockets
	 */
	public BubblewrapProperties {
		readOnlyPaths = List.copyOf(readOnlyPaths);
	}

}
