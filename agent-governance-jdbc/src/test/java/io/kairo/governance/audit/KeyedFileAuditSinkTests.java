package io.kairo.governance.audit;

import java.nio.charset.StandardCharsets;

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
		close();
		try (AuditSink sink = open(chain())) {
			sink.append(AuditRecords.records(3));
		}
		forge(AuditRecords.records(3));
		assertThat(report().findings()).hasSize(3);
	}

}
