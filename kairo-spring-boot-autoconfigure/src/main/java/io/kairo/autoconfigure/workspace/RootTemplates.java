package io.kairo.autoconfigure.workspace;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.RootTemplate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Makes templates of the directories that properties name, and looks whether what must
 * exist of them does.
 */
final class RootTemplates {

	private RootTemplates() {
	}

	/**
	 * Returns the roots and the added directories of the workspace.
	 * @return the primary one first
	 * @throws InvalidConfigurationPropertyValueException if one is not there, or if
	 * tenants would meet in one of them
	 */
	static List<RootTemplate> of(WorkspaceProperties properties) {
		List<RootTemplate> templates = Stream
			.concat(properties.roots().stream().map((root) -> existing("kairo.workspace.roots", root)),
					properties.addDirs().stream().map((dir) -> existing("kairo.workspace.add-dirs", dir)))
			.toList();
		if (properties.pathPolicy() == PathPolicy.HOST && templates.stream().anyMatch(RootTemplate::perTenant)) {
			throw WorkspaceProperties.invalid("path-policy", WorkspaceProperties.spelled(properties.pathPolicy()),
					"it lets every tenant name every file: use the policy roots, or no " + RootTemplate.TENANT
							+ " in kairo.workspace.roots");
		}
		for (RootTemplate template : templates) {
			templates.stream().filter(template::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw WorkspaceProperties.invalid("roots", template, "it overlaps " + other
						+ ", so that one tenant would see another one's files: use directories apart");
			});
		}
		return templates;
	}

	/**
	 * Returns the template of one directory.
	 * @param property who names it
	 * @param value how
	 * @throws InvalidConfigurationPropertyValueException if it is not there
	 */
	static RootTemplate existing(String property, String value) {
		RootTemplate template;
		try {
			template = RootTemplate.parse(value);
		}
		catch (WorkspacePathException ex) {
			throw new InvalidConfigurationPropertyValueException(property, value, ex.getMessage());
		}
		File base = template.base().toFile();
		if (!base.isDirectory()) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					(base.exists() ? "it is not a directory" : "there is no such directory")
							+ (template.perTenant() ? " above " + RootTemplate.TENANT : "")
							+ ": create it or name another one");
		}
		return template;
	}

}
