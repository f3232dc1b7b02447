package io.kairo.api.workspace.tck;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;

/**
 * An agent that calls a store.
 *
 * @param files the store
 */
record StoreAgent(WorkspaceFiles files) implements FileAgent {

	private static final int MAX_BYTES = 1 << 16;

	private Answer call(Function<WorkspaceFiles, WorkspaceResult<String>> call) {
		try {
			WorkspaceResult<String> result = call.apply(this.files);
			return (result instanceof WorkspaceResult.Failure<String> failure) ? Answer.refused(failure.message())
					: new Answer(true, result.value());
		}
		catch (WorkspacePathException ex) {
			return Answer.refused(String.valueOf(ex.getMessage()));
		}
	}

	private WorkspacePath path(String path) {
		return this.files.resolve(path, this.files.root());
	}

	@Override
	public Answer read(String path) {
		return call((files) -> files.read(path(path), 0, MAX_BYTES)
			.map(FileContent::bytes)
			.map((bytes) -> new String(bytes, StandardCharsets.UTF_8)));
	}

	@Override
	public Answer write(String path, String text) {
		return change((files) -> Changes.write(path(path), text));
	}

	@Override
	public Answer replace(String path, String expected, String text) {
		return call((files) -> files.apply(Changes.exchange(path(path), expected, text))
			.map((report) -> Boolean.toString(report.applied())));
	}

	@Override
	public Answer list(String directory) {
		return call((files) -> files.list(path(directory), 20).map(Object::toString));
	}

	@Override
	public Answer find(String directory, String text) {
		Queue<String> found = new ConcurrentLinkedQueue<>();
		return call((files) -> files.walk(path(directory), (file) -> {
			byte[] buffer = new byte[MAX_BYTES];
			int length = Math.max(0, file.read(buffer, 0));
			if (new String(buffer, 0, length, StandardCharsets.UTF_8).contains(text)) {
				found.add(file.path().relative());
			}
			return WorkspaceVisitor.Next.CONTINUE;
		}).map((report) -> found.toString()));
	}

	@Override
	public Answer remove(String path) {
		return change((files) -> Changes.recursive(path(path)));
	}

	@Override
	public Answer move(String path, String target) {
		return change((files) -> Changes.moveOver(path(path), path(target)));
	}

	private Answer change(Function<WorkspaceFiles, WorkspaceChange> change) {
		return call((files) -> files.apply(change.apply(files)).map(Object::toString));
	}

}
