package io.kairo.sandbox.remote;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.AfterAll;

/**
 * Tests which attacks a {@link RemoteSandbox} withstands whose worker has a
 * {@link io.kairo.sandbox.bubblewrap.BubblewrapSandbox}.
 */
@RequiresBubblewrap
class RemoteAttackTests extends SandboxAttackKit {

	private static final List<RemotePair> WORKERS = new ArrayList<>();

	@AfterAll
	static void close() {
		WORKERS.forEach(RemotePair::close);
		WORKERS.clear();
	}

	private static RemotePair pair() {
		boolean groups = JvmUser.isRoot();
		CommandLimits limits = new CommandLimits(groups ? 256L << 20 : null, null, groups ? 100 : null, 16L << 20);
		return RemotePair.bubblewrap(JvmUser.bubblewrapOptions().withLimits(limits).withTmpfsBytes(16L << 20),
				Duration.ofSeconds(2));
	}

	@Override
	protected ExecutionSandbox createSandbox() {
		RemotePair pair = pair();
		return JvmUser.isRoot() ? new AccessGrantingSandbox(pair, JvmUser.NOBODY.uid()) : pair;
	}

	/**
	 * Returns a client, whose worker goes on when it is killed.
	 */
	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		AccessGrantingSandbox.grantAccess(workspace, JvmUser.NOBODY.uid());
		RemotePair worker = pair();
		WORKERS.add(worker);
		return List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingClientProgram.class.getName(),
				String.valueOf(worker.port()), workspace.toString(), command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "docs", "attacks.md"), "By commands", "remote/bubblewrap");
	}

	@Override
	protected Map<String, Declared> declared() {
		Declared groups = Declared.dependsOnMachine("requires the permission to create control groups");
		Declared shared = Declared.notHeld("commands of all tenants have one user and one `/usr`");
		return Map.of("fork-bomb", groups, "memory", groups, "socket-memory", groups, "many-files",
				Declared.notHeld("the number of files in the workspace is not limited"), "nested-repository",
				Declared.notHeld("paths are protected below the roots of a command, not at any depth"), "rebase-todo",
				Declared.notHeld("Git has to write the commands of a rebase, which run in it"), "watch-programs",
				shared, "inotify-instances", shared, "lock-program", shared);
	}

}
