package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.process.ProcessLauncher;
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;

/**
 * Domains that a program enters before it becomes the command, for a JVM that cannot make
 * system calls. The program is perl, a part of the smallest installation of Debian.
 *
 * @param perl the program
 * @param script the script of the program
 * @param abi the version of the interface
 * @param directory contains the files that pass rules and environment to the program
 * @param why the reason why the JVM does not enter domains itself
 */
record ScriptDomains(Path perl, String script, int abi, PrivateDirectory directory, String why) implements Domains {

	private static final long TIMEOUT_SECONDS = 20;

	/**
	 * Finds the program.
	 * @param why the reason why the JVM does not enter domains itself
	 * @throws LandlockCheck.UnavailableException if there is none, or the kernel refuses
	 * it
	 */
	static ScriptDomains find(PrivateDirectory directory, String why) throws LandlockCheck.UnavailableException {
		Path perl = Executables.find("perl");
		if (perl == null) {
			throw new LandlockCheck.UnavailableException(
					Reason.NO_LAUNCHER.found(why + ", and there is no program perl"));
		}
		String script = readScript();
		int abi = abi(perl, script);
		if (abi <= 0) {
			throw new LandlockCheck.UnavailableException(
					LandlockCheck.refused(-abi, "landlock_create_ruleset by perl: error " + -abi));
		}
		return new ScriptDomains(perl, script, abi, directory, why);
	}

	private static String readScript() {
		try (InputStream script = Objects.requireNonNull(ScriptDomains.class.getResourceAsStream("enter.pl"))) {
			return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int abi(Path perl, String script) throws LandlockCheck.UnavailableException {
		try {
			ProcessBuilder builder = new ProcessBuilder(perl.toString(), "-e", script)
				.redirectError(ProcessBuilder.Redirect.DISCARD);
			builder.environment().clear();
			Process process = builder.start();
			try (InputStream output = process.getInputStream()) {
				process.getOutputStream().close();
				if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
					return Integer.parseInt(new String(output.readNBytes(9), StandardCharsets.US_ASCII));
				}
				throw new IOException("it did not end");
			}
			finally {
				process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unusable(ex);
		}
		catch (IOException | NumberFormatException ex) {
			throw unusable(ex);
		}
	}

	private static LandlockCheck.UnavailableException unusable(Exception cause) {
		return new LandlockCheck.UnavailableException(
				Reason.CANARY_FAILED.found("perl does not tell the version of Landlock: " + cause));
	}

	@Override
	public boolean killable() {
		return false;
	}

	@Override
	public String means() {
		return "perl, since " + this.why;
	}

	@Override
	public boolean gated() {
		return false;
	}

	@Override
	public CommandDomain open(LandlockRules rules, byte[] filter) {
		return new CommandDomain() {

			@Override
			public ProcessLauncher launcher(boolean gated) {
				return (builder) -> start(builder, rules, filter);
			}

			@Override
			public void reset(Runnable then) {
				// each command enters its own
				then.run();
			}

			@Override
			public void close() {
				// nothing is held between commands
			}

		};
	}

	private Process start(ProcessBuilder builder, LandlockRules rules, byte[] filter) throws IOException {
		// setsid comes first, and does not look at the environment
		boolean session = builder.command().get(0).endsWith("/setsid");
		List<String> before = session ? builder.command().subList(0, 1) : List.of();
		List<String> program = builder.command().subList(before.size(), builder.command().size());
		Path file = this.directory.newPath("domain");
		Files.createFile(file, OwnerOnly.file(file));
		try {
			Files.write(file, bytes(values(rules, filter, builder, program)));
			List<String> arguments = new ArrayList<>(before);
			arguments.addAll(List.of(this.perl.toString(), "-e", this.script, file.toString()));
			ProcessBuilder entering = new ProcessBuilder(arguments).directory(builder.directory())
				.redirectInput(builder.redirectInput());
			entering.environment().clear();
			return entering.start();
		}
		catch (IOException | RuntimeException ex) {
			Files.deleteIfExists(file);
			throw ex;
		}
	}

	private List<String> values(LandlockRules rules, byte[] filter, ProcessBuilder builder, List<String> program) {
		boolean x86 = SeccompArchitecture.ofThisMachine() == SeccompArchitecture.X86_64;
		List<String> values = new ArrayList<>(x86 ? List.of("157", "444", "445", "446", "437", "317")
				: List.of("167", "444", "445", "446", "437", "277"));
		add(values, rules.handledFiles(this.abi), rules.handledNetwork(this.abi), rules.scoped(this.abi),
				LandlockRules.attributesSize(this.abi));
		values.add(HexFormat.of().formatHex(filter));
		add(values, rules.rules().size());
		for (LandlockRules.Rule rule : rules.rules()) {
			add(values, rule.access(Files.isDirectory(rule.path(), LinkOption.NOFOLLOW_LINKS)));
			values.add(rule.path().toString());
		}
		add(values, builder.environment().size());
		builder.environment().forEach((name, value) -> values.add(name + "=" + value));
		values.addAll(program);
		return values;
	}

	private static void add(List<String> values, long... numbers) {
		for (long number : numbers) {
			values.add(Long.toString(number));
		}
	}

	private static byte[] bytes(List<String> values) {
		String all = String.join("\0", values) + "\0";
		return all.getBytes(Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name())));
	}

	@Override
	public void close() {
		// nothing is held between commands
	}

}
