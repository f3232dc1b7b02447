package io.kairo.sandbox.remote;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.api.sandbox.tck.SandboxScene;
import io.kairo.host.HostUser;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests which attacks a {@link RemoteSandbox} withstands that copies directories to a
 * worker with a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class RemoteCopyAttackTests extends SandboxAttackKit {

	private static final Set<String> THROUGH_SHARED_DIRECTORY = Set.of("swap-from-above", "watch-programs");

	@Override
	protected ExecutionSandbox createSandbox() {
		HostUser user = JvmUser.ofCommands();
		boolean groups = user != null;
		CommandLimits limits = new CommandLimits(groups ? 256L << 20 : null, null, groups ? 100 : null, 16L << 20);
		return RemotePair
			.copying(
					new BubblewrapSandbox(JvmUser.bubblewrapOptions()
						.with((changes) -> changes
							.commands((commands) -> commands.limits(limits).tmpfsBytes(16L << 20)))),
					(port) -> port, (options) -> options.withCopies(new CopyOptions(null, 1 << 30, user)),
					(options) -> options);
	}

	/**
	 * Returns the attacks but those of a command on another one through a directory that
	 * both see: here, each command has a copy of its own.
	 */
	@Override
	protected List<Attack<SandboxScene>> attacks() {
		return super.attacks().stream().filter((attack) -> !THROUGH_SHARED_DIRECTORY.contains(attack.id())).toList();
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new HashMap<>(new RemoteAttackTests().declared());
		declared.keySet().removeAll(THROUGH_SHARED_DIRECTORY);
		declared.put("outlive-jvm", Declared.absent("as with shared directories"));
		return declared;
	}

}
