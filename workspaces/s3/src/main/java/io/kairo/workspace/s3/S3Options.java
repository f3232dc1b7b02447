package io.kairo.workspace.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The options of an {@link S3WorkspaceProvider}. Immutable.
 */
public final class S3Options {

	private final Path directory;

	private final List<S3Scope> scopes;

	private final @Nullable URI endpoint;

	private final @Nullable String region;

	private final boolean pathStyle;

	private final S3Encryption encryption;

	private final WriteBackMode writeBack;

	private final S3Limits limits;

	private final @Nullable HostUser owner;

	private S3Options(Builder builder) {
		this.directory = builder.directory.toAbsolutePath().normalize();
		this.scopes = List.copyOf(builder.scopes);
		this.endpoint = builder.endpoint;
		this.region = builder.region;
		this.pathStyle = builder.pathStyle;
		this.encryption = builder.encryption;
		this.writeBack = builder.writeBack;
		this.limits = builder.limits;
		this.owner = builder.owner;
	}

	/**
	 * Returns a builder.
	 * @param directory the directory of the local files, created when it is needed and
	 * accessible to its owner only
	 * @param scopes the locations that tenants may open workspaces in, such as
	 * <code>agents/{tenant}</code>; none for no location at all
	 * @return a builder with the defaults: the endpoint of AWS, the default region of the
	 * SDK, virtual-host addresses, the encryption of the bucket, write-back on release,
	 * {@link S3Limits#DEFAULTS}
	 * @throws WorkspacePathException if a scope is malformed
	 */
	public static Builder in(Path directory, String... scopes) {
		return new Builder(directory, List.of(scopes).stream().map(S3Scope::new).toList());
	}

	Path directory() {
		return this.directory;
	}

	List<S3Scope> scopes() {
		return this.scopes;
	}

	@Nullable URI endpoint() {
		return this.endpoint;
	}

	@Nullable String region() {
		return this.region;
	}

	boolean pathStyle() {
		return this.pathStyle;
	}

	S3Encryption encryption() {
		return this.encryption;
	}

	WriteBackMode writeBack() {
		return this.writeBack;
	}

	S3Limits limits() {
		return this.limits;
	}

	@Nullable HostUser owner() {
		return this.owner;
	}

	/**
	 * Returns a builder with these options.
	 * @return the builder
	 */
	public Builder toBuilder() {
		Builder builder = new Builder(this.directory, this.scopes);
		builder.endpoint = this.endpoint;
		builder.region = this.region;
		builder.pathStyle = this.pathStyle;
		builder.encryption = this.encryption;
		builder.writeBack = this.writeBack;
		builder.limits = this.limits;
		builder.owner = this.owner;
		return builder;
	}

	/**
	 * A builder of options.
	 */
	public static final class Builder {

		private final Path directory;

		private final List<S3Scope> scopes;

		private @Nullable URI endpoint;

		private @Nullable String region;

		private boolean pathStyle;

		private S3Encryption encryption = S3Encryption.BUCKET_DEFAULT;

		private WriteBackMode writeBack = WriteBackMode.ON_RELEASE;

		private S3Limits limits = S3Limits.DEFAULTS;

		private @Nullable HostUser owner;

		private Builder(Path directory, List<S3Scope> scopes) {
			this.directory = Objects.requireNonNull(directory, "directory");
			this.scopes = scopes;
		}

		/**
		 * Sets the endpoint.
		 * @param endpoint the address of an object store other than AWS, or null
		 * @return this builder
		 * @throws IllegalArgumentException if it is not an absolute HTTP address without
		 * user and query
		 */
		public Builder endpoint(@Nullable URI endpoint) {
			if (endpoint != null && (endpoint.getHost() == null || endpoint.getUserInfo() != null
					|| endpoint.getQuery() != null || !String.valueOf(endpoint.getScheme()).matches("https?"))) {
				throw new IllegalArgumentException(
						"The endpoint of an object store is an address like https://s3.example.org, without user and "
								+ "query");
			}
			this.endpoint = endpoint;
			return this;
		}

		/**
		 * Sets the region.
		 * @param region the region, such as {@code eu-central-1}, or null for the default
		 * of the SDK, {@code us-east-1} where there is an endpoint
		 * @return this builder
		 */
		public Builder region(@Nullable String region) {
			this.region = region;
			return this;
		}

		/**
		 * Sets the form of addresses.
		 * @param pathStyle whether the bucket is in the path instead of the host, as many
		 * object stores need it
		 * @return this builder
		 */
		public Builder pathStyle(boolean pathStyle) {
			this.pathStyle = pathStyle;
			return this;
		}

		/**
		 * Sets the encryption of written objects.
		 * @param encryption the encryption
		 * @return this builder
		 */
		public Builder encryption(S3Encryption encryption) {
			this.encryption = Objects.requireNonNull(encryption, "encryption");
			return this;
		}

		/**
		 * Sets the time of writing changes back.
		 * @param writeBack the time
		 * @return this builder
		 */
		public Builder writeBack(WriteBackMode writeBack) {
			this.writeBack = Objects.requireNonNull(writeBack, "writeBack");
			return this;
		}

		/**
		 * Sets the limits.
		 * @param limits the limits
		 * @return this builder
		 */
		public Builder limits(S3Limits limits) {
			this.limits = Objects.requireNonNull(limits, "limits");
			return this;
		}

		/**
		 * Sets the owner of local files.
		 * @param owner the user that an application that runs as root creates files for,
		 * or null for the user of the application
		 * @return this builder
		 */
		public Builder owner(@Nullable HostUser owner) {
			this.owner = owner;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 */
		public S3Options build() {
			return new S3Options(this);
		}

	}

}
