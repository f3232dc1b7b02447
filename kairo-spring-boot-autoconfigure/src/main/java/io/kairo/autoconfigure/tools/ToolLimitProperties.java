package io.kairo.autoconfigure.tools;

import java.time.Duration;

import io.kairo.boot.PropertyBounds;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.workspace.search.SearchLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the limits of the tools, below {@code kairo.tools}.
 */
public final class ToolLimitProperties {

	private ToolLimitProperties() {
	}

	/**
	 * Limits of the tool Read.
	 *
	 * @param maxLines Default number of lines to read.
	 * @param maxLineCharacters Maximum number of characters of a line; a longer line is
	 * truncated.
	 * @param maxCharacters Maximum number of characters of the text of a result.
	 * @param maxSize Maximum size of a file that read_file returns as a whole in its
	 * data. By default, kairo.tools.write.max-size.
	 */
	public record Read(@DefaultValue("2000") int maxLines, @DefaultValue("2000") int maxLineCharacters,
			@DefaultValue("262144") int maxCharacters, @Nullable DataSize maxSize) {

		/**
		 * Creates and validates the limits.
		 * @param maxLines above zero
		 * @param maxLineCharacters above zero
		 * @param maxCharacters above zero
		 * @param maxSize above zero, null for the maximum size of a written file
		 */
		public Read {
			new PropertyBounds("kairo.tools.read.").atLeast("max-lines", maxLines, 1)
				.atLeast("max-line-characters", maxLineCharacters, 1)
				.atLeast("max-characters", maxCharacters, 1)
				.inMemory("max-size", maxSize);
		}

		ReadOptions options(Write write, Search search) {
			int maxWholeBytes = (this.maxSize != null) ? (int) this.maxSize.toBytes() : write.options().maxBytes();
			return new ReadOptions(this.maxLines, this.maxLineCharacters, this.maxCharacters, maxWholeBytes,
					search.deadline());
		}

	}

	/**
	 * Limits of the tool Write.
	 *
	 * @param maxSize Maximum size of a file to write.
	 * @param maxDiffLines Maximum number of lines of a diff.
	 */
	public record Write(@DefaultValue("64MB") DataSize maxSize, @DefaultValue("60") int maxDiffLines) {

		/**
		 * Creates and validates the limits.
		 * @param maxSize above zero
		 * @param maxDiffLines above zero
		 */
		public Write {
			new PropertyBounds("kairo.tools.write.").inMemory("max-size", maxSize)
				.atLeast("max-diff-lines", maxDiffLines, 1);
		}

		WriteOptions options() {
			return new WriteOptions((int) this.maxSize.toBytes(), this.maxDiffLines);
		}

	}

	/**
	 * Limits of the tools Edit, MultiEdit and ApplyPatch.
	 *
	 * @param maxSize Maximum size of the files of a call together, which are held in
	 * memory.
	 * @param maxSnippetLines Maximum number of lines shown around a change.
	 * @param maxDiffLines Maximum number of lines of a diff.
	 */
	public record Edit(@DefaultValue("64MB") DataSize maxSize, @DefaultValue("40") int maxSnippetLines,
			@DefaultValue("60") int maxDiffLines) {

		/**
		 * Creates and validates the limits.
		 * @param maxSize above zero
		 * @param maxSnippetLines above zero
		 * @param maxDiffLines above zero
		 */
		public Edit {
			new PropertyBounds("kairo.tools.edit.").inMemory("max-size", maxSize)
				.atLeast("max-snippet-lines", maxSnippetLines, 1)
				.atLeast("max-diff-lines", maxDiffLines, 1);
		}

		EditOptions options(Search search) {
			return new EditOptions((int) this.maxSize.toBytes(), this.maxSnippetLines, this.maxDiffLines,
					search.deadline());
		}

	}

