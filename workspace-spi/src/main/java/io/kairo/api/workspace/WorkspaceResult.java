package io.kairo.api.workspace;

import java.util.Objects;
import java.util.function.Function;

/**
 * The outcome of an operation on a valid path: a value, or a failure with a code. A
 * malformed path throws {@link WorkspacePathException} instead.
 *
 * @param <T> the type of the value
 */
public sealed interface WorkspaceResult<T> {

	/**
	 * Creates a successful result.
	 * @param <T> the type of the value
	 * @param value the value
	 * @return the result
	 */
	static <T> WorkspaceResult<T> ok(T value) {
		return new Ok<>(value);
	}

	/**
	 * Creates a failed result.
	 * @param <T> the type of the missing value
	 * @param code the code of the failure
	 * @param message problem and remedy, with the path in a spelling that the caller can
	 * use
	 * @return the result
	 */
	static <T> WorkspaceResult<T> failure(WorkspaceErrorCode code, String message) {
		return new Failure<>(code, message);
	}

	/**
	 * Returns whether there is a value.
	 * @return true for {@link Ok}
	 */
	default boolean isOk() {
		return this instanceof Ok;
	}

	/**
	 * Returns the value.
	 * @return the value
	 * @throws WorkspaceException with the code and message of the failure, if there is no
	 * value
	 */
	T value();

	/**
	 * Applies a function to the value, if there is one.
	 * @param <R> the type of the new value
	 * @param function applied to the value
	 * @return the new value, or this failure
	 */
	default <R> WorkspaceResult<R> map(Function<? super T, ? extends R> function) {
		if (this instanceof Failure<T> failure) {
			return failure.cast();
		}
		return ok(function.apply(value()));
	}

	/**
	 * A result with a value.
	 *
	 * @param <T> the type of the value
	 * @param value the value
	 */
	record Ok<T>(T value) implements WorkspaceResult<T> {

		/**
		 * Creates the value.
		 */
		public Ok {
			Objects.requireNonNull(value, "value");
		}

	}

	/**
	 * A result without a value.
	 *
	 * @param <T> the type of the missing value
	 * @param code the code of the failure, for decisions of clients
	 * @param message problem and remedy, such that a model can act on them
	 */
	record Failure<T>(WorkspaceErrorCode code, String message) implements WorkspaceResult<T> {

		/**
		 * Creates the value.
		 */
		public Failure {
			Objects.requireNonNull(code, "code");
			Objects.requireNonNull(message, "message");
		}

		/**
		 * Returns this failure as the result of an operation with another type of value.
		 * @param <R> the type of the value
		 * @return this failure
		 */
		@SuppressWarnings("unchecked") // there is no value
		public <R> WorkspaceResult<R> cast() {
			return (WorkspaceResult<R>) this;
		}

		@Override
		public T value() {
			throw new WorkspaceException(this.code, this.message, null);
		}

	}

}
