package io.kairo.tools.search;

import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.SearchSlice;
import org.jspecify.annotations.Nullable;

/**
 * The requested part of the results of a search.
 */
final class SearchPage {

	private SearchPage() {
	}

	/**
	 * Returns the requested part.
	 * @param offset the number of results to pass over, null for none
	 * @param limit the maximum number of results
	 * @param instead the advice for calls that page too far
	 * @throws ToolArgumentException if the offset is too large
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
