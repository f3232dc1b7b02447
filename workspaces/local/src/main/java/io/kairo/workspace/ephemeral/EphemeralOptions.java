package io.kairo.workspace.ephemeral;

import java.nio.file.Path;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.jspecify.annotations.Nullable;

/**
 * The options of an {@link EphemeralWorkspaceProvider}. Immutable.
 *
 * @param directory the parent directory of the workspaces, on a local disk; created with
 * mode 0700 when it is first needed
 * @param seeds the directories of the seeds that hints may name; with the segment
 * {@link RootTemplate#TENANT} each tenant has its own seeds, without it all tenants share
 * them. Without seeds every new workspace is empty
 * @param bounds the upper bounds of a seed
 * @param owner the user that an application that runs as root creates workspaces for;
 * null for the user of the application
 */
public record EphemeralOptions(Path directory, List<RootTemplate> seeds, CopyBounds bounds, @Nullable HostUser owner) {

	/** Default upper bounds of a seed: a million files, 10 GiB. */
	public static final CopyBounds BOUNDS = new CopyBounds(1_000_000, 10L << 30);

	/**
	 * Creates the value.
	 */
	public EphemeralOptions {
		directory = directory.toAbsolutePath().normalize();
		seeds = List.copyOf(seeds);
	}

	/**
	 * Creates options for the user of the application.
	 * @param directory the parent directory of the workspaces
	 * @param seeds the directories of the seeds that hints may name
	 * @param bounds the upper bounds of a seed
	 */
	public EphemeralOptions(Path directory, List<RootTemplate> seeds, CopyBounds bounds) {
		this(directory, seeds, bounds, null);
	}

	/**
	 * Creates options without seeds.
	 * @param directory the parent directory of the workspaces
	 * @return options with the default bounds
	 */
	public static EphemeralOptions in(Path directory) {
		return new EphemeralOptions(directory, List.of(), BOUNDS);
	}

	/**
	 * Returns these options with other seeds.
	 * @param seeds the directories of the seeds that hints may name
	 * @return the options
	 */
	public EphemeralOptions withSeeds(List<RootTemplate> seeds) {
		return new EphemeralOptions(this.directory, seeds, this.bounds, this.owner);
	}

	/**
	 * Returns these options with other bounds.
	 * @param bounds the upper bounds of a seed
	 * @return the options
	 */
	public EphemeralOptions withBounds(CopyBounds bounds) {
		return new EphemeralOptions(this.directory, this.seeds, bounds, this.owner);
	}

	/**
	 * Returns these options with another owner of workspaces.
	 * @param user the user that workspaces are created for, or null for the user of the
	 * application
	 * @return the options
	 */
	public EphemeralOptions withOwner(@Nullable HostUser user) {
		return new EphemeralOptions(this.directory, this.seeds, this.bounds, user);
	}

}
