package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command in a virtual machine, prints a line before and after
 * that, and waits to be killed.
 */
final class StayingProgram {

	private static final Pattern SLEEP = Pattern.compile("sleep (\\d+)");

	private StayingProgram() {
	}

	static List<String> commandLine(Path workspace, String command) {
		return List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(), workspace.toString(), command);
	}

	public static void main(String[] args) throws Exception {
		List<String> flags = List.of(args).subList(2, args.length);
		MicroVmOptions options = flags.contains("ahead")
				? MicroVmFixture.options().with((changes) -> changes.pool(MachinePool.DEFAULT.withStartedAhead(1)))
				: MicroVmFixture.options();
		MicroVmSandbox sandbox = new MicroVmSandbox(options);
		if (flags.contains("unchecked")) {
			// not tested, so that the first machine is that of the command
			sandbox = new MicroVmSandbox(options, null, MicroVmFixture.unchecked());
			System.out.println("starting");
		}
		sandbox.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build());
		while (sandbox.readyAhead() < options.pool().startedAhead()) {
			Thread.sleep(10);
		}
		System.out.println("started");
		Matcher sleep = SLEEP.matcher(args[1]);
		String argument = sleep.find() ? sleep.group(1) : "-";
		while (true) {
			writeCount(Path.of(args[0]), sandbox.countProcesses(argument));
			Thread.sleep(50);
		}
	}

	/**
	 * Tells how many processes run in which machine.
	 */
	private static void writeCount(Path workspace, int count) throws IOException {
		long emulator = ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("qemu-system-x86_64"))
			.mapToLong(ProcessHandle::pid)
			.findFirst()
			.orElse(0);
		Path draft = Files.writeString(file(workspace).resolveSibling("kairo-test-" + ProcessHandle.current().pid()),
				count + " " + emulator);
		Files.move(draft, file(workspace), StandardCopyOption.ATOMIC_MOVE);
	}

	private static Path file(Path workspace) {
		return Path.of(System.getProperty("java.io.tmpdir"), "kairo-test-" + workspace.getFileName() + "-count");
	}

	/**
	 * Returns the number of processes of the command of a program, which live as long as
	 * the machine does.
	 */
	static int countProcesses(Path workspace) {
		try {
			String[] fields = Files.readString(file(workspace)).split(" ");
			boolean alive = ProcessHandle.of(Long.parseLong(fields[1])).isPresent();
			return alive ? Integer.parseInt(fields[0]) : 0;
		}
		catch (IOException ex) {
			return 0;
		}
	}

}