	/**
	 * Limits of the tool List.
	 *
	 * @param depth Default depth of a listing.
	 * @param limit Default number of entries of a listing.
	 * @param maxLimit Upper bound for the requested number of entries of a listing.
	 */
	public record Listing(@DefaultValue("1") int depth, @DefaultValue("500") int limit,
			@DefaultValue("2000") int maxLimit) {

		/**
		 * Creates and validates the limits.
		 * @param depth above zero
		 * @param limit above zero
		 * @param maxLimit at least the limit
		 */
		public Listing {
			new PropertyBounds("kairo.tools.list.").atLeast("depth", depth, 1)
				.atLeast("limit", limit, 1)
				.atLeast("max-limit", maxLimit, limit);
		}

		ListOptions options(Search search) {
			return new ListOptions(this.depth, this.limit, this.maxLimit, search.deadline());
		}

	}

	/**
	 * Limits of the tools Glob, Grep and Info, and the timeout of all file tools.
	 *
	 * @param deadline Timeout of a call of Glob, Grep, Info, List, Read, Edit or Diff,
	 * and for counting the files of Move, Copy and Delete.
	 * @param maxFileSize Maximum size of a searched file. Larger files are skipped unless
	 * they are named.
	 * @param maxLineCharacters Maximum number of characters of a line in a result; a
	 * longer line is truncated around the match.
	 */
	public record Search(@DefaultValue("20s") Duration deadline, @DefaultValue("64MB") DataSize maxFileSize,
			@DefaultValue("500") int maxLineCharacters) {

		/**
		 * Creates and validates the limits.
		 * @param deadline above zero
		 * @param maxFileSize above zero
		 * @param maxLineCharacters at least 20
		 */
		public Search {
			new PropertyBounds("kairo.tools.search.").positive("deadline", deadline)
				.positive("max-file-size", maxFileSize)
				.atLeast("max-line-characters", maxLineCharacters, 20);
		}

		SearchLimits options() {
			return new SearchLimits(this.deadline, this.maxFileSize.toBytes(), this.maxLineCharacters);
		}

	}

	/**
	 * Limits of the tool Glob.
	 *
	 * @param limit Default number of files of a result.
	 * @param maxLimit Upper bound for the requested number of files of a result.
	 */
	public record Glob(@DefaultValue("100") int limit, @DefaultValue("1000") int maxLimit) {

		/**
		 * Creates and validates the limits.
		 * @param limit above zero
		 * @param maxLimit at least the limit
		 */
		public Glob {
			new PropertyBounds("kairo.tools.glob.").atLeast("limit", limit, 1).atLeast("max-limit", maxLimit, limit);
		}

		GlobOptions options(Search search) {
			return new GlobOptions(this.limit, this.maxLimit, search.options());
		}

	}

	/**
	 * Limits of the tool Grep.
	 *
	 * @param headLimit Default number of lines or files of a result.
	 * @param maxHeadLimit Upper bound for the requested number of lines or files of a
	 * result.
	 * @param maxCharacters Approximate maximum number of characters of a result.
	 */
	public record Grep(@DefaultValue("250") int headLimit, @DefaultValue("5000") int maxHeadLimit,
			@DefaultValue("100000") int maxCharacters) {

		/**
		 * Creates and validates the limits.
		 * @param headLimit above zero
		 * @param maxHeadLimit at least the limit
		 * @param maxCharacters at least 1000
		 */
		public Grep {
			new PropertyBounds("kairo.tools.grep.").atLeast("head-limit", headLimit, 1)
				.atLeast("max-head-limit", maxHeadLimit, headLimit)
				.atLeast("max-characters", maxCharacters, 1000);
		}

		GrepOptions options(Search search) {
			return new GrepOptions(this.headLimit, this.maxHeadLimit, this.maxCharacters, search.options());
		}

	}

