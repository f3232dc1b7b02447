package io.kairo.api.tenant;

/**
 * Answers which tenant the current unit of work belongs to.
 * <p>
 * Implementations are safe for use by several threads; what {@link #current()} returns
 * may differ from thread to thread.
 *
 * @since 0.1.0
 */
public interface TenantContextHolder {

	/**
	 * A holder for applications with one tenant: {@link #current()} is always
	 * {@link TenantContext#SINGLE} and {@link #bind(TenantContext)} has no effect.
	 */
	TenantContextHolder NOOP = new NoopTenantContextHolder();

	/**
	 * Creates a holder that keeps a stack of contexts for each thread. Two holders share
	 * nothing.
	 * @return a new holder; with nothing bound its {@link #current()} is
	 * {@link TenantContext#SINGLE}
	 */
	static TenantContextHolder threadBound() {
		return new ThreadBoundTenantContextHolder();
	}

	/**
	 * Returns the context bound last.
	 * @return the context, {@link TenantContext#SINGLE} when none is bound
	 */
	TenantContext current();

	/**
	 * Binds a context until the returned scope is closed. Meant for try-with-resources.
	 * @param context the context to bind
	 * @return the scope that restores what was bound before
	 */
	Scope bind(TenantContext context);

	/**
	 * The time during which a context is bound.
	 */
	interface Scope extends AutoCloseable {

		/**
		 * Restores the context that was bound before. Closing a second time does nothing.
		 * @throws IllegalStateException if a scope that was opened later is still open,
		 * or if the scope belongs to another thread; nothing is changed then
		 */
		@Override
		void close();

	}

}
