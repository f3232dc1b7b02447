package io.kairo.workspace.local;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells one process from another, also from a later one with the same number.
 *
 * @param text what names of files start with
 * @since 0.1.0
 */
public record ProcessIdentity(String text) {

	private static final Pattern TEXT = Pattern.compile("(\\d{1,18})-(\\d{1,18})-");

	/**
	 * Returns the identity of this process.
	 * @return number and start
	 */
	public static ProcessIdentity current() {
		return of(ProcessHandle.current());
	}

	private static ProcessIdentity of(ProcessHandle process) {
		long start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
		return new ProcessIdentity(process.pid() + "-" + start + "-");
	}

	/**
	 * Returns whether the process runs on this machine, as far as that can be seen.
	 * @return false if there is none of the number, or one that started at another time
	 */
	public boolean isRunning() {
		Matcher matcher = TEXT.matcher(this.text);
		return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1)))
			.filter(ProcessHandle::isAlive)
			.filter((process) -> of(process).equals(this))
			.isPresent();
	}

}
