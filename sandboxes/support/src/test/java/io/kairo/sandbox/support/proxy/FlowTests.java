package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Flow}.
 */
@Timeout(60)
class FlowTests {

	@TempDir
	Path directory;

	private ServerSocketChannel server;

	private SocketChannel client;

	private SocketChannel source;

	private SocketChannel sink;

	private SocketChannel host;

	@BeforeEach
	void connect() throws IOException {
		UnixDomainSocketAddress address = UnixDomainSocketAddress.of(this.directory.resolve("s"));
		this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
		this.client = SocketChannel.open(address);
		this.source = this.server.accept();
		this.sink = SocketChannel.open(address);
		this.host = this.server.accept();
		this.source.configureBlocking(false);
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
		this.source.close();
		this.sink.close();
		this.host.close();
		this.server.close();
	}

	private static ByteBuffer bytes(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
	}

	private String received(int most) throws IOException {
		ByteBuffer buffer = ByteBuffer.allocate(most);
		int read = this.host.read(buffer);
		return (read < 0) ? "end" : new String(buffer.array(), 0, read, StandardCharsets.US_ASCII);
	}

	@Test
	void bodyIsLimitedToAnnouncedLength() throws IOException {
		Flow flow = new Flow(this.source, this.sink, 4, false);
		flow.begin(bytes("ab"));
		this.client.write(bytes("cdGET /second"));
		flow.move();
		assertThat(flow.isDone()).isTrue();
		assertThat(flow.move()).isFalse();
		assertThat(received(100)).isEqualTo("abcd");
		assertThat(flow.count()).isEqualTo(4);
	}

	@Test
	void bytesAfterHeadAreLimitedToBody() throws IOException {
		Flow flow = new Flow(this.source, this.sink, 2, false);
		flow.begin(bytes("abGET /second"));
		flow.move();
		assertThat(flow.isDone()).isTrue();
		assertThat(received(100)).isEqualTo("ab");
	}

	@Test
	void endOfSourceIsForwardedAfterItsBytes() throws IOException {
		Flow flow = new Flow(this.source, this.sink, Long.MAX_VALUE, true);
		this.client.write(bytes("abc"));
		this.client.shutdownOutput();
		while (!flow.isDone()) {
			flow.move();
		}
		assertThat(received(100)).isEqualTo("abc");
		assertThat(received(100)).isEqualTo("end");
	}

	@Test
	void flowStopsReadingWhileSinkIsFull() throws IOException {
		this.sink.configureBlocking(false);
		Flow flow = new Flow(this.source, this.sink, Long.MAX_VALUE, true);
		byte[] many = new byte[1 << 16];
		this.client.configureBlocking(false);
		long sent = 0;
		for (int i = 0; i < 1000; i++) {
			sent += this.client.write(ByteBuffer.wrap(many));
			flow.move();
		}
		assertThat(flow.interestInSource()).as("%s bytes sent", sent).isZero();
		assertThat(flow.interestInSink()).isNotZero();
	}

}
