package io.kairo.tools;

import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A value that is created on first use. If the creation fails, the next use tries again.
 * Safe for use by several threads.
 *
 * @param <T> the type of the value
 */
final class OnDemand<T> implements Supplier<T> {

	private final Supplier<T> maker;

	private @Nullable T value;

	OnDemand(Supplier<T> maker) {
		this.maker = maker;
	}

	@Override
	public synchronized T get() {
		if (this.value == null) {
			this.value = Objects.requireNonNull(this.maker.get(), "value");
		}
		return this.value;
	}

}
