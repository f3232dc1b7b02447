package io.kairo.autoconfigure.tools;

import java.time.Duration;

import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GrepOptions;
import io.kairo.workspace.search.SearchLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The bounds of the tools, as properties below {@code kairo.tools}.
 *
 * @since 0.1.0
 */
public final class ToolLimitProperties {

	private ToolLimitProperties() {
	}

	/**
	 * Bounds of the tool Read.
	 *
	 * @param maxLines how many lines are read where the call does not say.
	 * @param maxLineCharacters where longer lines are cut.
	 * @param maxCharacters how many characters the text of a result has at most.
	 * @param maxSize how long a file may be that read_file returns whole in its data. By
	 * default kairo.tools.write.max-size.
	 */
	public record Read(@DefaultValue("2000") int maxLines, @DefaultValue("2000") int maxLineCharacters,
			@DefaultValue("262144") int maxCharacters, @Nullable DataSize maxSize) {

		/**
		 * Creates the value.
		 * @param maxLines above zero
		 * @param maxLineCharacters above zero
		 * @param maxCharacters above zero
		 * @param maxSize above zero, null for what may be written
		 */
		public Read {
			ToolPropertyChecks.requirePositive("read.max-lines", maxLines);
			ToolPropertyChecks.requirePositive("read.max-line-characters", maxLineCharacters);
			ToolPropertyChecks.requirePositive("read.max-characters", maxCharacters);
			if (maxSize != null) {
				ToolPropertyChecks.requirePositive("read.max-size", maxSize);
			}
		}

		ReadOptions options(Write write) {
			int maxWholeBytes = (this.maxSize != null) ? ToolPropertyChecks.bytes("read.max-size", this.maxSize)
					: write.options().maxBytes();
			return new ReadOptions(this.maxLines, this.maxLineCharacters, this.maxCharacters, maxWholeBytes);
		}

	}

	/**
	 * Bounds of the tool Write.
	 *
	 * @param maxSize how long a file may be that is written.
	 * @param maxDiffLines how many lines of a difference are shown.
	 */
	public record Write(@DefaultValue("64MB") DataSize maxSize, @DefaultValue("60") int maxDiffLines) {

		/**
		 * Creates the value.
		 * @param maxSize above zero
		 * @param maxDiffLines above zero
		 */
		public Write {
			ToolPropertyChecks.requirePositive("write.max-size", maxSize);
			ToolPropertyChecks.requirePositive("write.max-diff-lines", maxDiffLines);
		}

		WriteOptions options() {
			return new WriteOptions(ToolPropertyChecks.bytes("write.max-size", this.maxSize), this.maxDiffLines);
		}

	}

	/**
	 * Bounds of the tool Edit.
	 *
	 * @param maxSize how long a file may be that is edited; it is held in memory.
	 * @param maxSnippetLines how many lines around the change are shown.
	 * @param maxDiffLines how many lines of a difference are shown.
	 */
	public record Edit(@DefaultValue("64MB") DataSize maxSize, @DefaultValue("40") int maxSnippetLines,
			@DefaultValue("60") int maxDiffLines) {

		/**
		 * Creates the value.
		 * @param maxSize above zero
		 * @param maxSnippetLines above zero
		 * @param maxDiffLines above zero
		 */
		public Edit {
			ToolPropertyChecks.requirePositive("edit.max-size", maxSize);
			ToolPropertyChecks.requirePositive("edit.max-snippet-lines", maxSnippetLines);
			ToolPropertyChecks.requirePositive("edit.max-diff-lines", maxDiffLines);
		}

		EditOptions options() {
			return new EditOptions(ToolPropertyChecks.bytes("edit.max-size", this.maxSize), this.maxSnippetLines,
					this.maxDiffLines);
		}

	}

	/**
	 * Bounds of the tool List.
	 *
	 * @param depth how many levels a listing has that asks for nothing else.
	 * @param limit how many entries a listing has that asks for nothing else.
	 * @param maxLimit how many entries a listing has at most, whatever it asks for.
	 */
	public record Listing(@DefaultValue("1") int depth, @DefaultValue("500") int limit,
			@DefaultValue("2000") int maxLimit) {

		/**
		 * Creates the value.
		 * @param depth above zero
		 * @param limit above zero
		 * @param maxLimit above zero
		 */
		public Listing {
			ToolPropertyChecks.requirePositive("list.depth", depth);
			ToolPropertyChecks.requirePositive("list.limit", limit);
			ToolPropertyChecks.requirePositive("list.max-limit", maxLimit);
		}

		ListOptions options() {
			return new ListOptions(this.depth, this.limit,
					ToolPropertyChecks.notBelow("list.max-limit", this.maxLimit, this.limit));
		}

	}

