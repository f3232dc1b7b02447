package io.kairo.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspacePath;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link AgentSession#child(String)}.
 */
class ChildSessionTests {

	private final AgentSession parent = new AgentSession("s", TenantContext.SINGLE, Workspace.cwd());

	private final WorkspacePath root = new WorkspacePath(this.parent.workspace().root(), "");

	@Test
	void childStartsAtPrimaryRootRegardlessOfParentDirectory() {
		this.parent.currentDirectory(directory("parent"));
		AgentSession child = this.parent.child("helper");
		assertThat(child.currentDirectory()).isEqualTo(this.root);
		child.currentDirectory(directory("child"));
		assertThat(this.parent.currentDirectory()).isEqualTo(directory("parent"));
		assertThat(this.parent.child("helper").currentDirectory()).isEqualTo(directory("child"));
		assertThat(this.parent.child("other").currentDirectory()).isEqualTo(this.root);
		assertThat(child.child("helper").currentDirectory()).isEqualTo(this.root);
	}

	@Test
	void childSharesWorkspaceAndTenantButNotLedger() {
		AgentSession child = this.parent.child("helper");
		assertThat(child.workspace()).isSameAs(this.parent.workspace());
		assertThat(child.tenant()).isEqualTo(this.parent.tenant());
		assertThat(child.ledger()).isNotSameAs(this.parent.ledger());
		assertThat(child.id()).isEqualTo("s/helper");
	}

	@Test
	void turnIsSharedByEverySpellingOfFile() throws InterruptedException {
		AtomicBoolean changed = new AtomicBoolean();
		Thread other = new Thread(() -> this.parent.child("other")
			.inTurn(List.of(directory("KB/Cafe\u0301")), () -> changed.getAndSet(true)));
		this.parent.inTurn(List.of(directory("kb/caf\u00e9")), () -> {
			other.start();
			await().atMost(Duration.ofSeconds(30)).until(() -> other.getState() == Thread.State.WAITING);
			return changed.get();
		});
		other.join(Duration.ofSeconds(30).toMillis());
		assertThat(changed).isTrue();
	}

	@Test
	void unnamedChildIsNewEachTime() {
		assertThat(this.parent.child()).isNotSameAs(this.parent.child());
		assertThat(this.parent.child().id()).isNull();
		assertThat(new AgentSession(null, TenantContext.SINGLE, Workspace.cwd()).child("x").id()).isNull();
	}

	@Test
	void leastRecentlyUsedChildIsForgottenBeyondOneHundred() {
		AgentSession used = this.parent.child("used");
		AgentSession forgotten = this.parent.child("forgotten");
		IntStream.range(0, 99).forEach((i) -> {
			this.parent.child("c" + i);
			this.parent.child("used");
		});
		assertThat(this.parent.child("used")).isSameAs(used);
		assertThat(this.parent.child("forgotten")).isNotSameAs(forgotten);
	}

	@Test
	void blankChildNameIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.parent.child(" ")).withMessageContaining("name");
	}

	private static WorkspacePath directory(String name) {
		return new WorkspacePath(Path.of("").toAbsolutePath(), name);
	}

}
