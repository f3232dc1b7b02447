package io.kairo.api.sandbox.tck;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks on interfaces of the kernel that agents do not need. The system calls have the
 * numbers of x86-64; on other processors they are not tried.
 */
final class KernelAttacks {

	/** EPERM, EACCES, ENOSYS. */
	private static final Set<String> REFUSALS = Set.of("1", "13", "38");

	private KernelAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				denied("ptrace", "traces a process, or reads its memory: `ptrace`, `process_vm_readv`",
						calls("101, 0, 0, 0, 0", "310, 1, 0, 0, 0, 0, 0", "311, 1, 0, 0, 0, 0, 0")),
				denied("namespaces", "creates or enters namespaces: `unshare`, `setns`, `clone`",
						calls("272, 0x10000000", "308, 0, 0x10000000", "56, 0x10000011, 0, 0, 0, 0")),
				denied("keyring", "uses the keyring of the kernel: `keyctl`, `add_key`",
						calls("250, 0, -3, 0", "248, 0, 0, 0, 0, 0")),
				denied("io-uring", "makes system calls by `io_uring`", calls("425, 1, 0")),
				denied("bpf", "loads programs into the kernel, or observes it: `bpf`, `perf_event_open`, `userfaultfd`",
						calls("321, 0, 0, 0", "298, 0, 0, 0, 0, 0, 0", "323, 0")),
				denied("mount-calls", "uses the system calls for mounts: `mount`, `pivot_root`, `fsopen`, `open_tree`",
						calls("165, 0, 0, 0, 0, 0", "155, 0, 0", "430, 0, 0", "428, -100, 0, 1")),
				denied("file-handles", "opens files by handles, bypassing paths: `open_by_handle_at`",
						calls("304, -100, 0, 0")),
				denied("terminal-input", "types into the terminal of the JVM: `TIOCSTI`, `TIOCLINUX`",
						calls("16, 0, 0x5412, 0", "16, 0, 0x541C, 0")),
				denied("rare-sockets", "opens netlink, packet and vsock sockets",
						calls("41, 16, 3, 0", "41, 17, 3, 0", "41, 40, 1, 0")),
				denied("write-proc-sys", "opens settings of the kernel for writing: `core_pattern`, `hostname`",
						new OpenProbe("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
								"/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe")),
				denied("write-cgroup", "opens its control group for writing",
						new OpenProbe("/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/*/cgroup.procs",
								"/sys/fs/cgroup/*/release_agent", "/sys/kernel/uevent_helper")),
				denied("devices", "opens memory, disks and logs of the host",
						new OpenProbe("/dev/mem", "/dev/kmsg", "/dev/vd[a-z]", "/dev/sd[a-z]", "/dev/nvme*",
								"/dev/loop0", "/dev/fuse", "/dev/kvm", "/dev/tty[0-9]")));
	}

	private static Attack<SandboxScene> denied(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.PROCESS, description, AttackOutcome.DENIED, probe);
	}

	private static Attack.Probe<SandboxScene> calls(String... calls) {
		return (scene) -> {
			if (!Set.of("amd64", "x86_64").contains(System.getProperty("os.arch").toLowerCase(Locale.ROOT))) {
				return Finding.HELD;
			}
			assertThat(call(scene, "39")).as("getpid").isEqualTo("ok");
			Finding finding = Finding.HELD;
			for (String call : calls) {
				String result = call(scene, call);
				if (!REFUSALS.contains(result)) {
					finding = scene.found(Finding.BROKEN, call + " has ended with " + result);
				}
			}
			return finding;
		};
	}

	/**
	 * Returns the error number, or "ok".
	 */
	private static String call(SandboxScene scene, String numbers) {
		// a child process that the call created prints nothing
		Outcome outcome = scene.run("perl -e 'my $p = $$; $! = 0; my $r = syscall(" + numbers
				+ "); exit if $r == 0 && syscall(39) != $p; print $r < 0 ? $! + 0 : qq(ok)'");
		assertThat(outcome.out()).as("system call %s: %s", numbers, outcome.err()).matches("ok|[0-9]+");
		return outcome.out();
	}

	/**
	 * Opens files for writing without writing to them.
	 *
	 * @param patterns the patterns of the files
	 */
	private record OpenProbe(List<String> patterns) implements Attack.Probe<SandboxScene> {

		OpenProbe(String... patterns) {
			this(List.of(patterns));
		}

		@Override
		public Finding attempt(SandboxScene scene) {
			Finding finding = Finding.HELD;
			assertThat(scene.attack(command("own"))).as("the opened file").contains("opened");
			for (String pattern : this.patterns) {
				if (scene.attack(command(pattern)).contains("opened")) {
					finding = scene.found(Finding.BROKEN, pattern);
				}
			}
			return finding;
		}

		private static String command(String pattern) {
			String create = pattern.equals("own") ? ": > own; " : "";
			return create + "for f in " + pattern + "; do [ -e \"$f\" ] && (exec 9>>\"$f\") && echo opened; done";
		}

	}

}
