package io.kairo.autoconfigure.tenancy;

import java.util.Objects;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Propagates the bound tenants with Micrometer's context propagation, to other threads
 * and through Reactor. Since the registry is shared by the JVM, each Spring context has
 * its own key there until it is closed.
 */
final class TenantPropagation implements ThreadLocalAccessor<Object>, InitializingBean, DisposableBean {

	private final BoundTenants bound;

	private final ContextRegistry registry;

	private final Key key = new Key();

	TenantPropagation(BoundTenants bound, ContextRegistry registry) {
		this.bound = bound;
		this.registry = registry;
	}

	@Override
	public void afterPropertiesSet() {
		this.registry.registerThreadLocalAccessor(this);
	}

	@Override
	public void destroy() {
		this.registry.removeThreadLocalAccessor(this.key);
	}

	@Override
	public Object key() {
		return this.key;
	}

	@Override
	public @Nullable Object getValue() {
		return this.bound.capture();
	}

	@Override
	public void setValue(Object value) {
		this.bound.restore(value);
	}

	@Override
	public void setValue() {
		this.bound.restore(null);
	}

	@Override
	public void restore(Object previousValue) {
		this.bound.restore(Objects.requireNonNull(previousValue, "previousValue"));
	}

	/**
	 * A key that is equal only to itself.
	 */
	private static final class Key {

		@Override
		public String toString() {
			return "kairo.tenant@" + Integer.toHexString(hashCode());
		}

	}

}
