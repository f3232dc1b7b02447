package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link SocketBuffers}.
 */
class SocketBuffersTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 2_000 : 300;

	private static final String LIMIT = "memory.kmem.tcp.limit_in_bytes";

	@TempDir
	Path groups;

	@Test
	void groupIsFoundBelowThoseOfTheEngine() throws Exception {
		for (String parent : new String[] { "docker", "system.slice/docker" }) {
			Path group = Files.createDirectories(this.groups.resolve(parent + "/docker-0123.scope"));
			assertThat(new SocketBuffers(this.groups).limit("0123", 4096)).isTrue();
			assertThat(group.resolve(LIMIT)).hasContent("4096");
			Files.delete(group.resolve(LIMIT));
			Files.delete(group);
		}
		assertThat(new SocketBuffers(this.groups).limit("0123", 4096)).isFalse();
	}

	@Test
	@Timeout(60)
	void groupIsFoundWhileOthersVanish() throws Exception {
		Path engine = Files.createDirectory(this.groups.resolve("docker"));
		Files.createDirectory(engine.resolve("0123"));
		AtomicBoolean ended = new AtomicBoolean();
		Thread others = new Thread(() -> createAndRemove(engine, ended));
		others.start();
		try {
			for (int i = 0; i < ROUNDS; i++) {
				assertThat(new SocketBuffers(this.groups).limit("0123", 4096)).as("limited the time %d", i).isTrue();
			}
		}
		finally {
			ended.set(true);
			others.join();
		}
	}

	private static void createAndRemove(Path engine, AtomicBoolean ended) {
		try {
			while (!ended.get()) {
				for (int i = 0; i < 20; i++) {
					Files.createDirectories(engine.resolve("other-" + i + "/group"));
				}
				for (int i = 0; i < 20; i++) {
					Files.delete(engine.resolve("other-" + i + "/group"));
					Files.delete(engine.resolve("other-" + i));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
