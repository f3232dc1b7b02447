package io.kairo.workspace.task;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AgentRecord}.
 */
class AgentRecordTests {

	@ParameterizedTest
	@ValueSource(strings = { "agent-001", "a", "_x", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "代理-1", "a b", "v1.2..3",
			"rooted", "Root" })
	void ordinaryIdsAreAccepted(String id) {
		assertThat(new AgentRecord(id, "root").id()).isEqualTo(id);
		assertThat(new AgentRecord("other", id).parentId()).isEqualTo(id);
	}

	static String[] bad() {
		return new String[] { "", " ", ".", "..", "../x", "a/b", "a\\b", "/etc", "C:", "a:b", "a\0b", "a\nb", ".hidden",
				"dot.", "space ", "con", "NUL.txt", "e\u0301", "{tenant}", "a*", "a".repeat(201), "x".repeat(300),
				"代".repeat(67), "-rf", "\u202Egnp.exe" };
	}

	@ParameterizedTest
	@MethodSource("bad")
	void idsThatCannotBeDirectoriesAreRefused(String id) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> new AgentRecord(id, "root"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH))
			.withMessageContaining("id needs");
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> new AgentRecord("child", id));
	}

	@ParameterizedTest
	@ValueSource(strings = { "root", "user" })
	void reservedIdsAreRefused(String id) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> new AgentRecord(id, "a"))
			.withMessageContaining("reserved");
	}

	@Test
	void agentCannotBeItsOwnParent() {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> new AgentRecord("a", "a"))
			.withMessageContaining("own parent");
	}

	@Test
	void onlyChildrenOfRootAreAssignedAWorkspace() {
		assertThat(new AgentRecord("a", "root").assigned()).isTrue();
		assertThat(new AgentRecord("a", "user").assigned()).isFalse();
		assertThat(new AgentRecord("a", "b").assigned()).isFalse();
	}

}
