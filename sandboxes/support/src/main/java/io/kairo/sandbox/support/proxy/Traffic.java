package io.kairo.sandbox.support.proxy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Counts the network activity of one command. Only the first different refusals are
 * logged and kept, since a command could cause any number of them. Safe for use by
 * several threads.
 */
final class Traffic {

	private static final Logger logger = System.getLogger(Traffic.class.getName());

	private static final int MOST_REFUSALS = 20;

	private final String tenant;

	private final Set<String> refusals = new TreeSet<>();

	private long allowed;

	private long refused;

	private long sent;

	private long received;

	Traffic(String tenant) {
		this.tenant = tenant;
	}

	synchronized void allowed() {
		this.allowed++;
	}

	synchronized void refused(ProxyRefusedException reason) {
		this.refused++;
		if (this.refusals.size() < MOST_REFUSALS && this.refusals.add(reason.describe())) {
			logger.log(Level.INFO, "A command of tenant {0} was refused on the network: {1}{2}", this.tenant,
					reason.describe(), reason.detail());
		}
	}

	synchronized void moved(long sent, long received) {
		this.sent += sent;
		this.received += received;
	}

	synchronized ProxyReport report() {
		return new ProxyReport(this.allowed, this.refused, this.sent, this.received, List.copyOf(this.refusals));
	}

}
