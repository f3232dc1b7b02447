package io.kairo.tools.file;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of files and directories below the roots of a workspace, including hidden
 * and ignored ones. Safe for use by several threads.
 */
final class WorkspaceCount implements WorkspaceVisitor {

	private final BooleanSupplier over;

	private final LongAdder files = new LongAdder();

	private final LongAdder size = new LongAdder();

	private final AtomicReference<@Nullable Instant> lastModified = new AtomicReference<>();

	private long directories;

	private long unreadable;

	private long links;

	private boolean stopped;

	private WorkspaceCount(BooleanSupplier over) {
		this.over = over;
	}

	/**
	 * Counts the files.
	 * @param roots the roots of the workspace
	 * @param over returns whether to stop
	 * @return the counts, or a failure if a root cannot be read
	 */
	static WorkspaceResult<WorkspaceCount> of(WorkspaceFiles files, List<Path> roots, BooleanSupplier over) {
		WorkspaceCount count = new WorkspaceCount(over);
		for (Path root : outermost(named(files, roots))) {
			WorkspaceResult<WalkReport> walk = files.walk(new WorkspacePath(root, ""), count);
			if (walk instanceof WorkspaceResult.Failure<WalkReport> failure) {
				return failure.cast();
			}
			WalkReport report = walk.value();
			count.directories += Math.max(0, report.directories() - 1);
			count.unreadable += report.unreadable();
			count.links += report.links();
			count.stopped |= report.stopped();
		}
		return WorkspaceResult.ok(count);
	}

	/**
	 * Counts the files of the workspace of a call.
	 * @param format makes the data of the result
	 */
	static ToolResult report(InfoOptions options, ToolContext context,
			Function<WorkspaceCount, Map<String, Object>> format) {
		return InfoReport.within(options, context, (over) -> {
			WorkspaceResult<WorkspaceCount> counted = of(context.files(), context.currentWorkspace().roots(), over);
			if (counted instanceof WorkspaceResult.Failure<WorkspaceCount> failure) {
				return ToolResult.failure(failure);
			}
			WorkspaceCount count = counted.value();
			String left = count.stopped
					? Phrase.of("stopped after %s: there is more",
							Phrase.count(options.deadline().toSeconds(), "second"))
					: (count.unreadable > 0) ? Phrase.count(count.unreadable, "entry") + " could not be read" : "";
			return InfoReport.of(format.apply(count), left);
		});
	}

	/**
	 * Returns each root once, by the name that the store uses.
	 */
	private static List<Path> named(WorkspaceFiles files, List<Path> roots) {
		return roots.stream().map((root) -> {
			WorkspacePath located = files.locate(root);
			return (located != null) ? located.toPath() : root;
		}).distinct().toList();
	}

	private static List<Path> outermost(List<Path> roots) {
		List<Path> outermost = new ArrayList<>();
		for (Path root : roots) {
			if (roots.stream().noneMatch((other) -> !other.equals(root) && root.startsWith(other))) {
				outermost.add(root);
			}
		}
		return outermost;
	}

	@Override
	public Next directory(WorkspacePath directory) {
		return this.over.getAsBoolean() ? Next.STOP : Next.CONTINUE;
	}

	@Override
	public Next file(Entry file) {
		this.files.increment();
		this.size.add(file.size());
		Instant modified = file.modified();
		this.lastModified.accumulateAndGet(modified,
				(latest, candidate) -> (latest == null || (candidate != null && candidate.isAfter(latest))) ? candidate
						: latest);
		return Next.CONTINUE;
	}

	long files() {
		return this.files.sum();
	}

	/**
	 * Returns the number of directories, without the roots.
	 */
	long directories() {
		return this.directories;
	}

	long size() {
		return this.size.sum();
	}

	@Nullable Instant lastModified() {
		return this.lastModified.get();
	}

	long unreadable() {
		return this.unreadable;
	}

	long links() {
		return this.links;
	}

}
