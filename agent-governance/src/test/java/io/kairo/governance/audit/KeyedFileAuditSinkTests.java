package io.kairo.governance.audit;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FileAuditSink} with a key.
 */
class KeyedFileAuditSinkTests extends FileAuditSinkTests {

	@Override
	HashChain chain() {
		return new HashChain("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
	}

	@Test
	void forgedChainIsFoundWithoutKnowingItsHead() throws Exception {
		AuditSink sink = reopened();
		sink.append(AuditRecords.records(3));
		forge(AuditRecords.records(3));
		assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).hasSize(3);
		sink.close();
	}

	private AuditSink reopened() {
		close();
		return open(chain());
	}

}
