package io.kairo.sandbox.support.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.process.GroupSettings;

/**
 * Sets limits in the groups of one hierarchy.
 *
 * @param controllers the controllers of the hierarchy
 * @param limits the limits
 */
record LimitSettings(List<LimitController> controllers, CommandLimits limits) implements GroupSettings {

	private static final String SUBTREE = "cgroup.subtree_control";

	/**
	 * Creates the value.
	 * @param controllers the controllers, copied
	 * @param limits the limits
	 */
	LimitSettings {
		controllers = List.copyOf(controllers);
	}

	/**
	 * In version 2 a controller is available in a group only if each of its ancestors
	 * delegates it.
	 */
	@Override
	public void prepare(Path parent) throws IOException {
		Path above = parent.toAbsolutePath().getParent();
		if (above != null && Files.exists(above.resolve(SUBTREE))) {
			for (LimitController controller : this.controllers) {
				handDown(above, controller.controller());
				handDown(parent, controller.controller());
			}
		}
	}

	@Override
	public void apply(Path group) throws IOException {
		for (LimitController controller : this.controllers) {
			controller.apply(group, this.limits);
		}
	}

	private static void handDown(Path group, String controller) throws IOException {
		String handed = Files.readString(group.resolve(SUBTREE), StandardCharsets.US_ASCII).trim();
		if (!List.of(handed.split(" ", -1)).contains(controller)) {
			LimitController.write(group.resolve(SUBTREE), "+" + controller);
		}
	}

}
