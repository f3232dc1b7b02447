package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * A request to run a command within limits. Immutable.
 *
 * @param command the command for the shell of the sandbox, never blank
 * @param workspaceRoot the host directory of the workspace
 * @param env variables added to the environment that the command inherits; null becomes
 * empty
 * @param timeout maximum time before the command and all processes that it started are
 * ended, above zero
 * @param maxOutputBytes number of first bytes of the output to keep, both streams
 * together, above zero
 * @param tenant the tenant of the command; null becomes {@link TenantContext#SINGLE}
 * @param readOnly whether to prevent the command from changing the workspace; a sandbox
 * that cannot enforce this refuses the request
 * @param attributes optional attributes; null becomes {@link SandboxAttributes#NONE}
 */
public record SandboxRequest(String command, Path workspaceRoot, Map<String, String> env, Duration timeout,
		long maxOutputBytes, TenantContext tenant, boolean readOnly, SandboxAttributes attributes) {

	/**
	 * Creates a request.
	 * @param command the command for the shell of the sandbox, never blank
	 * @param workspaceRoot the host directory of the workspace
	 * @param env variables added to the environment; null becomes empty
	 * @param timeout the timeout, above zero
	 * @param maxOutputBytes number of first bytes of the output to keep, above zero
	 * @param tenant the tenant of the command; null becomes {@link TenantContext#SINGLE}
	 * @param readOnly whether to prevent the command from changing the workspace
	 * @param attributes optional attributes; null becomes {@link SandboxAttributes#NONE}
	 * @throws IllegalArgumentException if the command is blank, or the timeout or the
	 * number of bytes is not above zero
	 */
	@SuppressWarnings("NullAway") // null is accepted for three of them and replaced
	public SandboxRequest(String command, Path workspaceRoot, @Nullable Map<String, String> env, Duration timeout,
			long maxOutputBytes, @Nullable TenantContext tenant, boolean readOnly,
			@Nullable SandboxAttributes attributes) {
		Objects.requireNonNull(command, "command");
		Objects.requireNonNull(workspaceRoot, "workspaceRoot");
		Objects.requireNonNull(timeout, "timeout");
		if (command.isBlank()) {
			throw new IllegalArgumentException("The command is blank: give one to run");
		}
		if (timeout.isZero() || timeout.isNegative()) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be above zero");
		}
		if (maxOutputBytes <= 0) {
			throw new IllegalArgumentException("maxOutputBytes is " + maxOutputBytes + ": it must be above zero");
		}
		this.command = command;
		this.workspaceRoot = workspaceRoot;
		this.env = (env != null) ? Map.copyOf(env) : Map.of();
		this.timeout = timeout;
		this.maxOutputBytes = maxOutputBytes;
		this.tenant = TenantContext.orSingle(tenant);
		this.readOnly = readOnly;
		this.attributes = Objects.requireNonNullElse(attributes, SandboxAttributes.NONE);
	}

	/**
	 * Creates a request without attributes.
	 * @param command the command for the shell of the sandbox, never blank
	 * @param workspaceRoot the host directory of the workspace
	 * @param env variables added to the environment; null becomes empty
	 * @param timeout the timeout, above zero
	 * @param maxOutputBytes number of first bytes of the output to keep, above zero
	 * @param tenant the tenant of the command; null becomes {@link TenantContext#SINGLE}
	 * @param readOnly whether to prevent the command from changing the workspace
	 * @throws IllegalArgumentException if the command is blank, or the timeout or the
	 * number of bytes is not above zero
	 */
	public SandboxRequest(String command, Path workspaceRoot, @Nullable Map<String, String> env, Duration timeout,
			long maxOutputBytes, @Nullable TenantContext tenant, boolean readOnly) {
		this(command, workspaceRoot, env, timeout, maxOutputBytes, tenant, readOnly, SandboxAttributes.NONE);
	}

	/**
	 * Describes the request, without the values of the environment, since they may be
	 * secret.
	 */
	@Override
	public String toString() {
		return "SandboxRequest[command=" + this.command + ", workspaceRoot=" + this.workspaceRoot + ", env="
				+ this.env.keySet() + ", timeout=" + this.timeout + ", maxOutputBytes=" + this.maxOutputBytes
				+ ", tenant=" + this.tenant.tenantId() + ", readOnly=" + this.readOnly + ", attributes="
				+ this.attributes + "]";
	}

	/**
	 * A builder of requests. The defaults are a timeout of 30 seconds, 1 MiB of output,
	 * the single tenant, a writable workspace and no attributes. For use by one thread.
	 */
	public static final class Builder {

		private final String command;

		private final Path workspaceRoot;

		private @Nullable Map<String, String> env;

		private Duration timeout = Duration.ofSeconds(30);

		private long maxOutputBytes = 1 << 20;

		private @Nullable TenantContext tenant;

		private boolean readOnly;

		private SandboxAttributes attributes = SandboxAttributes.NONE;

		/**
		 * Creates a builder.
		 * @param command the command for the shell of the sandbox, never blank
		 * @param workspaceRoot the host directory of the workspace
		 */
		public Builder(String command, Path workspaceRoot) {
			this.command = command;
			this.workspaceRoot = workspaceRoot;
		}

		/**
		 * Sets the variables added to the environment.
		 * @param env names and values; null for none
		 * @return this builder
		 */
		public Builder env(@Nullable Map<String, String> env) {
			this.env = env;
			return this;
		}

		/**
		 * Sets the timeout.
		 * @param timeout the timeout, above zero
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets the number of first bytes of the output to keep.
		 * @param maxOutputBytes a number of bytes above zero
		 * @return this builder
		 */
		public Builder maxOutputBytes(long maxOutputBytes) {
			this.maxOutputBytes = maxOutputBytes;
			return this;
		}

		/**
		 * Sets the tenant of the command.
		 * @param tenant the tenant; null for {@link TenantContext#SINGLE}
		 * @return this builder
		 */
		public Builder tenant(@Nullable TenantContext tenant) {
			this.tenant = tenant;
			return this;
		}

		/**
		 * Sets whether to prevent the command from changing the workspace.
		 * @param readOnly true to prevent changes
		 * @return this builder
		 */
		public Builder readOnly(boolean readOnly) {
			this.readOnly = readOnly;
			return this;
		}

		/**
		 * Sets the optional attributes.
		 * @param attributes the attributes
		 * @return this builder
		 */
		public Builder attributes(SandboxAttributes attributes) {
			this.attributes = attributes;
			return this;
		}

		/**
		 * Creates the request.
		 * @return the request
		 * @throws IllegalArgumentException if the command is blank, or the timeout or the
		 * number of bytes is not above zero
		 */
		public SandboxRequest build() {
			return new SandboxRequest(this.command, this.workspaceRoot, this.env, this.timeout, this.maxOutputBytes,
					this.tenant, this.readOnly, this.attributes);
		}

	}

}
