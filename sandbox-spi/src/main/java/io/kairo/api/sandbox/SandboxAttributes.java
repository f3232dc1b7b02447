package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Optional attributes of a request. A backend that cannot honour one of them refuses the
 * request. Immutable.
 */
public final class SandboxAttributes {

	/**
	 * No attributes.
	 */
	public static final SandboxAttributes NONE = builder().build();

	private final @Nullable Path workingDirectory;

	private final @Nullable String workspaceTarget;

	private final List<Mount> mounts;

	private final List<String> protectedPaths;

	private final boolean stdin;

	private final boolean redirectErrorStream;

	private final long tailBytes;

	private final @Nullable String sessionId;

	private final boolean background;

	private final List<Path> allowedRoots;

	private final boolean withoutNetwork;

	private SandboxAttributes(Builder builder) {
		this.workingDirectory = builder.workingDirectory;
		this.workspaceTarget = builder.workspaceTarget;
		this.mounts = List.copyOf(builder.mounts);
		this.protectedPaths = List.copyOf(builder.protectedPaths);
		this.stdin = builder.stdin;
		this.redirectErrorStream = builder.redirectErrorStream;
		this.tailBytes = builder.tailBytes;
		this.sessionId = builder.sessionId;
		this.background = builder.background;
		this.allowedRoots = List.copyOf(builder.allowedRoots);
		this.withoutNetwork = builder.withoutNetwork;
	}

	/**
	 * Returns a builder without any attribute.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns a builder with these attributes.
	 * @return a builder
	 */
	public Builder toBuilder() {
		return new Builder().workingDirectory(this.workingDirectory)
			.workspaceTarget(this.workspaceTarget)
			.mounts(this.mounts)
			.protectedPaths(this.protectedPaths)
			.stdin(this.stdin)
			.redirectErrorStream(this.redirectErrorStream)
			.tailBytes(this.tailBytes)
			.sessionId(this.sessionId)
			.background(this.background)
			.allowedRoots(this.allowedRoots)
			.withoutNetwork(this.withoutNetwork);
	}

	/**
	 * Returns the initial working directory of the command.
	 * @return a host path; null for the workspace root
	 */
	public @Nullable Path workingDirectory() {
		return this.workingDirectory;
	}

	/**
	 * Returns the path of the workspace for the command.
	 * @return an absolute path; null for its host path
	 */
	public @Nullable String workspaceTarget() {
		return this.workspaceTarget;
	}

	/**
	 * Returns the directories that the command sees in addition to the workspace.
	 * @return an unmodifiable list
	 */
	public List<Mount> mounts() {
		return this.mounts;
	}

	/**
	 * Returns the paths that the command may not change or create, relative to the
	 * workspace root and to each mount outside of it. Where no placeholder can take the
	 * place of a missing file, as for {@code .git/commondir}, a backend may remove it
	 * when the command ends.
	 * @return an unmodifiable list of canonical relative paths
	 */
	public List<String> protectedPaths() {
		return this.protectedPaths;
	}

	/**
	 * Returns whether the command can receive input while it runs.
	 * @return false for an empty standard input
	 */
	public boolean stdin() {
		return this.stdin;
	}

	/**
	 * Returns whether the command writes its error output to its standard output, so that
	 * both are read in the order of writing. Otherwise there is no order between the two.
	 * @return true for one stream
	 */
	public boolean redirectErrorStream() {
		return this.redirectErrorStream;
	}

	/**
	 * Returns the number of last bytes of the output to keep beyond
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

	/**
	 * Returns whether the command runs in the background, beyond the call that starts it.
	 * A sandbox runs it like any other command; an interceptor may treat it differently.
	 * @return true if so
	 */
	public boolean background() {
		return this.background;
	}

	/**
	 * Returns the allowed roots. After links were resolved, the workspace and each mount
	 * must be in one of these directories. A backend that confines commands to
	 * directories of this machine refuses the request otherwise, also if a directory was
	 * replaced with a link since the caller checked it.
	 * @return an unmodifiable list of real paths; empty if every directory is allowed
	 */
	public List<Path> allowedRoots() {
		return this.allowedRoots;
	}

