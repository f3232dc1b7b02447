package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * A command and the bounds it runs in. Immutable.
 *
 * @param command what the shell of the sandbox runs, never blank
 * @param workspaceRoot the host directory that the command works in
 * @param env entries added to the environment that the sandbox lets through; null becomes
 * empty
 * @param timeout after this time the command and everything it started is ended, above
 * zero
 * @param maxOutputBytes how much of the beginning of the output is kept, both streams
 * together, above zero
 * @param tenant who the command runs for; null becomes {@link TenantContext#SINGLE}
 * @param readOnly whether the command may not change the workspace; a sandbox that cannot
 * see to that refuses the request
 * @param attributes what is asked for beyond that; null becomes
 * {@link SandboxAttributes#NONE}
 * @since 0.1.0
 */
public record SandboxRequest(String command, Path workspaceRoot, Map<String, String> env, Duration timeout,
		long maxOutputBytes, TenantContext tenant, boolean readOnly, SandboxAttributes attributes) {

	/**
	 * Creates a request.
	 * @param command what the shell of the sandbox runs, never blank
	 * @param workspaceRoot the host directory that the command works in
	 * @param env entries added to the environment; null becomes empty
	 * @param timeout the time it may take, above zero
	 * @param maxOutputBytes how much of the beginning of the output is kept, above zero
	 * @param tenant who the command runs for; null becomes {@link TenantContext#SINGLE}
	 * @param readOnly whether the command may not change the workspace
	 * @param attributes what is asked for beyond that; null becomes
	 * {@link SandboxAttributes#NONE}
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
	 * @param command what the shell of the sandbox runs, never blank
	 * @param workspaceRoot the host directory that the command works in
	 * @param env entries added to the environment; null becomes empty
	 * @param timeout the time it may take, above zero
	 * @param maxOutputBytes how much of the beginning of the output is kept, above zero
	 * @param tenant who the command runs for; null becomes {@link TenantContext#SINGLE}
	 * @param readOnly whether the command may not change the workspace
	 * @throws IllegalArgumentException if the command is blank, or the timeout or the
	 * number of bytes is not above zero
	 */
	public SandboxRequest(String command, Path workspaceRoot, @Nullable Map<String, String> env, Duration timeout,
			long maxOutputBytes, @Nullable TenantContext tenant, boolean readOnly) {
		this(command, workspaceRoot, env, timeout, maxOutputBytes, tenant, readOnly, SandboxAttributes.NONE);
	}

	/**
	 * Describes the request, without the values of the environment, which may be secret.
	 */
	@Override
	public String toString() {
		return "SandboxRequest[command=" + this.command + ", workspaceRoot=" + this.workspaceRoot + ", env="
				+ this.env.keySet() + ", timeout=" + this.timeout + ", maxOutputBytes=" + this.maxOutputBytes
				+ ", tenant=" + this.tenant.tenantId() + ", readOnly=" + this.readOnly + ", attributes="
				+ this.attributes + "]";
	}

	/**
	 * Collects the parts of a request: 30 seconds, 1 MiB, the single tenant, writable and
	 * no attributes unless set. For use by one thread.
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
		 * @param command what the shell of the sandbox runs, never blank
		 * @param workspaceRoot the host directory that the command works in
		 */
		public Builder(String command, Path workspaceRoot) {
			this.command = command;
			this.workspaceRoot = workspaceRoot;
		}

		/**
		 * Sets the entries added to the environment.
		 * @param env names and values; null for none
		 * @return this builder
		 */
		public Builder env(@Nullable Map<String, String> env) {
			this.env = env;
			return this;
		}

		/**
		 * Sets the time that the command may take.
		 * @param timeout above zero
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets how much of the beginning of the output is kept.
		 * @param maxOutputBytes a number of bytes above zero
		 * @return this builder
		 */
		public Builder maxOutputBytes(long maxOutputBytes) {
			this.maxOutputBytes = maxOutputBytes;
			return this;
		}

		/**
		 * Sets who the command runs for.
		 * @param tenant the tenant; null for {@link TenantContext#SINGLE}
		 * @return this builder
		 */
		public Builder tenant(@Nullable TenantContext tenant) {
			this.tenant = tenant;
			return this;
		}

		/**
		 * Sets whether the command may not change the workspace.
		 * @param readOnly true for a command that only reads
		 * @return this builder
		 */
		public Builder readOnly(boolean readOnly) {
			this.readOnly = readOnly;
			return this;
		}

		/**
		 * Sets what is asked for beyond the essentials.
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
