package io.kairo.autoconfigure.workspace;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.ephemeral.EphemeralOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Workspaces that are made for one session and go with it.
 *
 * @param enabled whether a hint may name such a workspace.
 * @param directory where they are made, each in a directory of its own. By default the
 * directory ephemeral in kairo.state-dir.
 * @param seeds directories that hold what a hint may name to be copied into a new
 * workspace. With the segment {tenant} each tenant has seeds of its own, without it all
 * tenants have the same.
 * @param maxSeedSize how much a seed may hold.
 * @param maxSeedFiles how many files, directories and links a seed may hold.
 * @since 0.1.0
 */
public record EphemeralProperties(@DefaultValue("true") boolean enabled, @Nullable Path directory,
		@DefaultValue List<String> seeds, @DefaultValue("10GB") DataSize maxSeedSize,
		@DefaultValue("1000000") long maxSeedFiles) {

	/**
	 * Creates the value.
	 * @param enabled whether there is a provider
	 * @param directory where the workspaces are made, null for the default
	 * @param seeds directories that hold what may be copied
	 * @param maxSeedSize how much a seed may hold
	 * @param maxSeedFiles how many files it may hold
	 */
	public EphemeralProperties {
		seeds = List.copyOf(seeds);
		if (maxSeedSize.isNegative()) {
			throw invalid("max-seed-size", maxSeedSize, "it is negative: give 0 or more");
		}
		if (maxSeedFiles < 0) {
			throw invalid("max-seed-files", maxSeedFiles, "it is negative: give 0 or more");
		}
	}

	/**
	 * Returns where the workspaces are made.
	 */
	Path directory(KairoProperties kairo) {
		return ((this.directory != null) ? this.directory : kairo.stateDirectory().resolve("ephemeral"))
			.toAbsolutePath()
			.normalize();
	}

	/**
	 * Returns what the provider goes by.
	 * @throws InvalidConfigurationPropertyValueException if agents would meet where the
	 * workspaces are made, or a directory is none
	 */
	EphemeralOptions options(KairoProperties kairo, WorkspaceProperties workspace) {
		Path made = directory(kairo);
		if (made.toFile().exists() && !made.toFile().isDirectory()) {
			throw invalid("directory", made, "it is not a directory");
		}
		if (this.directory != null) {
			OwnDirectory.requireApart("kairo.workspace.ephemeral.directory", made, workspace);
		}
		List<RootTemplate> templates = this.seeds.stream().map(EphemeralProperties::template).toList();
		for (RootTemplate template : templates) {
			if (OwnDirectory.overlap(template.base(), made)) {
				throw invalid("seeds", template, "it overlaps the directory that workspaces are made in, " + made
						+ ": name a directory of its own");
			}
			templates.stream().filter(template::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw invalid("seeds", template,
						"it overlaps " + other + ", so that one tenant would see another one's: use directories apart");
			});
		}
		return new EphemeralOptions(made, templates, new CopyBounds(this.maxSeedFiles, this.maxSeedSize.toBytes()));
	}

	private static RootTemplate template(String value) {
		try {
			RootTemplate template = RootTemplate.parse(value);
			File base = template.base().toFile();
			if (value.isBlank() || !base.isDirectory()) {
				throw invalid("seeds", value,
						(base.exists() ? "it is not a directory" : "there is no such directory")
								+ (template.perTenant() ? " above " + RootTemplate.TENANT : "")
								+ ": create it or name another one");
			}
			return template;
		}
		catch (WorkspacePathException ex) {
			throw invalid("seeds", value, String.valueOf(ex.getMessage()));
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace.ephemeral." + property, value, reason);
	}

}
