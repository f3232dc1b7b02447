package io.kairo.workspace.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * Bounds the answers that are parsed in memory: all but the contents of objects.
 */
final class BoundedAnswers implements ExecutionInterceptor {

	static final String TOO_LONG = "The answer is too long";

	private static final long MAX_BYTES = 16 << 20;

	@Override
	public Optional<InputStream> modifyHttpResponseContent(Context.ModifyHttpResponse context,
			ExecutionAttributes attributes) {
		boolean content = context.request() instanceof GetObjectRequest && context.httpResponse().isSuccessful();
		return content ? context.responseBody() : context.responseBody().map(Bounded::new);
	}

	/**
	 * A stream that fails beyond the bound.
	 */
	private static final class Bounded extends FilterInputStream {

		private long rest = MAX_BYTES;

		Bounded(InputStream in) {
			super(in);
		}

		@Override
		public int read() throws IOException {
			int read = super.read();
			count((read < 0) ? 0 : 1);
			return read;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int count = super.read(bytes, offset, length);
			count(Math.max(0, count));
			return count;
		}

		private void count(int read) {
			this.rest -= read;
			if (this.rest < 0) {
				// an IOException would have the request repeated
				throw SdkClientException.create(TOO_LONG);
			}
		}

	}

}
