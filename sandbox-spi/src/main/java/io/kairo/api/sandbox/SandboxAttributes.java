package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a request may ask for beyond the essentials. A backend that cannot honour one of
 * them refuses the request. Immutable.
 *
 * @since 0.1.0
 */
public final class SandboxAttributes {

	/**
	 * Asks for nothing.
	 */
	public static final SandboxAttributes NONE = builder().build();

	private final @Nullable Path workingDirectory;

	private final @Nullable String workspaceTarget;

	private final List<Mount> mounts;

	private final List<String> protectedPaths;

	private final boolean stdin;

	private final long tailBytes;

	private final @Nullable String sessionId;

	private SandboxAttributes(Builder builder) {
		this.workingDirectory = builder.workingDirectory;
		this.workspaceTarget = builder.workspaceTarget;
		this.mounts = List.copyOf(builder.mounts);
		this.protectedPaths = List.copyOf(builder.protectedPaths);
		this.stdin = builder.stdin;
		this.tailBytes = builder.tailBytes;
		this.sessionId = builder.sessionId;
	}

	/**
	 * Starts with nothing asked for.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns where the command starts.
	 * @return a host path; null for the workspace root
	 */
	public @Nullable Path workingDirectory() {
		return this.workingDirectory;
	}

	/**
	 * Returns where the workspace appears to the command.
	 * @return an absolute path; null for its host path
	 */
	public @Nullable String workspaceTarget() {
		return this.workspaceTarget;
	}

	/**
	 * Returns the directories that the command sees beside the workspace.
	 * @return an unmodifiable list
	 */
	public List<Mount> mounts() {
		return this.mounts;
	}

	/**
	 * Returns the paths that the command may not change, nor create, below the workspace
	 * root and below each mount that lies beside it.
	 * @return an unmodifiable list of canonical relative paths
	 */
	public List<String> protectedPaths() {
		return this.protectedPaths;
	}

	/**
	 * Returns whether the command is given input while it runs.
	 * @return false for an empty standard input
	 */
	public boolean stdin() {
		return this.stdin;
	}

	/**
	 * Returns how much of the end of the output is kept beyond
	 * {@link SandboxRequest#maxOutputBytes()}.
	 * @return a number of bytes, at least 0
	 */
	public long tailBytes() {
		return this.tailBytes;
	}

	/**
	 * Returns the agent session that the command belongs to.
	 * @return an opaque id, or null
	 */
	public @Nullable String sessionId() {
		return this.sessionId;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SandboxAttributes that && Objects.equals(this.workingDirectory, that.workingDirectory)
				&& Objects.equals(this.workspaceTarget, that.workspaceTarget) && this.mounts.equals(that.mounts)
				&& this.protectedPaths.equals(that.protectedPaths) && this.stdin == that.stdin
				&& this.tailBytes == that.tailBytes && Objects.equals(this.sessionId, that.sessionId);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.workingDirectory, this.workspaceTarget, this.mounts, this.protectedPaths, this.stdin,
				this.tailBytes, this.sessionId);
	}

	@Override
	public String toString() {
		return "SandboxAttributes[workingDirectory=" + this.workingDirectory + ", workspaceTarget="
				+ this.workspaceTarget + ", mounts=" + this.mounts + ", protectedPaths=" + this.protectedPaths
				+ ", stdin=" + this.stdin + ", tailBytes=" + this.tailBytes + ", sessionId=" + this.sessionId + "]";
	}

	/**
	 * A directory that a command sees.
	 *
	 * @param source the host path
	 * @param target where it appears, an absolute path
	 * @param writable whether the command may change it; one that may not be changed and
	 * cannot be protected is refused
	 */
	public record Mount(Path source, String target, boolean writable) {

		/**
		 * Creates the value.
		 * @param source the host path
		 * @param target where it appears
		 * @param writable whether the command may change it
		 */
		public Mount {
			Objects.requireNonNull(source, "source");
			Objects.requireNonNull(target, "target");
		}

		/**
		 * Creates a mount that appears at its host path.
		 * @param source the host path
		 * @param writable whether the command may change it
		 */
		public Mount(Path source, boolean writable) {
			this(source, source.toString(), writable);
		}

	}

	/**
	 * Collects attributes. For use by one thread.
	 */
	public static final class Builder {

		private @Nullable Path workingDirectory;

		private @Nullable String workspaceTarget;

		private final List<Mount> mounts = new ArrayList<>();

		private final List<String> protectedPaths = new ArrayList<>();

		private boolean stdin;

		private long tailBytes;

		private @Nullable String sessionId;

		private Builder() {
		}

		/**
		 * Sets where the command starts.
		 * @param workingDirectory a host path; null for the workspace root
		 * @return this builder
		 */
		public Builder workingDirectory(@Nullable Path workingDirectory) {
			this.workingDirectory = workingDirectory;
			return this;
		}

		/**
		 * Sets where the workspace appears to the command.
		 * @param workspaceTarget an absolute path; null for its host path
		 * @return this builder
		 */
		public Builder workspaceTarget(@Nullable String workspaceTarget) {
			this.workspaceTarget = workspaceTarget;
			return this;
		}

		/**
		 * Sets the directories that the command sees beside the workspace.
		 * @param mounts the mounts, replacing those set before
		 * @return this builder
		 */
		public Builder mounts(List<Mount> mounts) {
			this.mounts.clear();
			this.mounts.addAll(mounts);
			return this;
		}

		/**
		 * Sets the paths that the command may not change.
		 * @param protectedPaths canonical paths below the workspace root and each mount
		 * beside it, replacing those set before
		 * @return this builder
		 */
		public Builder protectedPaths(List<String> protectedPaths) {
			this.protectedPaths.clear();
			this.protectedPaths.addAll(protectedPaths);
			return this;
		}

		/**
		 * Sets whether the command is given input while it runs.
		 * @param stdin true to write to {@link SandboxHandle#stdin()}
		 * @return this builder
		 */
		public Builder stdin(boolean stdin) {
			this.stdin = stdin;
			return this;
		}

		/**
		 * Sets how much of the end of the output is kept beyond the bound.
		 * @param tailBytes a number of bytes, at least 0
		 * @return this builder
		 * @throws IllegalArgumentException if the number is negative
		 */
		public Builder tailBytes(long tailBytes) {
			if (tailBytes < 0) {
				throw new IllegalArgumentException("tailBytes is " + tailBytes + ": it must be at least 0");
			}
			this.tailBytes = tailBytes;
			return this;
		}

		/**
		 * Sets the agent session that the command belongs to.
		 * @param sessionId an opaque id, or null
		 * @return this builder
		 */
		public Builder sessionId(@Nullable String sessionId) {
			this.sessionId = sessionId;
			return this;
		}

		/**
		 * Creates the attributes.
		 * @return the attributes
		 */
		public SandboxAttributes build() {
			return new SandboxAttributes(this);
		}

	}

}
