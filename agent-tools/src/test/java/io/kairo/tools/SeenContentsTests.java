package io.kairo.tools;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.session.LargeFiles;
import io.kairo.tools.session.ProcessorTurns;
import io.kairo.tools.session.SeenContents;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SeenContents}.
 */
class SeenContentsTests {

	private static final Workspace WORKSPACE = Workspace.cwd();

	private static final WorkspacePath FILE = new WorkspacePath(WORKSPACE.root(), "a.txt");

	private final SeenContents contents = new SeenContents(10_000);

	private AgentSession session(String tenant) {
		return new AgentSession("s", new TenantContext(tenant, tenant), WORKSPACE, null, null, null,
				new SharedResources(this.contents, LargeFiles.ofHeap(), ProcessorTurns.ofMachine()));
	}

	private static boolean remembers(AgentSession session) {
		return session.ledger().content(FILE, "1") != null;
	}

	@Test
	void idleSessionsShareTheSpace() {
		List<AgentSession> sessions = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			AgentSession session = session("acme");
			session.ledger().record(FILE, "1", new byte[1000]);
			session.child("sub").ledger().record(FILE, "1", new byte[1000]);
			sessions.add(session);
		}
		assertThat(this.contents.bytes()).isEqualTo(10_000);
		assertThat(remembers(sessions.get(9999))).isTrue();
		assertThat(remembers(sessions.get(0))).isFalse();
		assertThat(sessions.get(0).ledger().version(FILE)).isEqualTo("1");
	}

	@Test
	void tenantWithManySessionsTakesNothingFromOthers() {
		AgentSession other = session("other");
		other.ledger().record(FILE, "1", new byte[1000]);
		for (int i = 0; i < 1000; i++) {
			session("acme").ledger().record(FILE, "1", new byte[1000]);
		}
		assertThat(remembers(other)).isTrue();
		assertThat(this.contents.bytes()).isEqualTo(10_000);
	}

	@Test
	void contentInUseIsKept() {
		AgentSession used = session("acme");
		used.ledger().record(FILE, "1", new byte[1000]);
		for (int i = 0; i < 100; i++) {
			session("acme").ledger().record(FILE, "1", new byte[1000]);
			assertThat(remembers(used)).isTrue();
		}
	}

	@Test
	void newVersionReplacesContent() {
		AgentSession session = session("acme");
		session.ledger().record(FILE, "1", new byte[1000]);
		session.ledger().record(FILE, "2", new byte[10]);
		assertThat(this.contents.bytes()).isEqualTo(10);
		session.ledger().record(FILE, "3");
		assertThat(this.contents.bytes()).isZero();
	}

	@Test
	void contentLargerThanTheSpaceIsNotKept() {
		session("acme").ledger().record(FILE, "1", new byte[10_001]);
		assertThat(this.contents.bytes()).isZero();
	}

}
