package io.kairo.autoconfigure.tools;

import java.time.Duration;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Validates the properties below {@code kairo.tools}.
 */
final class ToolPropertyChecks {

	private ToolPropertyChecks() {
	}

	static void requirePositive(String name, int value) {
		notBelow(name, value, 1);
	}

	static void requirePositive(String name, DataSize value) {
		if (value.toBytes() <= 0) {
			throw invalid(name, value, "it must be above zero, such as 64MB");
		}
	}

	static void requirePositive(String name, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw invalid(name, value, "it must be above zero, such as 20s");
		}
	}

	/**
	 * Returns the value unless it is below the minimum.
	 */
	static int notBelow(String name, int value, int least) {
		if (value < least) {
			throw invalid(name, value, "it must be at least " + least);
		}
		return value;
	}

	/**
	 * Returns the size, in bytes, of content that is held in memory at once.
	 */
	static int bytes(String name, DataSize size) {
		if (size.toBytes() > Integer.MAX_VALUE - 8) {
			throw invalid(name, size, "it must be below 2GB");
		}
		return (int) size.toBytes();
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.tools." + name, value, reason);
	}

}
