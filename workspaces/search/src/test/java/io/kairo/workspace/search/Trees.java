package io.kairo.workspace.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * A tree of files on disk to search.
 */
final class Trees {

	static final BooleanSupplier NEVER = () -> false;

	static final Charset LATIN_1 = StandardCharsets.ISO_8859_1;

	private final Path directory;

	final WorkspaceFiles files;

	Trees(Path directory) {
		this.directory = directory;
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)
			.open(new LocalDirectoryWorkspaceProvider(directory).acquire(WorkspaceRequest.writable(null)));
	}

	Trees file(String name, String text) {
		return file(name, text.getBytes(StandardCharsets.UTF_8));
	}

	Trees file(String name, byte[] bytes) {
		try {
			Path file = this.directory.resolve(name);
			Files.createDirectories(file.getParent());
			Files.write(file, bytes);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	WorkspaceSearch search() {
		return new WorkspaceSearch(this.files, SearchLimits.DEFAULTS);
	}

	WorkspacePath root() {
		return this.files.root();
	}

	List<String> glob(String glob) {
		return globReport(glob).files().stream().map((file) -> file.path().relative()).sorted().toList();
	}

	GlobReport globReport(String glob) {
		return search().glob(new GlobQuery(root(), glob, new SearchSlice(0, 10_000)), NEVER).value();
	}

	GrepReport grep(String regex, SearchPattern.Flag... flags) {
		return grep(new SearchPattern(regex, java.util.Set.of(flags)), GrepOutput.LINES, LineContext.NONE);
	}

	GrepReport grep(SearchPattern pattern, GrepOutput output, LineContext context) {
		return search()
			.grep(new GrepQuery(root(), pattern, FileFilter.ALL, output, context, new SearchSlice(0, 50_000)), NEVER)
			.value();
	}

	/**
	 * Returns lines in the format of {@code rg -n}.
	 */
	static List<String> lines(GrepReport report) {
		List<String> lines = new ArrayList<>();
		for (FileMatches file : report.files()) {
			for (MatchedLine line : file.lines()) {
				String mark = (line.kind() == MatchedLine.Kind.MATCH) ? ":" : "-";
				lines.add(file.path().relative() + mark + line.number() + mark + line.text());
			}
		}
		return lines;
	}

}
