package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * Waits for a channel to become ready. For use by one thread.
 *
 * @param selector the selector of the connection
 */
record ChannelWait(Selector selector) {

	/**
	 * Waits until a channel is ready.
	 * @return false after the timeout
	 */
	boolean await(SocketChannel channel, int operation, Duration timeout) throws IOException {
		SelectionKey key = channel.register(this.selector, operation);
		long deadline = System.nanoTime() + timeout.toNanos();
		while (true) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				return false;
			}
			this.selector.select(left);
			boolean ready = this.selector.selectedKeys().remove(key);
			this.selector.selectedKeys().clear();
			if (ready) {
				key.interestOps(0);
				return true;
			}
		}
	}

}
