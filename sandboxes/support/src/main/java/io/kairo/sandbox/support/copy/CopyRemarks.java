package io.kairo.sandbox.support.copy;

import java.util.ArrayList;
import java.util.List;

/**
 * The remarks on entries that were not copied back after a command. For use by one
 * thread.
 */
public final class CopyRemarks {

	private static final int MAX_REMARKS = 20;

	private final List<String> lines = new ArrayList<>();

	private int more;

	/**
	 * Creates remarks, none to begin with.
	 */
	public CopyRemarks() {
	}

	/**
	 * Adds a remark on a path.
	 * @param path the path relative to its root, as the command named it
	 * @param reason the reason for not copying it back
	 */
	public void add(String path, String reason) {
		addLine(path.replaceAll("\\p{Cntrl}", "?") + " was not copied back: " + reason);
	}

	/**
	 * Adds the remark that not everything was copied back.
	 * @param reason the reason
	 */
	public void addFailure(String reason) {
		this.lines.add("what the command changed was not or not completely copied back: "
				+ reason.replaceAll("\\p{Cntrl}", "?"));
	}

	private void addLine(String line) {
		if (this.lines.size() < MAX_REMARKS) {
			this.lines.add(line);
		}
		else {
			this.more++;
		}
	}

	/**
	 * Returns the remarks, at most 20 on paths.
	 * @return the remarks, each a line for the user
	 */
	public List<String> lines() {
		List<String> all = new ArrayList<>(this.lines);
		if (this.more > 0) {
			all.add(this.more + " more files were not copied back");
		}
		return all;
	}

}
