package io.kairo.autoconfigure.workspace;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.workspace.ephemeral.EphemeralOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for workspaces that are created for one session and removed
 * with it.
 *
 * @param enabled Whether hints can request such a workspace.
 * @param directory Directory in which the workspaces are created, each in its own
 * directory. By default, the directory ephemeral in kairo.state-dir, or in /var/lib/kairo
 * where commands of another user cannot enter that.
 * @param seeds Directories of the seeds that a hint can name, to be copied into a new
 * workspace. With the segment {tenant}, each tenant has its own seeds; without it, all
 * tenants share them.
 * @param maxSeedSize Maximum size of a seed.
 * @param maxSeedFiles Maximum number of files, directories and links in a seed.
 */
public record EphemeralProperties(@DefaultValue("true") boolean enabled, @Nullable Path directory,
		@DefaultValue List<String> seeds, @DefaultValue("10GB") DataSize maxSeedSize,
		@DefaultValue("1000000") long maxSeedFiles) {

	/**
	 * Creates and validates the properties.
	 */
	public EphemeralProperties {
		seeds = List.copyOf(seeds);
		if (maxSeedSize.isNegative()) {
			throw invalid("max-seed-size", maxSeedSize, "it is negative: it must be at least 0");
		}
		if (maxSeedFiles < 0) {
			throw invalid("max-seed-files", maxSeedFiles, "it is negative: it must be at least 0");
		}
	}

	/**
	 * Returns the directory in which the workspaces are created.
	 */
	Path directory(KairoProperties kairo, CommandUser user) {
		return ((this.directory != null) ? this.directory : user.defaultDirectory(kairo, "ephemeral")).toAbsolutePath()
			.normalize();
	}

	/**
	 * Returns the options of the provider.
	 * @throws InvalidConfigurationPropertyValueException if the directory of the
	 * workspaces overlaps a root or the seeds, or if a directory does not exist
	 */
	EphemeralOptions options(KairoProperties kairo, WorkspaceProperties workspace, CommandUser user) {
		Path made = directory(kairo, user);
		if (made.toFile().exists() && !made.toFile().isDirectory()) {
			throw invalid("directory", made, "it is not a directory");
		}
		if (this.directory != null) {
			workspace.requireApart("kairo.workspace.ephemeral.directory", made);
		}
		List<RootTemplate> templates = this.seeds.stream().map(EphemeralProperties::template).toList();
		for (RootTemplate template : templates) {
			if (PrivateDirectoryCheck.overlap(template.base(), made)) {
				throw invalid("seeds", template, "it overlaps the directory that workspaces are made in, " + made
						+ ": use a separate directory");
			}
			templates.stream().filter(template::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw invalid("seeds", template, "it overlaps " + other
						+ ", which would give one tenant access to the seeds of another: use separate directories");
			});
		}
		return new EphemeralOptions(made, templates, new CopyBounds(this.maxSeedFiles, this.maxSeedSize.toBytes()),
				user.user());
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
