package io.kairo.autoconfigure.health;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import org.jspecify.annotations.Nullable;

/**
 * The directory for the command that checks the health of the sandbox: the directory for
 * temporary files, or an empty one if commands run in a container. A container is kept
 * with everything that is mounted in it, and its user may be the owner of the directory.
 *
 * @param choice the choice of the sandbox, null if the application provides it
 * @param kairo the configuration of the state directory
 * @param user the user that commands run as
 */
record CanaryDirectory(@Nullable SandboxChoice choice, KairoProperties kairo,
		CommandUser user) implements Supplier<Path> {

	private static final Set<String> MOUNTING = Set.of("docker", "microvm");

	/**
	 * Returns the directory, after creating it if it is missing.
	 * @throws UncheckedIOException if it cannot be created
	 */
	@Override
	public Path get() {
		if (this.choice == null || !MOUNTING
			.contains(this.choice.tenants().getOrDefault(TenantContext.SINGLE.tenantId(), this.choice).type())) {
			return Path.of(System.getProperty("java.io.tmpdir"));
		}
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
