package io.kairo.workspace.task;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * A program that registers agents and writes into their workspaces, while another process
 * does the same with the same agents.
 */
final class TaskProcess {

	static final int AGENTS = 40;

	private TaskProcess() {
	}

	static Process start(String name, Path directory) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				TaskProcess.class.getName(), name, directory.toString())
			.redirectErrorStream(true)
			.redirectOutput(new File(directory + "-" + name + ".txt"))
			.start();
	}

	/**
	 * Registers each agent below a parent of its own choice, in which only one process
	 * can succeed, and writes a file into the resulting workspace of the agent.
	 */
	public static void main(String[] args) {
		String name = args[0];
		Path directory = Path.of(args[1]);
		AgentTree tree = tree(directory);
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, directory.resolve("data"));
		LocalWorkspaceFilesFactory factory = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state")));
		Random random = new Random(name.hashCode());
		tree.register("top-1", "root");
		tree.register("top-2", "root");
		int won = 0;
		for (int agent = 0; agent < AGENTS; agent++) {
			String parent = (agent == 0 || random.nextInt(3) == 0) ? "top-" + (1 + random.nextInt(2))
					: "agent-" + random.nextInt(agent);
			try {
				tree.register("agent-" + agent, parent);
				won++;
			}
			catch (WorkspacePathException ex) {
				// The other process registered another parent first.
			}
			WorkspaceFiles files = provider.files(factory)
				.open(provider.acquire(WorkspaceRequest.writable("agent-" + agent)));
			if (!files.tryWriteFile("made/by/" + name + "/" + agent, name).isOk()) {
				throw new IllegalStateException("agent " + agent);
			}
		}
		System.out.println("won " + won);
		for (int agent = 0; agent < AGENTS; agent++) {
			System.out.println(agent + "=" + tree.workspaceOf(TenantContext.SINGLE, "agent-" + agent));
		}
	}

	static AgentTree tree(Path directory) {
		return new AgentTree(new FileAgentRegistry(directory.resolve("state/agents")));
	}

}
