package io.kairo.autoconfigure.health;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Supplier;

import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;

/**
 * The directory for the command that checks the health of the sandbox: an empty one of
 * its own. The directory for temporary files may contain the state directory, which no
 * command may see; a container is kept with everything that is mounted in it, and its
 * user may be the owner of the directory.
 *
 * @param kairo the configuration of the state directory
 * @param user the user that commands run as
 */
record CanaryDirectory(KairoProperties kairo, CommandUser user) implements Supplier<Path> {

	/**
	 * Returns the directory, after creating it if it is missing.
	 * @throws UncheckedIOException if it cannot be created
	 */
	@Override
	public Path get() {
		try {
			Path directory = OwnerOnly.createDirectory(this.user.defaultDirectory(this.kairo, "health"));
			HostUser own = HostUser.current();
			if (own != null && own.uid() == 0) {
				HostUser runAs = this.user.user();
				((runAs != null) ? runAs : new HostUser(65534, 65534)).own(directory);
			}
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("the directory health in kairo.state-dir cannot be created", ex);
		}
	}

}
