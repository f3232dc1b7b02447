package io.kairo.api.attack;

/**
 * A part of a Markdown page, from a heading to the next one.
 *
 * @param start the index after the heading
 * @param end the index of the end
 */
record PageSection(int start, int end) {

	static PageSection of(String page, String heading) {
		int at = ("\n" + page).indexOf("\n" + heading + "\n");
		if (at < 0) {
			throw new IllegalStateException("The page has no heading '" + heading + "': add it");
		}
		int start = at + heading.length() + 1;
		int end = page.indexOf("\n#", start);
		return new PageSection(start, (end < 0) ? page.length() : end + 1);
	}

	String in(String page) {
		return page.substring(this.start, this.end);
	}

	static String replace(String page, String heading, String text) {
		PageSection section = of(page, heading);
		boolean last = section.end == page.length();
		return page.substring(0, section.start) + (last ? text.stripTrailing() + "\n" : text)
				+ page.substring(section.end);
	}

}
