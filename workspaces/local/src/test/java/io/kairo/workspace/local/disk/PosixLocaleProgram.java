package io.kairo.workspace.local.disk;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;

/**
 * A program that lists a workspace and resolves a name that is not ASCII, for a locale
 * that cannot encode it.
 */
final class PosixLocaleProgram {

	private PosixLocaleProgram() {
	}

	public static void main(String[] arguments) {
		WorkspaceFiles files = TestWorkspaces.open(PathPolicy.HOST, Path.of(arguments[0]));
		System.out.println("entries: " + files.list(files.root(), 1).value().entries().size());
		try {
			files.resolve("caf\u00e9", files.root());
		}
		catch (WorkspacePathException ex) {
			System.out.println(ex.getMessage());
		}
	}

}
