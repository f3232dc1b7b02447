package io.kairo.governance.audit;

import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink that logs every record at level INFO to the logger {@code io.kairo.audit}, with
 * the keys {@code audit.sequence}, {@code audit.previous}, {@code audit.hash} and
 * {@code audit.record}, the record in JSON. The chain begins anew with each start of the
 * application. Whether records survive is a matter of the appenders.
 */
public final class LogAuditSink implements AuditSink {

	private static final Logger logger = LoggerFactory.getLogger("io.kairo.audit");

	private final HashChain chain;

	private volatile ChainHead head = ChainHead.NONE;

	/**
	 * Creates a sink.
	 * @param chain the hashes
	 */
	public LogAuditSink(HashChain chain) {
		this.chain = chain.named(name(), name());
	}

	@Override
	public String name() {
		return "log";
	}

	@Override
	public void append(List<AuditRecord> records) {
		for (AuditRecord record : records) {
			ChainHead before = this.head;
			String json = AuditJson.write(record);
			ChainHead next = this.chain.next(before, json);
			logger.atInfo()
				.addKeyValue("audit.sequence", next.sequence())
				.addKeyValue("audit.previous", before.hash())
				.addKeyValue("audit.hash", next.hash())
				.addKeyValue("audit.record", json)
				.log(record.event() + " " + record.code());
			this.head = next;
		}
	}

	@Override
	public Optional<ChainHead> head() {
		return Optional.of(this.head);
	}

}
