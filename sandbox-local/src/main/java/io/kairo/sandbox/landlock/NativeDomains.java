package io.kairo.sandbox.landlock;

import java.io.IOException;

import io.kairo.linux.LandlockRules;
import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;
import io.kairo.sandbox.support.process.ProcessLauncher;

/**
 * Domains that threads of this JVM enter. Each command has two, one within the other: a
 * thread that stays in the outer one, which confines signals only, can kill everything in
 * the inner one, whose processes can signal each other but not that thread.
 *
 * @param linux the system calls
 * @param abi the version of the interface
 * @param keeper the thread whose domain contains all others
 */
record NativeDomains(NativeLinux linux, int abi, DomainKeeper keeper) implements Domains {

	/**
	 * Creates the domains.
	 * @param linux the system calls, which can be made
	 */
	static NativeDomains create(NativeLinux linux, int abi) {
		return new NativeDomains(linux, abi, new DomainKeeper(linux, abi));
	}

	@Override
	public boolean killable() {
		return this.abi >= LandlockRules.SCOPE_ABI;
	}

	@Override
	public String means() {
		return "system calls of the JVM";
	}

	@Override
	public boolean gated() {
		return true;
	}

	@Override
	public ProcessLauncher launcher(LandlockRules rules, byte[] filter, boolean gated) {
		return new ProcessLauncher() {

			@Override
			public ConfinedProcess launch(ProcessBuilder builder) throws IOException {
				try (LandlockRuleset ruleset = LandlockRuleset.create(linux(), rules, abi());
						Spawn spawn = ConfinedProcess.prepare(builder, NativeDomains.this, gated)) {
					CommandThread thread = new CommandThread(linux(), keeper(), ruleset,
							new ThreadFilter(linux(), filter), spawn);
					keeper().start("kairo-domain", thread);
					thread.awaitStart();
					return ConfinedProcess.open(builder, spawn, thread);
				}
			}

			@Override
			public ProcessOutput launch(ProcessBuilder builder, OutputLog log) throws IOException {
				return launch(builder).copyTo(log);
			}

			@Override
			public boolean createsSession() {
				return true;
			}

		};
	}

	@Override
	public void close() {
		this.keeper.close();
	}

}
