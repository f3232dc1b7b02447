package io.kairo.autoconfigure.workspace;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.RootTemplate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Creates the templates of configured directories, and checks that the directories exist.
 */
final class RootTemplates {

	private RootTemplates() {
	}

	/**
	 * Returns the roots and the additional directories of the workspace.
	 * @return the templates, the primary root first
	 * @throws InvalidConfigurationPropertyValueException if a directory does not exist,
	 * or if the directories of two tenants overlap
	 */
	static List<RootTemplate> of(WorkspaceProperties properties) {
		List<RootTemplate> templates = Stream
			.concat(properties.roots().stream().map((root) -> existing("kairo.workspace.roots", root)),
					properties.addDirs().stream().map((dir) -> existing("kairo.workspace.add-dirs", dir)))
			.toList();
		if (properties.pathPolicy() == PathPolicy.HOST && templates.stream().anyMatch(RootTemplate::perTenant)) {
			throw WorkspaceProperties.invalid("path-policy", WorkspaceProperties.spelled(properties.pathPolicy()),
					"it gives every tenant access to every file: use the policy roots, or no " + RootTemplate.TENANT
							+ " in kairo.workspace.roots");
		}
		for (RootTemplate template : templates) {
			templates.stream().filter(template::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw WorkspaceProperties.invalid("roots", template, "it overlaps " + other
						+ ", which would give one tenant access to the files of another: use separate directories");
			});
		}
		return templates;
	}

	/**
	 * Returns the template of one directory.
	 * @param property the name of the property
	 * @param value the value of the property
	 * @throws InvalidConfigurationPropertyValueException if the directory does not exist
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
