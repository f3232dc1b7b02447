package io.kairo.linux;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Scratch}.
 */
class ScratchTests {

	private final Scratch scratch = new Scratch();

	@Test
	void memoryIsUsedAgain() {
		ByteBuffer memory = this.scratch.take();
		this.scratch.give(memory.position(7).limit(9));
		ByteBuffer again = this.scratch.take();
		assertThat(again).isSameAs(memory);
		assertThat(again.remaining()).isEqualTo(again.capacity());
	}

	@Test
	void memoryIsUsedByOneAtATimeAndKeptUpToABound() {
		Set<ByteBuffer> taken = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 70; i++) {
			taken.add(this.scratch.take());
		}
		assertThat(taken).hasSize(70);
		taken.forEach(this.scratch::give);
		int known = 0;
		for (int i = 0; i < 70; i++) {
			known += taken.contains(this.scratch.take()) ? 1 : 0;
		}
		assertThat(known).isEqualTo(64);
	}

}
