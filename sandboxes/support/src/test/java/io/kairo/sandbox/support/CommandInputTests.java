package io.kairo.sandbox.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link CommandInput}.
 */
@Timeout(30)
class CommandInputTests {

	private final CountDownLatch writing = new CountDownLatch(1);

	private final CountDownLatch proceed = new CountDownLatch(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final OutputStream blockingStream = new OutputStream() {

		@Override
		public void write(int octet) throws IOException {
			CommandInputTests.this.writing.countDown();
			try {
				CommandInputTests.this.proceed.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
		}

		@Override
		public void close() {
			CommandInputTests.this.closed.countDown();
		}

	};

	@Test
	void inputForwardsBytesUntilItIsClosed() throws IOException {
		ByteArrayOutputStream pipe = new ByteArrayOutputStream();
		try (CommandInput input = new CommandInput(pipe)) {
			input.write('a');
			input.write(new byte[] { 'b', 'c' });
			assertThat(pipe).hasToString("abc");
			input.close();
			assertThatIOException().isThrownBy(() -> input.write('d'));
		}
	}

	@Test
	void closeDoesNotWaitForBlockedWriter() throws Exception {
		CommandInput input = new CommandInput(this.blockingStream);
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
			try {
				input.write('x');
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.writing.await();
		input.close();
		assertThat(this.closed.getCount()).isEqualTo(1);
		this.proceed.countDown();
		writer.join();
		this.closed.await();
	}

}
