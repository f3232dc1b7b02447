package io.kairo.tools.search;

import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.SearchSlice;
import org.jspecify.annotations.Nullable;

/**
 * Which of its results a search is asked for.
 */
final class SearchPage {

	private SearchPage() {
	}

	/**
	 * Returns the part that is asked for, and is not too far.
	 * @param offset how many results to pass over, null for none
	 * @param limit how many are returned at most
	 * @param instead what to do instead of paging too far
	 */
	static SearchSlice slice(@Nullable Integer offset, int limit, String instead) {
		int first = (offset != null) ? offset : 0;
		if (first >= SearchSlice.MAX_END) {
			throw new ToolArgumentException(
					Phrase.of("offset is %d, which is too far: only the first %,d results can be paged through.", first,
							SearchSlice.MAX_END),
					instead);
		}
		return new SearchSlice(first, Math.min(limit, SearchSlice.MAX_END - first));
	}

}
