package io.kairo.autoconfigure.tenancy;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The bound tenants, as a stack for each thread. A stack is immutable, apart from the
 * closing of its scopes, so that it can be passed to another thread.
 */
final class BoundTenants {

	@SuppressWarnings("ThreadLocalUsage") // Spring contexts share no state
	private final ThreadLocal<@Nullable Bound> top = new ThreadLocal<>();

	@Nullable TenantContext current() {
		Bound bound = this.top.get();
		return (bound != null) ? bound.tenant : null;
	}

	Scope bind(TenantContext tenant) {
		Bound bound = new Bound(Objects.requireNonNull(tenant, "tenant"), this.top.get());
		this.top.set(bound);
		return bound;
	}

	/**
	 * Returns the stack of this thread.
	 */
	@Nullable Object capture() {
		return this.top.get();
	}

	/**
	 * Sets the stack of this thread to a captured one.
	 */
	void restore(@Nullable Object captured) {
		if (captured instanceof Bound bound) {
			this.top.set(bound);
		}
		else {
			this.top.remove();
		}
	}

	/**
	 * A bound tenant, on top of another one.
	 */
	private final class Bound implements Scope {

		private final TenantContext tenant;

		private final @Nullable Bound below;

		private final Thread thread = Thread.currentThread();

		private volatile boolean closed;

		Bound(TenantContext tenant, @Nullable Bound below) {
			this.tenant = tenant;
			this.below = below;
		}

		@Override
		public void close() {
			if (this.closed) {
				return;
			}
			if (BoundTenants.this.top.get() != this || this.thread != Thread.currentThread()) {
				throw new IllegalStateException("The scope of tenant '" + this.tenant.tenantId()
						+ "' is not the innermost one of this thread: close scopes in reverse order, "
						+ "on the thread that opened them");
			}
			this.closed = true;
			restore(this.below);
		}

	}

}
