package io.kairo.sandbox.remote.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Numbers}.
 */
class NumbersTests {

	@Test
	void containsWhatWasAddedInAnyOrder() {
		List<Long> order = new ArrayList<>(LongStream.rangeClosed(1, 500).boxed().toList());
		Collections.shuffle(order, new Random(1));
		Numbers numbers = new Numbers();
		for (int i = 0; i < order.size(); i++) {
			assertThat(numbers.contains(order.get(i))).isFalse();
			numbers.add(order.get(i));
			assertThat(order.subList(0, i + 1)).allMatch(numbers::contains);
		}
		assertThat(numbers.contains(501)).isFalse();
		numbers.add(7);
		assertThat(numbers.contains(7)).isTrue();
	}

}
