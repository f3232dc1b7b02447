package io.kairo.sandbox.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;

/**
 * The body of a response in memory. Fails if it is too long.
 */
final class BoundedBody implements BodySubscriber<byte[]> {

	private final int mostBytes;

	private final ByteArrayOutputStream received = new ByteArrayOutputStream();

	private final CompletableFuture<byte[]> body = new CompletableFuture<>();

	private Flow.@Nullable Subscription subscription;

	BoundedBody(int mostBytes) {
		this.mostBytes = mostBytes;
	}

	@Override
	public CompletionStage<byte[]> getBody() {
		return this.body;
	}

	@Override
	public void onSubscribe(Flow.Subscription subscription) {
		this.subscription = subscription;
		subscription.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(List<ByteBuffer> parts) {
		for (ByteBuffer part : parts) {
			if (this.received.size() + part.remaining() > this.mostBytes) {
				if (this.subscription != null) {
					this.subscription.cancel();
				}
				this.body.completeExceptionally(new TooLongException(this.mostBytes));
				return;
			}
			byte[] bytes = new byte[part.remaining()];
			part.get(bytes);
			this.received.writeBytes(bytes);
		}
	}

	@Override
	public void onError(Throwable failure) {
		this.body.completeExceptionally(failure);
	}

	@Override
	public void onComplete() {
		this.body.complete(this.received.toByteArray());
	}

	/**
	 * Thrown if the body of a response is too long.
	 */
	static final class TooLongException extends IOException {

		private static final long serialVersionUID = 1L;

		TooLongException(int mostBytes) {
			super("The worker sent over " + mostBytes + " bytes");
		}

	}

}
