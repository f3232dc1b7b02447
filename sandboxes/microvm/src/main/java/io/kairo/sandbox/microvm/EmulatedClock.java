package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of the time stamp counter of an emulated machine, equal to the rate of the
 * host. The kernel of a machine that has no better clock would measure it by timer
 * interrupts. They arrive too irregularly: about every third machine waited for them
 * forever.
 */
final class EmulatedClock {

	private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

	/** The nominal rate, where the name of the processor has it. */
	private static final Pattern NOMINAL = Pattern.compile("model name.*@ (\\d{1,2}\\.\\d{1,3})GHz");

	private static final Pattern CURRENT = Pattern.compile("cpu MHz\\s*: (\\d{3,5}\\.\\d{1,3})");

	private static final int USUAL_KHZ = 2_500_000;

	private EmulatedClock() {
	}

	/**
	 * Returns the parameters for the kernel of an emulated machine.
	 */
	static String parameters() {
		return " tsc=reliable tsc_early_khz=" + kilohertz();
	}

	private static int kilohertz() {
		String processors;
		try {
			processors = Files.readString(PROCESSORS, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return USUAL_KHZ;
		}
		return kilohertz(processors);
	}

	/**
	 * Returns the rate of the first processor.
	 * @param processors the content of {@code /proc/cpuinfo}
	 */
	static int kilohertz(String processors) {
		Matcher nominal = NOMINAL.matcher(processors);
		if (nominal.find()) {
			return (int) Math.round(Double.parseDouble(nominal.group(1)) * 1e6);
		}
		Matcher current = CURRENT.matcher(processors);
		return current.find() ? (int) Math.round(Double.parseDouble(current.group(1)) * 1e3) : USUAL_KHZ;
	}

}
