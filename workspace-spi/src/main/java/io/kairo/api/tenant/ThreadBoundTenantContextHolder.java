package io.kairo.api.tenant;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A holder that keeps the bound contexts as a stack per thread, each scope pointing to
 * the one below.
 */
final class ThreadBoundTenantContextHolder implements TenantContextHolder {

	@SuppressWarnings("ThreadLocalUsage") // not static, as holders share no state
	private final ThreadLocal<@Nullable BoundScope> top = new ThreadLocal<>();

	@Override
	public TenantContext current() {
		BoundScope scope = this.top.get();
		return (scope != null) ? scope.context : TenantContext.SINGLE;
	}

	@Override
	public Scope bind(TenantContext context) {
		BoundScope scope = new BoundScope(Objects.requireNonNull(context, "context"), this.top.get());
		this.top.set(scope);
		return scope;
	}

	private final class BoundScope implements Scope {

		private final TenantContext context;

		private final @Nullable BoundScope below;

		private volatile boolean closed;

		BoundScope(TenantContext context, @Nullable BoundScope below) {
			this.context = context;
			this.below = below;
		}

		@Override
		public void close() {
			if (this.closed) {
				return;
			}
			if (ThreadBoundTenantContextHolder.this.top.get() != this) {
				throw new IllegalStateException("The scope of tenant '" + this.context.tenantId()
						+ "' is not the innermost one of this thread: close scopes in reverse order, "
						+ "on the thread that opened them");
			}
			this.closed = true;
			if (this.below != null) {
				ThreadBoundTenantContextHolder.this.top.set(this.below);
			}
			else {
				ThreadBoundTenantContextHolder.this.top.remove();
			}
		}

	}

}
