package io.kairo.autoconfigure.tenancy;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The tenants that are bound, as a stack for each thread. What is on the stack can be
 * carried to another thread as a whole, since it is immutable but for being closed.
 */
final class BoundTenants {

	@SuppressWarnings("ThreadLocalUsage") // two contexts of Spring share nothing
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
	 * Makes a stack that was captured the one of this thread.
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
	 * A tenant that is bound, on top of another one.
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
