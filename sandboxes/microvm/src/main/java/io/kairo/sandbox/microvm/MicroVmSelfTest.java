package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * Starts a machine with a read-only directory, and runs a command there that tries to
 * write to it.
 *
 * @param factory starts the machine
 * @param options the options
 * @param output the directory for the output of the command
 */
record MicroVmSelfTest(MachineFactory factory, MicroVmOptions options,
		PrivateDirectory output) implements MicroVmCheck.SelfTest {

	private static final Path TARGET = Path.of("/workspace");

	/** Unlikely as the exit code of anything else. */
	private static final int PASSED = 42;

	private static final int WRITTEN = 43;

	private static final String COMMAND = "grep -q test canary && ! grep -q CapEff:.*[1-9a-f] /proc/self/status || exit 1;"
			+ " (: > written) 2> /dev/null && exit " + WRITTEN + "; exit " + PASSED;

	@Override
	public @Nullable String run(String accelerator) {
		Machine machine = null;
		Path directory = null;
		OutputLog log = new OutputLog(1, 0, this.output);
		try {
			directory = this.factory.newDirectory();
			Path canary = Files.writeString(directory.resolve("canary"), "test\n", StandardCharsets.US_ASCII);
			Files.setPosixFilePermissions(canary, PosixFilePermissions.fromString("r--r--r--"));
			Roots roots = new Roots(List.of(new Root(directory, directory, TARGET, false)));
			MountPlan plan = new MountPlan();
			plan.add(MountPlan.Kind.READ_ONLY, directory.toRealPath(), TARGET);
			MachineSpec spec = MachineSpec.of("self-test", roots, plan, List.of());
			machine = this.factory.start(spec, accelerator);
			CommandLimits limits = this.options.commandLimits();
			GuestCommand command = new GuestCommand(machine.nextId(), machine, null, log, roots, false, limits,
					Duration.ZERO, () -> {
					});
			GuestStart message = new GuestStart(this.factory.confinement().user(), false, false, limits,
					this.options.tmpfsBytes(), new byte[0], "", TARGET, spec.targets(),
					List.of("/bin/sh", "-c", COMMAND), List.of("PATH=/usr/bin:/bin"));
			machine.start(command, message.toBytes());
			String problem = command.awaitStart();
			if (!"".equals(problem)) {
				return "the command of the self-test did not run: "
						+ ((problem != null) ? problem : machine.lastWords());
			}
			CommandEnd end = command.await();
			return switch (end.exitCode()) {
				case PASSED -> null;
				case WRITTEN -> "a command wrote to a read-only directory";
				default -> "the command of the self-test ended with " + end.exitCode();
			};
		}
		catch (IOException | IllegalStateException ex) {
			return "the self-test could not be run: " + ex.getMessage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "the self-test was interrupted";
		}
		finally {
			log.close();
			log.release();
			if (machine != null) {
				machine.end("the self-test is over");
			}
			remove(directory);
		}
	}

	private static void remove(@Nullable Path directory) {
		try {
			if (directory != null) {
				TreeDeletion.delete(directory);
			}
		}
		catch (IOException ex) {
			// removed with the directory that it is in
		}
	}

}
