package io.kairo.autoconfigure.tools;

import java.nio.file.Path;

import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.boot.PropertyBounds;
import io.kairo.workspace.checkpoint.TrialOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for trials.
 *
 * @param enabled Whether sessions can try changes in a copy of the workspace; requires
 * kairo.checkpoints.enabled.
 * @param directory Directory of the copies, outside of all workspaces. By default, the
 * directory trials in kairo.state-dir, or in /var/lib/kairo where commands of another
 * user cannot enter that.
 * @param maxSize Maximum size of a workspace that is copied, and of a file that is
 * committed.
 * @param maxFiles Maximum number of files, directories and links of a workspace that is
 * copied.
 * @param maxPerTenant Maximum number of trials of a tenant at a time.
 */
@ConfigurationProperties("kairo.trials")
public record TrialProperties(@DefaultValue("true") boolean enabled, @Nullable Path directory,
		@DefaultValue("2GB") DataSize maxSize, @DefaultValue("200000") int maxFiles,
		@DefaultValue("10") int maxPerTenant) {

	/**
	 * Creates and validates the properties.
	 * @param maxSize above zero
	 * @param maxFiles above zero
	 * @param maxPerTenant above zero
	 */
	public TrialProperties {
		new PropertyBounds("kairo.trials.").positive("max-size", maxSize)
			.atLeast("max-files", maxFiles, 1)
			.atLeast("max-per-tenant", maxPerTenant, 1);
	}

	@Nullable TrialOptions options(KairoProperties kairo, CommandUser user, ObjectProvider<WorkspaceProperties> workspaces) {
		if (!this.enabled) {
			return null;
		}
		if (this.directory != null) {
			workspaces.ifAvailable((each) -> each.requireApart("kairo.trials.directory", this.directory));
		}
		return new TrialOptions((this.directory != null) ? this.directory : user.defaultDirectory(kairo, "trials"),
				this.maxFiles, this.maxSize.toBytes(), this.maxPerTenant, user.user());
	}

}
