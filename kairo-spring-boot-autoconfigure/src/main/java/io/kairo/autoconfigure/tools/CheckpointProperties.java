package io.kairo.autoconfigure.tools;

import java.time.Duration;

import io.kairo.boot.PropertyBounds;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for checkpoints.
 *
 * @param enabled Whether what sessions do to files can be undone.
 * @param auto Whether a session is recorded from its start, rather than from its first
 * checkpoint.
 * @param maxSize Maximum total size of what is kept for a workspace. The oldest steps are
 * dropped first, and those that a checkpoint needs last.
 * @param maxSizePerTenant Maximum total size of what is kept for all workspaces of a
 * tenant.
 * @param maxFileSize Maximum size of a file whose content is kept.
 * @param maxFiles Maximum number of files and directories of a workspace in which
 * commands are recorded.
 * @param maxAge Time for which a step can be undone.
 * @param maxWait Time that a command waits until the content of files is kept; the rest
 * is read while it runs.
 */
@ConfigurationProperties("kairo.checkpoints")
public record CheckpointProperties(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean auto,
		@DefaultValue("512MB") DataSize maxSize, @DefaultValue("2GB") DataSize maxSizePerTenant,
		@DefaultValue("16MB") DataSize maxFileSize, @DefaultValue("200000") int maxFiles,
		@DefaultValue("7d") Duration maxAge, @DefaultValue("1s") Duration maxWait) {

	/**
	 * Creates and validates the properties.
	 * @param maxSize above zero
	 * @param maxSizePerTenant above zero
	 * @param maxFileSize above zero
	 * @param maxFiles above zero
	 * @param maxAge above zero
	 * @param maxWait above zero
	 */
	public CheckpointProperties {
		new PropertyBounds("kairo.checkpoints.").positive("max-size", maxSize)
			.positive("max-size-per-tenant", maxSizePerTenant)
			.positive("max-file-size", maxFileSize)
			.atLeast("max-files", maxFiles, 1)
			.positive("max-age", maxAge)
			.positive("max-wait", maxWait);
	}

	CheckpointOptions options() {
		return new CheckpointOptions(this.maxSize.toBytes(), this.maxSizePerTenant.toBytes(),
				this.maxFileSize.toBytes(), this.maxFiles, this.maxAge, this.maxWait, this.auto);
	}

}