	/**
	 * Limits of the outputs that are kept because they are too long for a result.
	 *
	 * @param maxSizePerSession Maximum total size of the outputs of a session. The oldest
	 * are removed first.
	 * @param maxSizePerTenant Maximum total size of the outputs of all sessions of a
	 * tenant.
	 * @param maxCountPerSession Maximum number of outputs of a session. The oldest are
	 * removed first.
	 * @param maxAge Maximum age of an output.
	 */
	public record Output(@DefaultValue("64MB") DataSize maxSizePerSession,
			@DefaultValue("256MB") DataSize maxSizePerTenant, @DefaultValue("50") int maxCountPerSession,
			@DefaultValue("1h") Duration maxAge) {

		/**
		 * Creates and validates the limits.
		 * @param maxSizePerSession above zero
		 * @param maxSizePerTenant above zero
		 * @param maxCountPerSession above zero
		 * @param maxAge above zero
		 */
		public Output {
			new PropertyBounds("kairo.tools.output.").positive("max-size-per-session", maxSizePerSession)
				.positive("max-size-per-tenant", maxSizePerTenant)
				.atLeast("max-count-per-session", maxCountPerSession, 1)
				.positive("max-age", maxAge);
		}

		OutputOptions options() {
			return new OutputOptions(this.maxSizePerSession.toBytes(), this.maxSizePerTenant.toBytes(),
					this.maxCountPerSession, this.maxAge);
		}

	}

	/**
	 * Limits of the trash of a workspace, from which the tool Undelete restores.
	 *
	 * @param maxSize Maximum total size of the files in the trash of a workspace, which
	 * also counts towards its quota. The oldest deletions are dropped first.
	 * @param maxSizePerTenant Maximum total size of the files in the trash of all
	 * workspaces of a tenant.
	 * @param maxFiles Maximum number of files and directories in the trash of a
	 * workspace.
	 * @param maxAge Time for which a deletion can be undone.
	 */
	public record Trash(@DefaultValue("256MB") DataSize maxSize, @DefaultValue("1GB") DataSize maxSizePerTenant,
			@DefaultValue("100000") int maxFiles, @DefaultValue("7d") Duration maxAge) {

		/**
		 * Creates and validates the limits.
		 * @param maxSize above zero
		 * @param maxSizePerTenant above zero
		 * @param maxFiles above zero
		 * @param maxAge above zero
		 */
		public Trash {
			new PropertyBounds("kairo.tools.trash.").positive("max-size", maxSize)
				.positive("max-size-per-tenant", maxSizePerTenant)
				.atLeast("max-files", maxFiles, 1)
				.positive("max-age", maxAge);
		}

		TrashOptions options() {
			return new TrashOptions(this.maxSize.toBytes(), this.maxSizePerTenant.toBytes(), this.maxFiles,
					this.maxAge);
		}

	}

	/**
	 * Limits of commands in the background.
	 *
	 * @param maxPerSession Maximum number of commands that run in the background of a
	 * session at the same time.
	 * @param maxPerTenant Maximum number of commands that run in the background of all
	 * sessions of a tenant at the same time. A value below its concurrent-executions
	 * leaves room for commands in the foreground.
	 * @param maxEndedPerTenant Maximum number of commands of a tenant that have ended and
	 * whose output can be read. The oldest are forgotten first.
	 * @param maxLifetime Time after which a command is ended. A running command keeps its
	 * session from expiring.
	 * @param counted Whether commands in the background count towards the
	 * concurrent-executions of their tenant.
	 */
	public record Background(@DefaultValue("3") int maxPerSession, @DefaultValue("3") int maxPerTenant,
			@DefaultValue("10") int maxEndedPerTenant, @DefaultValue("2h") Duration maxLifetime,
			@DefaultValue("true") boolean counted) {

		/**
		 * Creates and validates the limits.
		 * @param maxPerSession above zero
		 * @param maxPerTenant above zero
		 * @param maxEndedPerTenant above zero
		 * @param maxLifetime above zero
		 */
		public Background {
			new PropertyBounds("kairo.tools.background.").atLeast("max-per-session", maxPerSession, 1)
				.atLeast("max-per-tenant", maxPerTenant, 1)
				.atLeast("max-ended-per-tenant", maxEndedPerTenant, 1)
				.positive("max-lifetime", maxLifetime);
		}

		BackgroundOptions options() {
			return new BackgroundOptions(this.maxPerSession, this.maxPerTenant, this.maxEndedPerTenant,
					this.maxLifetime);
		}

	}

}
