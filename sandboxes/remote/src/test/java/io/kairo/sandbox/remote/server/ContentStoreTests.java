package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.host.Sha256;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link ContentStore}.
 */
class ContentStoreTests {

	private static final int MAX_BYTES = 10 * 4096;

	@TempDir
	Path directory;

	private ContentStore store;

	@BeforeEach
	void createStore() throws IOException {
		this.store = new ContentStore(Files.createDirectory(this.directory.resolve("contents")), MAX_BYTES);
	}

	private ContentStore.Key add(String owner, String content) throws IOException {
		ContentStore.Key key = new ContentStore.Key(owner, Sha256.hex(content.getBytes()));
		Path file = Files.writeString(this.directory.resolve("new"), content);
		this.store.add(key, file, content.length());
		assertThat(file).doesNotExist();
		return key;
	}

	@Test
	void contentIsThereForItsOwnerOnly() throws IOException {
		ContentStore.Key key = add("a", "content");
		assertThat(this.store.use(key)).isTrue();
		assertThat(this.store.path(key)).hasContent("content");
		assertThat(this.store.use(new ContentStore.Key("b", key.sha256()))).isFalse();
	}

	@Test
	void leastRecentlyUsedContentMakesRoom() throws IOException {
		ContentStore.Key first = add("a", "first");
		ContentStore.Key second = add("b", "second");
		this.store.release(second);
		this.store.release(first);
		this.store.use(first);
		this.store.release(first);
		for (int i = 0; i < 9; i++) {
			this.store.release(add("a", "more" + i));
		}
		assertThat(this.store.bytes()).isEqualTo(MAX_BYTES);
		assertThat(this.store.use(second)).isFalse();
		assertThat(this.store.path(second)).doesNotExist();
		assertThat(this.store.use(first)).isTrue();
	}

	@Test
	void contentInUseStaysAndOthersAreRefused() throws IOException {
		for (int i = 0; i < 10; i++) {
			add("a", "used" + i);
		}
		assertThatIOException().isThrownBy(() -> add("b", "one more")).withMessageContaining(MAX_BYTES + " bytes");
		assertThat(this.store.use(new ContentStore.Key("a", Sha256.hex("used0".getBytes())))).isTrue();
		assertThat(this.store.bytes()).isEqualTo(MAX_BYTES);
	}

	@Test
	void contentTwiceTakesUpRoomOnce() throws IOException {
		ContentStore.Key key = add("a", "content");
		add("a", "content");
		assertThat(this.store.bytes()).isEqualTo(4096);
		this.store.release(key);
		for (int i = 0; i < 9; i++) {
			add("a", "more" + i);
		}
		assertThatIOException().isThrownBy(() -> add("a", "evicts what is used twice"));
		assertThat(this.store.use(key)).isTrue();
	}

}
