package io.kairo.autoconfigure.sandbox;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Tests for {@link ReactorPreinitializer}.
 */
class ReactorPreinitializerTests {

	@Test
	void reactorIsInitializedInTheBackground() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
			.filteredOn(ReactorPreinitializer.class::isInstance)
			.singleElement()
			.satisfies((reactor) -> assertThatCode(reactor::preinitialize).doesNotThrowAnyException());
	}

}
