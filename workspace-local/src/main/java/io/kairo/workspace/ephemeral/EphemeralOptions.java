package io.kairo.workspace.ephemeral;

import java.nio.file.Path;
import java.util.List;

import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;

/**
 * The options of an {@link EphemeralWorkspaceProvider}. Immutable.
 *
 * @param directory the parent directory of the workspaces, on a local disk; created with
 * mode 0700 when it is first needed
 * @param seeds the directories of the seeds that hints may name; with the segment
 * {@link RootTemplate#TENANT} each tenant has its own seeds, without it all tenants share
 * them. Without seeds every new workspace is empty
 * @param bounds the upper bounds of a seed
 * @since 0.1.0
 */
public record EphemeralOptions(Path directory, List<RootTemplate> seeds, CopyBounds bounds) {

	/** Default upper bounds of a seed: a million files, 10 GiB. */
	public static final CopyBounds BOUNDS = new CopyBounds(1_000_000, 10L << 30);

	/**
	 * Creates the value.
	 * @param directory the parent directory of the workspaces
	 * @param seeds the directories of the seeds that hints may name
	 * @param bounds the upper bounds of a seed
	 */
	public EphemeralOptions {
		directory = directory.toAbsolutePath().normalize();
		seeds = List.copyOf(seeds);
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
		return new EphemeralOptions(this.directory, seeds, this.bounds);
	}

	/**
	 * Returns these options with other bounds.
	 * @param bounds the upper bounds of a seed
	 * @return the options
	 */
	public EphemeralOptions withBounds(CopyBounds bounds) {
		return new EphemeralOptions(this.directory, this.seeds, bounds);
	}

}
