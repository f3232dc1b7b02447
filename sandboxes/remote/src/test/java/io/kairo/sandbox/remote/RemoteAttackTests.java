package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests which attacks a {@link RemoteSandbox} withstands whose worker has a
 * {@link io.kairo.sandbox.bubblewrap.BubblewrapSandbox}, while connections are cut at
 * random.
 */
@RequiresBubblewrap
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class RemoteAttackTests extends SandboxAttackKit {

	private static final double CHANCE = 0.05;

	@Override
	protected ExecutionSandbox createSandbox() {
		HostUser user = JvmUser.ofCommands();
		boolean groups = user != null;
		CommandLimits limits = new CommandLimits(groups ? 256L << 20 : null, null, groups ? 100 : null, 16L << 20);
		AtomicReference<CuttingRelay> relay = new AtomicReference<>();
		RemotePair pair = RemotePair.bubblewrap(
				JvmUser.bubblewrapOptions()
					.with((changes) -> changes.commands((commands) -> commands.limits(limits).tmpfsBytes(16L << 20))),
				(port) -> {
					relay.set(CuttingRelay.to(port, CHANCE));
					return relay.get().port();
				});
		return new CutPair((user != null) ? new AccessGrantingSandbox(pair, user.uid()) : pair, pair, relay.get());
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		HostUser user = JvmUser.ofCommands();
		if (user != null) {
			AccessGrantingSandbox.grantAccess(workspace, user.uid());
		}
		return List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(), workspace.toString(), command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands",
				"remote/bubblewrap");
	}

	@Override
	protected Map<String, Declared> declared() {
		Declared groups = Declared.dependsOnMachine("requires the permission to create control groups");
		Declared shared = Declared.notHeld("commands of all tenants have one user and one `/usr`");
		return Map.of("fork-bomb", groups, "memory", groups, "socket-memory", groups, "waiting-connections",
				Declared.notHeld("the kernel charges the buffers of a connection when it is accepted"), "many-files",
				Declared.notHeld("the number of files in the workspace is not limited"), "nested-repository",
				Declared.notHeld("paths are protected below the roots of a command, not at any depth"), "rebase-todo",
				Declared.notHeld("Git has to write the commands of a rebase, which run in it"), "watch-programs",
				shared, "inotify-instances", shared, "lock-program", shared);
	}

	/**
	 * A client and a worker with what is between them.
	 */
	private record CutPair(ExecutionSandbox commands, RemotePair pair,
			CuttingRelay relay) implements ExecutionSandbox, AutoCloseable {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return this.commands.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return this.commands.capabilities();
		}

		@Override
		public void close() throws IOException {
			this.pair.close();
			this.relay.close();
		}

	}

}
