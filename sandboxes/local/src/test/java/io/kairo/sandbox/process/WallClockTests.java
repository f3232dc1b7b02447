package io.kairo.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no deadline depends on the wall clock, which can jump: sandboxes measure
 * time with {@link System#nanoTime()}.
 */
class WallClockTests {

	private static final Pattern WALL_CLOCK = Pattern
		.compile("currentTimeMillis|Instant\\.now|Clock\\.system|LocalDateTime\\.now|new Date\\(\\)|new Timer\\(");

	@Test
	void sandboxesDoNotReadTheWallClock() throws IOException {
		List<Path> sources = new ArrayList<>();
		for (String module : List.of("support", "local")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
			}
		}
		assertThat(sources).anyMatch((source) -> text(source).contains("nanoTime"))
			.noneMatch(WallClockTests::readsWallClock);
	}

	private static boolean readsWallClock(Path source) {
		return WALL_CLOCK.matcher(text(source)).find();
	}

	private static String text(Path source) {
		try {
			return Files.readString(source);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
