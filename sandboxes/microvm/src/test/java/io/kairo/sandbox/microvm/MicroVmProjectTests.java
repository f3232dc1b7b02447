package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.ProjectContract;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Builds small projects by commands in a {@link MicroVmSandbox}.
 */
@RequiresMicroVm
@EnabledIfSystemProperty(named = "kairo.microvm", matches = "all", disabledReason = "requires -Dkairo.microvm=all")
class MicroVmProjectTests extends ProjectContract {

	@Order(1) // deleted last
	@RegisterExtension
	private static final SharedWorkspace workspace = new SharedWorkspace();

	@Override
	protected ExecutionSandbox createSandbox() {
		return MicroVmFixture.granting(MicroVmFixture.sandbox(MicroVmFixture.options()));
	}

	@Override
	protected Path workspace(Path temporary) throws IOException {
		return workspace.get();
	}

}
