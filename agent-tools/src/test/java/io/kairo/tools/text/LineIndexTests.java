package io.kairo.tools.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineIndex}.
 */
class LineIndexTests {

	static LongStream seeds() {
		return LongStream.range(0, 100);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void everyLineIsFound(long seed) {
		Random random = new Random(seed);
		int longest = 1 + random.nextInt(List.of(3, 50, 600, 2000).get(random.nextInt(4)));
		StringBuilder text = new StringBuilder();
		List<Integer> starts = new ArrayList<>(List.of(0));
		for (int lines = random.nextInt(300); lines > 0; lines--) {
			text.append("x".repeat(random.nextInt(longest))).append('\n');
			starts.add(text.length());
		}
		text.append("y".repeat(random.nextInt(3)));
		byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
		LineIndex index = new LineIndex(bytes, 0, 1, false);
		assertThat(index.count()).as("seed %d", seed).isEqualTo(starts.size());
		for (int i = 0; i < 200; i++) {
			int line = random.nextInt(starts.size());
			assertThat(index.start(line)).as("seed %d, line %d", seed, line).isEqualTo(starts.get(line));
			int end = (line + 1 < starts.size()) ? starts.get(line + 1) : bytes.length + 1;
			int offset = starts.get(line) + random.nextInt(end - starts.get(line));
			assertThat(index.lineAt(offset)).as("seed %d, offset %d", seed, offset).isEqualTo(line);
		}
	}

}
