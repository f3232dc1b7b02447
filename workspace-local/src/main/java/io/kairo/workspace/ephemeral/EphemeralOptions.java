package io.kairo.workspace.ephemeral;

import java.nio.file.Path;
import java.util.List;

import io.kairo.workspace.disk.tree.OwnedTree.CopyBounds;
import io.kairo.workspace.local.RootTemplate;

/**
 * What an {@link EphemeralWorkspaceProvider} goes by. Immutable.
 *
 * @param directory where the workspaces are made, each in a directory of its own; made
 * with mode 0700 when it is first needed, and on a disk of this machine
 * @param seeds directories that hold what a hint may name to be copied; with the segment
 * {@link RootTemplate#TENANT} each tenant has seeds of its own, without it all have the
 * same. None means that every workspace is empty at first
 * @param bounds how much a seed may hold
 * @since 0.1.0
 */
public record EphemeralOptions(Path directory, List<RootTemplate> seeds, CopyBounds bounds) {

	/** How much a seed may hold, unless said otherwise: a million files, 10 GiB. */
	public static final CopyBounds BOUNDS = new CopyBounds(1_000_000, 10L << 30);

	/**
	 * Creates the value.
	 * @param directory where the workspaces are made
	 * @param seeds directories that hold what a hint may name
	 * @param bounds how much a seed may hold
	 */
	public EphemeralOptions {
		directory = directory.toAbsolutePath().normalize();
		seeds = List.copyOf(seeds);
	}

	/**
	 * Creates options without seeds.
	 * @param directory where the workspaces are made
	 * @return options with the default bounds
	 */
	public static EphemeralOptions in(Path directory) {
		return new EphemeralOptions(directory, List.of(), BOUNDS);
	}

	/**
	 * Returns the same with other seeds.
	 * @param seeds directories that hold what a hint may name
	 * @return other options
	 */
	public EphemeralOptions withSeeds(List<RootTemplate> seeds) {
		return new EphemeralOptions(this.directory, seeds, this.bounds);
	}

	/**
	 * Returns the same with other bounds.
	 * @param bounds how much a seed may hold
	 * @return other options
	 */
	public EphemeralOptions withBounds(CopyBounds bounds) {
		return new EphemeralOptions(this.directory, this.seeds, bounds);
	}

}
