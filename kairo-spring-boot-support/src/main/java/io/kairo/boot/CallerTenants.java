package io.kairo.boot;

import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The tenants of the callers of an adapter. A model or a client is told that it has no
 * tenant; the reason, and the advice on the configuration, are logged for the operator.
 * Safe for use by several threads.
 */
public final class CallerTenants {

	private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]");

	private static final Log logger = LogFactory.getLog(CallerTenants.class);

	private final TenantContextHolder holder;

	private final AtomicBoolean advised = new AtomicBoolean();

	/**
	 * Creates the tenants.
	 * @param holder the holder of the tenant of a thread
	 */
	public CallerTenants(TenantContextHolder holder) {
		this.holder = holder;
	}

	/**
	 * Returns the tenant of the caller on the current thread.
	 * @return the tenant; empty if a tenant is required and there is none (logged once)
	 * @throws RuntimeException if the principal belongs to no tenant
	 */
	public Optional<TenantContext> current() {
		return current(null);
	}

	/**
	 * Returns the tenant of the caller of a request that the current thread works for.
	 * @param requester the principal of the request, never used as the default tenant;
	 * null if there is none
	 * @return the tenant; empty if a tenant is required and there is none (logged once)
	 * @throws RuntimeException if the principal belongs to no tenant
	 */
	public Optional<TenantContext> current(@Nullable Principal requester) {
		try {
			return Optional.of((this.holder instanceof RequestTenantContextHolder requests)
					? requests.current(requester) : this.holder.current());
		}
		catch (TenantRequiredException ex) {
			if (this.advised.compareAndSet(false, true)) {
				logger.warn("Calls without a tenant are refused. " + visible(String.valueOf(ex.getMessage())));
			}
			return Optional.empty();
		}
	}

	/**
	 * Returns the tenant of the caller on the current thread, or nothing if the principal
	 * belongs to no tenant. This is logged in one line.
	 * @return the tenant; empty if the caller has to be refused
	 */
	public Optional<TenantContext> find() {
		try {
			return current();
		}
		catch (RuntimeException ex) {
			log("a tool", ex);
			return Optional.empty();
		}
	}

	/**
	 * Logs, in one line, a caller that is refused because the resolver threw an
	 * exception.
	 * @param target the target of the call
	 * @param failure the exception of the resolver
	 */
	public static void log(String target, RuntimeException failure) {
		logger.warn("A call of " + target + " was refused, since no tenant could be resolved for its caller: "
				+ visible(failure.toString()));
	}

	private static String visible(String text) {
		return INVISIBLE.matcher(text.replace('\t', ' '))
			.replaceAll((match) -> String.format("\\\\u%04x", match.group().codePointAt(0)));
	}

}
