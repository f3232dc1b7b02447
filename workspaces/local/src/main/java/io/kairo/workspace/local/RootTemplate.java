package io.kairo.workspace.local;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * A configured root of workspaces: a directory or, with the segment {@code {tenant}}, one
 * directory per tenant. Immutable.
 */
public final class RootTemplate {

	/**
	 * The placeholder for the tenant, a whole segment.
	 */
	public static final String TENANT = "{tenant}";

	private final String text;

	private final Path base;

	/** The names after the tenant's segment; null without that segment. */
	private final @Nullable List<Path> below;

	/** The user that the directories of tenants are created for. */
	private final @Nullable HostUser owner;

	private RootTemplate(String text, Path base, @Nullable List<Path> below, @Nullable HostUser owner) {
		this.text = text;
		this.base = base;
		this.below = below;
		this.owner = owner;
	}

	/**
	 * Parses a template. The disk is not accessed.
	 * @param text a path, absolute or relative to the current directory, with at most one
	 * segment {@link #TENANT}
	 * @return the template
	 * @throws WorkspacePathException if it cannot be a path, or contains any other brace
	 */
	public static RootTemplate parse(String text) {
		Path path = path(text);
		List<Path> before = new ArrayList<>();
		List<Path> after = null;
		for (Path name : path) {
			if (after == null && name.toString().equals(TENANT)) {
				after = new ArrayList<>();
				continue;
			}
			if (name.toString().contains("{") || name.toString().contains("}")) {
				throw invalid(text, "has braces that are not the one segment " + TENANT + ": write /base/" + TENANT
						+ " or a path without braces");
			}
			((after != null) ? after : before).add(name);
		}
		Path base = Objects.requireNonNullElse(path.getRoot(), path);
		for (Path name : before) {
			base = base.resolve(name);
		}
		return new RootTemplate(text, base, (after != null) ? List.copyOf(after) : null, null);
	}

	/**
	 * Returns this template with another owner of the directories of tenants.
	 * @param user the user that they are created for, or null for the user of the
	 * application
	 * @return the template
	 */
	RootTemplate ownedBy(@Nullable HostUser user) {
		return new RootTemplate(this.text, this.base, this.below, user);
	}

	/**
	 * Returns whether each tenant has a directory of its own.
	 * @return true if there is a segment {@link #TENANT}
	 */
	public boolean perTenant() {
		return this.below != null;
	}

	/**
	 * Returns the number of names below the base that belong to one tenant.
	 * @return 0 without a segment {@link #TENANT}
	 */
	public int ownLevels() {
		return (this.below != null) ? 1 + this.below.size() : 0;
	}

	/**
	 * Returns the directory that must exist.
	 * @return the part before {@link #TENANT}, or the whole path; absolute and normalised
	 */
	public Path base() {
		return this.base;
	}

	/**
	 * Returns whether tenants would share directories if both were roots: one of the two
	 * has a directory for each tenant, and the other contains it or lies below it.
	 * @param other another template
	 * @return true if they must not be used together
	 */
	public boolean mixesTenantsWith(RootTemplate other) {
		if (!perTenant() && !other.perTenant()) {
			return false;
		}
		Path mine = RealPaths.of(this.base);
		Path others = RealPaths.of(other.base);
		if (perTenant() && other.perTenant() && mine.equals(others)) {
			return false;
		}
		return mine.startsWith(others) || others.startsWith(mine);
	}

	/**
	 * Returns the directory of a tenant, created with mode 0700 if it is missing.
	 * @param tenant the id of a tenant
	 * @return the directory; without a segment {@link #TENANT} the same for all tenants
	 * @throws WorkspacePathException if the base is missing, the tenant cannot be a name,
	 * or its directory is a file or a link
	 */
	public Path directory(String tenant) {
		return (this.below != null) ? new TenantDirectory(this.base, this.below, this.owner).create(tenant) : this.base;
	}

	/**
	 * Returns the directory of a tenant, whether it exists or not, without creating it.
	 * @param tenant the id of the tenant
	 * @return the directory; without a segment {@link #TENANT} the base
	 * @throws WorkspacePathException if the base is missing, the tenant cannot be a name,
	 * or its directory is a file or a link
	 */
	public Path locate(String tenant) {
		return (this.below != null) ? new TenantDirectory(this.base, this.below, this.owner).locate(tenant) : this.base;
	}

	/**
	 * Returns the existing directory of a tenant, without creating it.
	 * @param tenant the id of the tenant
	 * @return the directory; without a segment {@link #TENANT} the base, whether it
	 * exists or not
	 * @throws WorkspacePathException if the tenant has no directory, or cannot have one
	 */
	public Path find(String tenant) {
		return (this.below != null) ? new TenantDirectory(this.base, this.below, this.owner).find(tenant) : this.base;
	}

	/**
	 * Returns the template as it was written.
	 */
	@Override
	public String toString() {
		return this.text;
	}

	private static Path path(String text) {
		try {
			return Path.of(text).toAbsolutePath().normalize();
		}
		catch (InvalidPathException ex) {
			throw invalid(text, "cannot be a path: " + ex.getReason());
		}
	}

	private static WorkspacePathException invalid(String text, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The root " + WorkspacePath.quote(text) + " " + reason);
	}

}
