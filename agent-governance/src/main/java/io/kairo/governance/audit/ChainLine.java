package io.kairo.governance.audit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A line of a file: a JSON object of a record with its place in the chain. The format is
 * fixed, so that a chain can be verified without a JSON parser.
 *
 * @param sequence the number of the record
 * @param previous the hash of the record before it
 * @param record the record in JSON
 * @param hash the hash of the record
 */
public record ChainLine(long sequence, String previous, String record, String hash) {

	private static final Pattern FORMAT = Pattern.compile(
			"\\{\"seq\":([1-9][0-9]{0,17}),\"prev\":\"([0-9a-f]{64})\",\"record\":(\\{.*\\}),\"hash\":\"([0-9a-f]{64})\"\\}",
			Pattern.DOTALL);

	/**
	 * Parses a line.
	 * @return the line, null if it is none
	 */
	static @Nullable ChainLine parse(String text) {
		Matcher matcher = FORMAT.matcher(text);
		return matcher.matches()
				? new ChainLine(Long.parseLong(matcher.group(1)), matcher.group(2), matcher.group(3), matcher.group(4))
				: null;
	}

	boolean isIntact(HashChain chain) {
		return HashChain.isSame(this.hash, chain.hash(this.sequence, this.previous, this.record));
	}

	ChainHead head() {
		return new ChainHead(this.sequence, this.hash);
	}

	String text() {
		return "{\"seq\":" + this.sequence + ",\"prev\":\"" + this.previous + "\",\"record\":" + this.record
				+ ",\"hash\":\"" + this.hash + "\"}";
	}

}
