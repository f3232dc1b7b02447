package io.kairo.governance.policy;

/**
 * Tests for {@link InMemoryApprovalStore}.
 */
class InMemoryApprovalStoreTests extends ApprovalStoreContract {

	private final ApprovalStore store = new InMemoryApprovalStore();

	@Override
	ApprovalStore open() {
		return this.store;
	}

}