	/**
	 * Bounds of Glob, Grep and Info.
	 *
	 * @param deadline how long a search may take.
	 * @param maxFileSize larger files are passed over unless they are named.
	 * @param maxLineCharacters where longer lines are cut in results, around the match.
	 */
	public record Search(@DefaultValue("20s") Duration deadline, @DefaultValue("64MB") DataSize maxFileSize,
			@DefaultValue("500") int maxLineCharacters) {

		/**
		 * Creates the value.
		 * @param deadline above zero
		 * @param maxFileSize above zero
		 * @param maxLineCharacters above zero
		 */
		public Search {
			ToolPropertyChecks.requirePositive("search.deadline", deadline);
			ToolPropertyChecks.requirePositive("search.max-file-size", maxFileSize);
			ToolPropertyChecks.requirePositive("search.max-line-characters", maxLineCharacters);
		}

		SearchLimits options() {
			return new SearchLimits(this.deadline, this.maxFileSize.toBytes(),
					ToolPropertyChecks.notBelow("search.max-line-characters", this.maxLineCharacters, 20));
		}

	}

	/**
	 * Bounds of the tool Glob.
	 *
	 * @param limit how many files a result has that asks for nothing else.
	 * @param maxLimit how many files a result has at most, whatever it asks for.
	 */
	public record Glob(@DefaultValue("100") int limit, @DefaultValue("1000") int maxLimit) {

		/**
		 * Creates the value.
		 * @param limit above zero
		 * @param maxLimit above zero
		 */
		public Glob {
			ToolPropertyChecks.requirePositive("glob.limit", limit);
			ToolPropertyChecks.requirePositive("glob.max-limit", maxLimit);
		}

		GlobOptions options(Search search) {
			return new GlobOptions(this.limit, ToolPropertyChecks.notBelow("glob.max-limit", this.maxLimit, this.limit),
					search.options());
		}

	}

	/**
	 * Bounds of the tool Grep.
	 *
	 * @param headLimit how many lines or files a result has that asks for nothing else.
	 * @param maxHeadLimit how many it has at most, whatever it asks for.
	 * @param maxCharacters how many characters a result has about at most.
	 */
	public record Grep(@DefaultValue("250") int headLimit, @DefaultValue("5000") int maxHeadLimit,
			@DefaultValue("100000") int maxCharacters) {

		/**
		 * Creates the value.
		 * @param headLimit above zero
		 * @param maxHeadLimit above zero
		 * @param maxCharacters above zero
		 */
		public Grep {
			ToolPropertyChecks.requirePositive("grep.head-limit", headLimit);
			ToolPropertyChecks.requirePositive("grep.max-head-limit", maxHeadLimit);
			ToolPropertyChecks.requirePositive("grep.max-characters", maxCharacters);
		}

		GrepOptions options(Search search) {
			return new GrepOptions(this.headLimit,
					ToolPropertyChecks.notBelow("grep.max-head-limit", this.maxHeadLimit, this.headLimit),
					ToolPropertyChecks.notBelow("grep.max-characters", this.maxCharacters, 1000), search.options());
		}

	}

	/**
	 * Bounds of the outputs that are kept because they are too long for a result.
	 *
	 * @param maxSizePerSession how much a session keeps; its oldest outputs go first.
	 * @param maxSizePerTenant how much the sessions of a tenant keep together.
	 * @param maxCountPerSession how many outputs a session keeps; its oldest go first.
	 * @param maxAge how long an output is kept.
	 */
	public record Output(@DefaultValue("64MB") DataSize maxSizePerSession,
			@DefaultValue("256MB") DataSize maxSizePerTenant, @DefaultValue("50") int maxCountPerSession,
			@DefaultValue("1h") Duration maxAge) {

		/**
		 * Creates the value.
		 * @param maxSizePerSession above zero
		 * @param maxSizePerTenant above zero
		 * @param maxCountPerSession above zero
		 * @param maxAge above zero
		 */
		public Output {
			ToolPropertyChecks.requirePositive("output.max-size-per-session", maxSizePerSession);
			ToolPropertyChecks.requirePositive("output.max-size-per-tenant", maxSizePerTenant);
			ToolPropertyChecks.requirePositive("output.max-count-per-session", maxCountPerSession);
			ToolPropertyChecks.requirePositive("output.max-age", maxAge);
		}

		OutputOptions options() {
			return new OutputOptions(this.maxSizePerSession.toBytes(), this.maxSizePerTenant.toBytes(),
					this.maxCountPerSession, this.maxAge);
		}

	}

}
