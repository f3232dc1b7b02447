package io.kairo.workspace.local.repository;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A program that ends without notice while a command runs.
 */
final class RepositoryGuardProgram {

	private RepositoryGuardProgram() {
	}

	public static void main(String[] arguments) throws Exception {
		Path root = Path.of(arguments[0]);
		new RepositoryGuard(Path.of(arguments[1])).begin(List.of(root), List.of(".git/config"), true);
		if (arguments[2].equals("waiting")) {
			System.out.write('.');
			System.out.flush();
			System.in.read();
		}
		else {
			Files.writeString(root.resolve(".git/config"), "[alias]\n\tx = !evil\n", StandardOpenOption.APPEND);
		}
		Runtime.getRuntime().halt(9);
	}

}