	/**
	 * Returns whether the command has no network, whatever the sandbox gives to others.
	 * {@link SandboxCapability#NETWORK_OFF_ON_REQUEST} tells whether a sandbox knows this
	 * attribute.
	 * @return false for the network of the sandbox
	 */
	public boolean withoutNetwork() {
		return this.withoutNetwork;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SandboxAttributes that && Objects.equals(this.workingDirectory, that.workingDirectory)
				&& Objects.equals(this.workspaceTarget, that.workspaceTarget) && this.mounts.equals(that.mounts)
				&& this.protectedPaths.equals(that.protectedPaths) && this.stdin == that.stdin
				&& this.redirectErrorStream == that.redirectErrorStream && this.tailBytes == that.tailBytes
				&& Objects.equals(this.sessionId, that.sessionId) && this.background == that.background
				&& this.allowedRoots.equals(that.allowedRoots) && this.withoutNetwork == that.withoutNetwork;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.workingDirectory, this.workspaceTarget, this.mounts, this.protectedPaths, this.stdin,
				this.redirectErrorStream, this.tailBytes, this.sessionId, this.background, this.allowedRoots,
				this.withoutNetwork);
	}

	@Override
	public String toString() {
		return "SandboxAttributes[workingDirectory=" + this.workingDirectory + ", workspaceTarget="
				+ this.workspaceTarget + ", mounts=" + this.mounts + ", protectedPaths=" + this.protectedPaths
				+ ", stdin=" + this.stdin + ", redirectErrorStream=" + this.redirectErrorStream + ", tailBytes="
				+ this.tailBytes + ", sessionId=" + this.sessionId + ", background=" + this.background
				+ ", allowedRoots=" + this.allowedRoots + ", withoutNetwork=" + this.withoutNetwork + "]";
	}

	/**
	 * A directory that a command sees.
	 *
	 * @param source the host path
	 * @param target the absolute path of the directory for the command
	 * @param writable whether the command may change the directory; if false, a backend
	 * that cannot enforce this refuses the request
	 */
	public record Mount(Path source, String target, boolean writable) {

		/**
		 * Creates the value.
		 */
		public Mount {
			Objects.requireNonNull(source, "source");
			Objects.requireNonNull(target, "target");
		}

		/**
		 * Creates a mount at the host path of the directory.
		 * @param source the host path
		 * @param writable whether the command may change the directory
		 */
		public Mount(Path source, boolean writable) {
			this(source, source.toString(), writable);
		}

	}

	/**
	 * A builder of attributes. For use by one thread.
	 */
	public static final class Builder {

		private @Nullable Path workingDirectory;

		private @Nullable String workspaceTarget;

		private final List<Mount> mounts = new ArrayList<>();

		private final List<String> protectedPaths = new ArrayList<>();

		private boolean stdin;

		private boolean redirectErrorStream;

		private long tailBytes;

		private @Nullable String sessionId;

		private boolean background;

		private final List<Path> allowedRoots = new ArrayList<>();

		private boolean withoutNetwork;

		private Builder() {
		}

		/**
		 * Sets the initial working directory of the command.
		 * @param workingDirectory a host path; null for the workspace root
		 * @return this builder
		 */
		public Builder workingDirectory(@Nullable Path workingDirectory) {
			this.workingDirectory = workingDirectory;
			return this;
		}

		/**
		 * Sets the path of the workspace for the command.
		 * @param workspaceTarget an absolute path; null for its host path
		 * @return this builder
		 */
		public Builder workspaceTarget(@Nullable String workspaceTarget) {
			this.workspaceTarget = workspaceTarget;
			return this;
		}

		/**
		 * Sets the directories that the command sees in addition to the workspace.
		 * @param mounts the mounts, replacing all previous ones
		 * @return this builder
		 */
		public Builder mounts(List<Mount> mounts) {
			this.mounts.clear();
			this.mounts.addAll(mounts);
			return this;
		}

		/**
		 * Sets the paths that the command may not change or create.
		 * @param protectedPaths canonical paths relative to the workspace root and to
		 * each mount outside of it, replacing all previous ones
		 * @return this builder
		 */
		public Builder protectedPaths(List<String> protectedPaths) {
			this.protectedPaths.clear();
			this.protectedPaths.addAll(protectedPaths);
			return this;
		}

		/**
		 * Sets whether the command can receive input while it runs.
		 * @param stdin true to write to {@link SandboxHandle#stdin()}
		 * @return this builder
		 */
		public Builder stdin(boolean stdin) {
			this.stdin = stdin;
			return this;
		}

		/**
		 * Sets whether the command writes its error output to its standard output.
		 * @param redirectErrorStream true for one stream in the order of writing
		 * @return this builder
		 */
		public Builder redirectErrorStream(boolean redirectErrorStream) {
			this.redirectErrorStream = redirectErrorStream;
			return this;
		}

		/**
		 * Sets the number of last bytes of the output to keep beyond
		 * {@link SandboxRequest#maxOutputBytes()}.
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
		 * Sets whether the command runs in the background, beyond the call that starts
		 * it.
		 * @param background true if so
		 * @return this builder
		 */
		public Builder background(boolean background) {
			this.background = background;
			return this;
		}

		/**
		 * Sets the directories that the workspace and the mounts have to be in.
		 * @param allowedRoots real paths, replacing all previous ones; empty to allow
		 * every directory
		 * @return this builder
		 */
		public Builder allowedRoots(List<Path> allowedRoots) {
			this.allowedRoots.clear();
			this.allowedRoots.addAll(allowedRoots);
			return this;
		}

		/**
		 * Sets whether the command has no network.
		 * @param withoutNetwork true for no network, false for that of the sandbox
		 * @return this builder
		 */
		public Builder withoutNetwork(boolean withoutNetwork) {
			this.withoutNetwork = withoutNetwork;
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
