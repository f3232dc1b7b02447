package io.kairo.sandbox.support.proxy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the network activity of one command, or of several that share a network. Only
 * the first different refusals are logged and kept, since a command could cause any
 * number of them. Safe for use by several threads.
 */
final class Traffic {

	private static final Logger logger = System.getLogger(Traffic.class.getName());

	private static final int MOST_REFUSALS = 20;

	private final String tenant;

	private final Set<String> refusals = new TreeSet<>();

	/** Of the commands that share the network now. */
	private final Set<Traffic> shares = ConcurrentHashMap.newKeySet();

	private long allowed;

	private long refused;

	private long sent;

	private long received;

	Traffic(String tenant) {
		this.tenant = tenant;
	}

	/**
	 * Returns the traffic from now on, for one of the commands that share the network.
	 */
	Traffic share() {
		Traffic share = new Traffic(this.tenant);
		this.shares.add(share);
		return share;
	}

	void end(Traffic share) {
		this.shares.remove(share);
	}

	void allowed() {
		this.shares.forEach(Traffic::allowed);
		synchronized (this) {
			this.allowed++;
		}
	}

	void refused(ProxyRefusedException reason) {
		this.shares.forEach((share) -> share.refused(reason));
		boolean logged = !this.shares.isEmpty();
		synchronized (this) {
			this.refused++;
			if (this.refusals.size() < MOST_REFUSALS && this.refusals.add(reason.describe()) && !logged) {
				logger.log(Level.INFO, "A command of tenant {0} was refused on the network: {1}{2}", this.tenant,
						reason.describe(), reason.detail());
			}
		}
	}

	void moved(long sent, long received) {
		this.shares.forEach((share) -> share.moved(sent, received));
		synchronized (this) {
			this.sent += sent;
			this.received += received;
		}
	}

	synchronized ProxyReport report() {
		return new ProxyReport(this.allowed, this.refused, this.sent, this.received, List.copyOf(this.refusals));
	}

}
