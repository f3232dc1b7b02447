package io.kairo.api.tenant;

/**
 * The holder of the tenant of the current unit of work.
 * <p>
 * Implementations are safe for use by several threads; the result of {@link #current()}
 * may differ between threads.
 */
public interface TenantContextHolder {

	/**
	 * A holder for applications with one tenant: {@link #current()} is always
	 * {@link TenantContext#SINGLE} and {@link #bind(TenantContext)} has no effect.
	 */
	TenantContextHolder NOOP = new NoopTenantContextHolder();

	/**
	 * Creates a holder that keeps a stack of contexts for each thread. Holders share no
	 * state.
	 * @return a new holder, whose {@link #current()} is {@link TenantContext#SINGLE}
	 * while no context is bound
	 */
	static TenantContextHolder threadBound() {
		return new ThreadBoundTenantContextHolder();
	}

	/**
	 * Returns the context bound last.
	 * @return the context, {@link TenantContext#SINGLE} if none is bound
	 */
	TenantContext current();

	/**
	 * Binds a context until the returned scope is closed. Meant for try-with-resources.
	 * @param context the context to bind
	 * @return the scope that restores the previous context
	 */
	Scope bind(TenantContext context);

	/**
	 * The scope of a bound context.
	 */
	interface Scope extends AutoCloseable {

		/**
		 * Restores the previous context. Closing a second time has no effect.
		 * @throws IllegalStateException if a scope opened later is still open, or if the
		 * scope belongs to another thread; nothing is changed then
		 */
		@Override
		void close();

	}

}
