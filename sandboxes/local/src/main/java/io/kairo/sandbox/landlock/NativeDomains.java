package io.kairo.sandbox.landlock;

import java.io.IOException;

import io.kairo.linux.LandlockRules;
import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.output.ProcessOutput;

/**
 * Domains that threads of this JVM enter.
 *
 * @param linux the system calls
 * @param abi the version of the interface
 * @param keeper the thread whose domain contains all others
 */
record NativeDomains(NativeLinux linux, int abi, DomainKeeper keeper) implements Domains {

	/**
	 * Creates the domains.
	 * @param linux the system calls; they must be available
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
	public CommandDomain open(LandlockRules rules, byte[] filter) throws IOException {
		LandlockRuleset ruleset = LandlockRuleset.create(this.linux, rules, this.abi);
		boolean opened = false;
		try {
			CommandDomain domain = NativeDomain.open(this.linux, this.keeper, ruleset,
					new ThreadFilter(this.linux, filter));
			opened = true;
			return domain;
		}
		finally {
			if (!opened) {
				ruleset.close();
			}
		}
	}

	@Override
	public void close() {
		this.keeper.close();
	}

}
