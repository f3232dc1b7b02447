package io.kairo.workspace.search;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ByteCount}.
 */
class ByteCountTests {

	static LongStream seeds() {
		return LongStream.range(0, 300);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void bytesAreCountedAndFoundAsOneByOne(long seed) {
		Random random = new Random(seed);
		byte[] bytes = new byte[random.nextInt(100)];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = (byte) (random.nextInt(6) - 3 + (random.nextInt(4) == 0 ? 0x80 : 0));
		}
		byte value = (byte) (random.nextInt(6) - 3);
		int from = random.nextInt(bytes.length + 1);
		int to = from + random.nextInt(bytes.length - from + 1);
		int[] places = IntStream.range(from, to).filter((i) -> bytes[i] == value).toArray();
		assertThat(ByteCount.of(value, bytes, from, to)).as("seed %d", seed).isEqualTo(places.length);
		assertThat(ByteCount.first(value, bytes, from, to)).as("seed %d", seed)
			.isEqualTo((places.length > 0) ? places[0] : -1);
	}

}
