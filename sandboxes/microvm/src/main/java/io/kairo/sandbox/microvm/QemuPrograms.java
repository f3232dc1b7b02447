package io.kairo.sandbox.microvm;

import java.nio.file.Path;

import io.kairo.sandbox.support.Executables;
import org.jspecify.annotations.Nullable;

/**
 * The programs of QEMU.
 *
 * @param options the options; they may name the programs
 */
record QemuPrograms(MicroVmOptions options) {

	/** The accelerator of processors that can run machines. */
	static final String KVM = "kvm";

	/** The accelerator that emulates the processor. */
	static final String EMULATED = "tcg,thread=multi";

	static final Path KVM_DEVICE = Path.of("/dev/kvm");

	private static final String EMULATOR = "qemu-system-x86_64";

	/** Not in the search path of Debian and others. */
	private static final Path USUAL_SERVER = Path.of("/usr/lib/qemu/virtiofsd");

	/**
	 * Returns the path of the emulator. It need not exist.
	 */
	Path qemu() {
		Path configured = this.options.qemu();
		return (configured != null) ? configured : orElse(Executables.find(EMULATOR), Path.of("/usr/bin", EMULATOR));
	}

	/**
	 * Returns the path of the file server. It need not exist.
	 */
	Path virtiofsd() {
		Path configured = this.options.virtiofsd();
		return (configured != null) ? configured : USUAL_SERVER;
	}

	private static Path orElse(@Nullable Path found, Path usual) {
		return (found != null) ? found : usual;
	}

}
