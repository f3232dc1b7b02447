package io.kairo.workspace.ephemeral;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.RootTemplate;

/**
 * A program that holds ephemeral workspaces until it receives input, and then releases
 * them or performs another operation for which it was started.
 */
final class EphemeralProcess {

	private EphemeralProcess() {
	}

	static Process start(Path directory, Path seeds, String... hints) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
						EphemeralProcess.class.getName(), directory.toString(), seeds.toString()));
		command.addAll(List.of(hints));
		return new ProcessBuilder(command).redirectError(new File(directory + "-errors.txt")).start();
	}

	public static void main(String[] arguments) throws IOException {
		EphemeralWorkspaceProvider provider = new EphemeralWorkspaceProvider(
				EphemeralOptions.in(Path.of(arguments[0])).withSeeds(List.of(RootTemplate.parse(arguments[1]))));
		List<String> ids = new ArrayList<>();
		System.out.println("started");
		for (String hint : List.of(arguments).subList(2, arguments.length)) {
			Workspace workspace = provider.acquire(WorkspaceRequest.writable(hint));
			ids.add(workspace.id());
			System.out.println(workspace.root());
		}
		System.in.read();
		ids.forEach(provider::release);
		System.out.println("released");
	}

}
