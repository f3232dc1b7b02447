package io.kairo.tools.edit.task;

import java.nio.file.Path;

import org.springaicommunity.agent.tools.FileSystemTools;

/**
 * The tool {@code Edit} of Spring AI Agent Utils.
 */
final class AgentUtilsEdits implements EditImplementation {

	@Override
	public String name() {
		return "Spring AI Agent Utils";
	}

	@Override
	public boolean supports(EditTask task) {
		return task.dialect() == EditTask.Dialect.EXACT && !task.replacements().get(0).old().isEmpty();
	}

	@Override
	public Attempt open(Path directory) {
		FileSystemTools tools = new FileSystemTools();
		return new Attempt() {

			@Override
			public void read(String path) {
				tools.read(directory.resolve(path).toString(), null, null);
			}

			@Override
			public String apply(EditTask task) {
				EditTask.Replacement replacement = task.replacements().get(0);
				Path file = directory.resolve(replacement.path());
				String text = tools.edit(file.toString(), replacement.old(), replacement.replacement(),
						replacement.all());
				return text.startsWith("The file ") ? null : text;
			}

		};
	}

}
