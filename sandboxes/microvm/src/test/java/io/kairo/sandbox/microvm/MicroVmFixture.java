package io.kairo.sandbox.microvm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.api.sandbox.tck.SharedSandbox;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * Virtual machines for tests: with the image that the environment variable
 * {@code KAIRO_MICROVM_IMAGE} names, and emulated where the processor cannot run them. If
 * the user of the JVM is root, they run as the user {@code nobody}, who needs access to
 * the directories of commands.
 */
final class MicroVmFixture {

	static final HostUser NOBODY = new HostUser(65534, 65534);

	/** Shared, since a self-test starts a machine. */
	private static final Map<MicroVmOptions, MicroVmCheck> checks = new ConcurrentHashMap<>();

	private MicroVmFixture() {
	}

	/**
	 * Returns the directory with the image, or null if there is none.
	 */
	static @Nullable Path image() {
		String image = System.getenv("KAIRO_MICROVM_IMAGE");
		return (image != null) ? Path.of(image) : null;
	}

	static boolean isRoot() {
		return Objects.requireNonNull(HostUser.current()).uid() == 0;
	}

	static MicroVmOptions options() {
		Path image = Objects.requireNonNullElse(image(), Path.of("/no/image"));
		MicroVmOptions options = MicroVmOptions.of(image.resolve("vmlinuz"), image.resolve("initrd"))
			.with((changes) -> changes.emulation(MicroVmOptions.Emulation.ALLOWED)
				// emulated beside other tests
				.bootTimeout(Duration.ofMinutes(4)));
		return isRoot() ? options.with((changes) -> changes.commands((commands) -> commands.runAs(NOBODY))) : options;
	}

	/**
	 * Returns a sandbox that does not test machines for itself if another one with the
	 * same image has.
	 */
	static MicroVmSandbox sandbox(MicroVmOptions options) {
		return sandbox(options, null);
	}

	static SharedSandbox<MicroVmSandbox> shared(MicroVmOptions options) {
		return new SharedSandbox<>(() -> sandbox(options), MicroVmFixture::granting);
	}

	static MicroVmSandbox sandbox(MicroVmOptions options, @Nullable AllowListProxy proxy) {
		MicroVmOptions key = options();
		MicroVmCheck check = checks.get(key);
		if (check == null) {
			try (MicroVmSandbox tested = new MicroVmSandbox(key)) {
				tested.problem();
				check = tested.check();
				checks.put(key, check);
			}
		}
		return new MicroVmSandbox(options, proxy, check);
	}

	/**
	 * Returns a check that tests nothing and finds that machines have to be emulated.
	 */
	static MicroVmCheck unchecked() {
		return new MicroVmCheck(options(), (accelerator) -> accelerator.equals(QemuPrograms.KVM) ? "no kvm" : null);
	}

	/**
	 * Returns a sandbox that grants the user of commands access to their directories.
	 */
	static ExecutionSandbox granting(ExecutionSandbox sandbox) {
		return isRoot() ? new AccessGrantingSandbox(sandbox, NOBODY.uid()) : sandbox;
	}

	static void grantAccess(Path directory) {
		if (isRoot()) {
			AccessGrantingSandbox.grantAccess(directory, NOBODY.uid());
		}
	}

	static Outcome run(ExecutionSandbox sandbox, SandboxRequest request) {
		try (SandboxHandle handle = sandbox.start(request)) {
			return outcome(handle);
		}
	}

	static Outcome outcome(SandboxHandle handle) {
		SandboxExit exit = Objects.requireNonNull(handle.exit().block());
		StringBuilder out = new StringBuilder();
		StringBuilder err = new StringBuilder();
		for (SandboxOutputChunk chunk : handle.output().toIterable()) {
			((chunk instanceof SandboxOutputChunk.Stdout) ? out : err)
				.append(new String(chunk.data(), StandardCharsets.UTF_8));
		}
		return new Outcome(exit, out.toString(), err.toString());
	}

	/**
	 * The sandboxes of a test.
	 */
	static final class Opened {

		private final List<MicroVmSandbox> sandboxes = new CopyOnWriteArrayList<>();

		ExecutionSandbox granting(MicroVmSandbox sandbox) {
			this.sandboxes.add(sandbox);
			return MicroVmFixture.granting(sandbox);
		}

		int countProcesses(String argument) {
			return this.sandboxes.stream().mapToInt((sandbox) -> sandbox.countProcesses(argument)).sum();
		}

	}

	record Outcome(SandboxExit exit, String out, String err) {

	}

}
