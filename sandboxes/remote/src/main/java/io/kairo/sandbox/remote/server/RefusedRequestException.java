package io.kairo.sandbox.remote.server;

import java.util.Map;

import io.kairo.sandbox.remote.protocol.ErrorMessage;
import org.jspecify.annotations.Nullable;

/**
 * Thrown for a request that is refused.
 */
final class RefusedRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int UNPROCESSABLE = 422;

	private static final Map<String, Integer> STATUS = Map.of(ErrorMessage.LEASE_ENDED, 404, ErrorMessage.COMMAND_GONE,
			410, ErrorMessage.UNAUTHORIZED, 401, ErrorMessage.FORBIDDEN, 403, ErrorMessage.INVALID_REQUEST, 400,
			ErrorMessage.CONFLICT, 409, ErrorMessage.BUSY, 429);

	private final transient ErrorMessage error;

	RefusedRequestException(String code, String problem, String remedy) {
		this(new ErrorMessage(code, problem, remedy), null);
	}

	RefusedRequestException(ErrorMessage error, @Nullable Throwable cause) {
		super(error.problem() + ": " + error.remedy(), cause);
		this.error = error;
	}

	/**
	 * Returns the refusal of a request that cannot be understood.
	 */
	static RefusedRequestException invalid(IllegalArgumentException cause) {
		return new RefusedRequestException(new ErrorMessage(ErrorMessage.INVALID_REQUEST,
				"The request is invalid: " + cause.getMessage(), "send one as the API describes it"), cause);
	}

	ErrorMessage error() {
		return this.error;
	}

	/**
	 * Returns the status of the response.
	 */
	int status() {
		return STATUS.getOrDefault(this.error.code(), UNPROCESSABLE);
	}

}
