package io.kairo.autoconfigure.tools;

import java.time.Duration;

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
 *
 * @since 0.1.0
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
			ToolPropertyChecks.requirePositive("read.max-lines", maxLines);
			ToolPropertyChecks.requirePositive("read.max-line-characters", maxLineCharacters);
			ToolPropertyChecks.requirePositive("read.max-characters", maxCharacters);
			if (maxSize != null) {
				ToolPropertyChecks.requirePositive("read.max-size", maxSize);
			}
		}

		ReadOptions options(Write write, Search search) {
			int maxWholeBytes = (this.maxSize != null) ? ToolPropertyChecks.bytes("read.max-size", this.maxSize)
					: write.options().maxBytes();
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
			ToolPropertyChecks.requirePositive("write.max-size", maxSize);
			ToolPropertyChecks.requirePositive("write.max-diff-lines", maxDiffLines);
		}

		WriteOptions options() {
			return new WriteOptions(ToolPropertyChecks.bytes("write.max-size", this.maxSize), this.maxDiffLines);
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
			ToolPropertyChecks.requirePositive("edit.max-size", maxSize);
			ToolPropertyChecks.requirePositive("edit.max-snippet-lines", maxSnippetLines);
			ToolPropertyChecks.requirePositive("edit.max-diff-lines", maxDiffLines);
		}

		EditOptions options(Search search) {
			return new EditOptions(ToolPropertyChecks.bytes("edit.max-size", this.maxSize), this.maxSnippetLines,
					this.maxDiffLines, search.deadline());
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
		 * @param maxLimit above zero
		 */
		public Listing {
			ToolPropertyChecks.requirePositive("list.depth", depth);
			ToolPropertyChecks.requirePositive("list.limit", limit);
			ToolPropertyChecks.requirePositive("list.max-limit", maxLimit);
		}

		ListOptions options(Search search) {
			return new ListOptions(this.depth, this.limit,
					ToolPropertyChecks.notBelow("list.max-limit", this.maxLimit, this.limit), search.deadline());
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
	 * Limits of the tool Glob.
	 *
	 * @param limit Default number of files of a result.
	 * @param maxLimit Upper bound for the requested number of files of a result.
	 */
	public record Glob(@DefaultValue("100") int limit, @DefaultValue("1000") int maxLimit) {

		/**
		 * Creates and validates the limits.
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
			ToolPropertyChecks.requirePositive("trash.max-size", maxSize);
			ToolPropertyChecks.requirePositive("trash.max-size-per-tenant", maxSizePerTenant);
			ToolPropertyChecks.requirePositive("trash.max-files", maxFiles);
			ToolPropertyChecks.requirePositive("trash.max-age", maxAge);
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
		 * @param counted whether the commands count as executions
		 */
		public Background {
			ToolPropertyChecks.requirePositive("background.max-per-session", maxPerSession);
			ToolPropertyChecks.requirePositive("background.max-per-tenant", maxPerTenant);
			ToolPropertyChecks.requirePositive("background.max-ended-per-tenant", maxEndedPerTenant);
			ToolPropertyChecks.requirePositive("background.max-lifetime", maxLifetime);
		}

		BackgroundOptions options() {
			return new BackgroundOptions(this.maxPerSession, this.maxPerTenant, this.maxEndedPerTenant,
					this.maxLifetime);
		}

	}

}
