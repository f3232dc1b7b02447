package io.kairo.sandbox.support.seccomp;

import java.util.EnumSet;
import java.util.Set;

import io.kairo.sandbox.support.seccomp.SeccompFilter.DeniedCall;
import io.kairo.sandbox.support.seccomp.SeccompFilter.Facility;
import io.kairo.sandbox.support.seccomp.SeccompFilter.JudgedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SeccompFilter} with an interpreter. For AArch64 this is the only test:
 * the filter has not been run on such a processor.
 */
class SeccompFilterTests {

	private static final int NEWUSER = 0x10000000;

	private static final int THREAD = 0x003D0F00;

	private final long[] none = new long[6];

	private static BpfInterpreter filter(SeccompArchitecture architecture, Facility... allowed) {
		return new BpfInterpreter(SeccompFilter.create(architecture, Set.of(allowed)), architecture.audit());
	}

	@ParameterizedTest
	@EnumSource
	void deniedSystemCallsReturnEperm(SeccompArchitecture architecture) {
		for (DeniedCall call : DeniedCall.values()) {
			int number = call.number(architecture);
			if (number >= 0) {
				assertThat(filter(architecture).run(number, this.none)).as("%s", call).isEqualTo(SeccompFilter.EPERM);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void callsOfAnAllowedFacilityAreAllowed(SeccompArchitecture architecture) {
		for (Facility facility : EnumSet.of(Facility.NAMED_IPC, Facility.FILE_ATTRIBUTES, Facility.FILE_EVENTS)) {
			BpfInterpreter filter = filter(architecture, facility);
			assertThat(DeniedCall.values()).filteredOn((call) -> call.facility() == facility)
				.isNotEmpty()
				.filteredOn((call) -> call.number(architecture) >= 0)
				.allSatisfy((call) -> assertThat(filter.run(call.number(architecture), this.none))
					.isEqualTo(SeccompFilter.ALLOW));
			assertThat(filter.run(DeniedCall.PTRACE.number(architecture), this.none)).isEqualTo(SeccompFilter.EPERM);
		}
	}

	@Test
	void deniedSystemCallsHaveTheNumbersOfX86() {
		BpfInterpreter filter = filter(SeccompArchitecture.X86_64);
		int[] numbers = { 101, 310, 311, 250, 321, 298, 323, 425, 165, 166, 155, 308, 304, 246, 175, 169, 430, 429 };
		for (int number : numbers) {
			assertThat(filter.run(number, this.none)).as("%s", number).isEqualTo(SeccompFilter.EPERM);
		}
	}

	@Test
	void deniedSystemCallsHaveTheNumbersOfAarch64() {
		BpfInterpreter filter = filter(SeccompArchitecture.AARCH64);
		int[] numbers = { 117, 270, 271, 219, 280, 241, 282, 425, 40, 39, 41, 268, 265, 104, 105, 142, 430, 429 };
		for (int number : numbers) {
			assertThat(filter.run(number, this.none)).as("%s", number).isEqualTo(SeccompFilter.EPERM);
		}
	}

	@ParameterizedTest
	@EnumSource
	void unlistedSystemCallsAreAllowed(SeccompArchitecture architecture) {
		long[] harmless = { THREAD & ~0xFFL, 0, 0, 0, 0, 0 };
		for (int number = 0; number < 470; number++) {
			if (!isListed(architecture, number)) {
				assertThat(filter(architecture).run(number, harmless)).as("%s", number).isEqualTo(SeccompFilter.ALLOW);
			}
		}
	}

	private static boolean isListed(SeccompArchitecture architecture, int number) {
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(architecture) == number) {
				return true;
			}
		}
		for (JudgedCall call : JudgedCall.values()) {
			if (call.number(architecture) == number) {
				return true;
			}
		}
		return false;
	}

	@ParameterizedTest
	@EnumSource
	void newNamespacesAreDeniedAndNewThreadsAreAllowed(SeccompArchitecture architecture) {
		BpfInterpreter filter = filter(architecture);
		for (JudgedCall call : new JudgedCall[] { JudgedCall.CLONE, JudgedCall.UNSHARE }) {
			int number = call.number(architecture);
			assertThat(filter.run(number, THREAD)).isEqualTo(SeccompFilter.ALLOW);
			for (int bit : new int[] { 17, 25, 26, 27, 28, 29, 30 }) {
				assertThat(filter.run(number, THREAD | (1L << bit))).as("bit %s", bit).isEqualTo(SeccompFilter.EPERM);
			}
			assertThat(filter.run(number, NEWUSER | (5L << 32))).isEqualTo(SeccompFilter.EPERM);
		}
		assertThat(filter.run(JudgedCall.CLONE3.number(architecture), this.none)).isEqualTo(SeccompFilter.ENOSYS);
	}

	@ParameterizedTest
	@EnumSource
	void onlyAllowedSocketsCanBeCreated(SeccompArchitecture architecture) {
		for (int family = 0; family < 50; family++) {
			boolean internet = family == 2 || family == 10;
			int socket = JudgedCall.SOCKET.number(architecture);
			assertThat(filter(architecture).run(socket, family)).as("family %s", family).isEqualTo(SeccompFilter.EPERM);
			assertThat(filter(architecture, Facility.INTERNET_SOCKETS).run(socket, family)).as("family %s", family)
				.isEqualTo(internet ? SeccompFilter.ALLOW : SeccompFilter.EPERM);
			assertThat(filter(architecture, Facility.UNIX_SOCKETS).run(socket, family)).as("family %s", family)
				.isEqualTo((family == 1) ? SeccompFilter.ALLOW : SeccompFilter.EPERM);
			assertThat(filter(architecture).run(JudgedCall.SOCKETPAIR.number(architecture), family, 1))
				.isEqualTo((family == 1) ? SeccompFilter.ALLOW : SeccompFilter.EPERM);
		}
	}

	/**
	 * Datagram and raw socket pairs can send to any socket with a name.
	 */
	@ParameterizedTest
	@EnumSource
	void onlyStreamAndSequencedPacketPairsAreAllowedUnlessUnixSocketsAre(SeccompArchitecture architecture) {
		int socketpair = JudgedCall.SOCKETPAIR.number(architecture);
		for (int type = 0; type < 16; type++) {
			for (int flags : new int[] { 0, 0x800, 0x80000, 0x80800 }) {
				boolean pair = type == 1 || type == 5;
				assertThat(filter(architecture).run(socketpair, 1, type | flags)).as("type %s", type)
					.isEqualTo(pair ? SeccompFilter.ALLOW : SeccompFilter.EPERM);
				assertThat(filter(architecture, Facility.UNIX_SOCKETS).run(socketpair, 1, type | flags))
					.as("type %s if Unix domain sockets are allowed", type)
					.isEqualTo(SeccompFilter.ALLOW);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void settingsOfOtherProcessesAreDeniedUnlessAllowed(SeccompArchitecture architecture) {
		for (JudgedCall call : EnumSet.of(JudgedCall.PRLIMIT64, JudgedCall.SCHED_SETAFFINITY,
				JudgedCall.SCHED_SETSCHEDULER, JudgedCall.SCHED_SETPARAM, JudgedCall.SCHED_SETATTR,
				JudgedCall.MIGRATE_PAGES, JudgedCall.MOVE_PAGES)) {
			assertOwnOnly(architecture, call, new long[] { 0 }, new long[] { 4711 });
		}
		assertOwnOnly(architecture, JudgedCall.SETPRIORITY, new long[] { 0, 0 }, new long[] { 0, 4711 });
		assertOwnOnly(architecture, JudgedCall.SETPRIORITY, new long[] { 0, 0 }, new long[] { 2, 0 });
		assertOwnOnly(architecture, JudgedCall.IOPRIO_SET, new long[] { 1, 0 }, new long[] { 3, 0 });
	}

	private static void assertOwnOnly(SeccompArchitecture architecture, JudgedCall call, long[] own, long[] other) {
		int number = call.number(architecture);
		assertThat(filter(architecture).run(number, own)).as("%s", call).isEqualTo(SeccompFilter.ALLOW);
		assertThat(filter(architecture).run(number, other)).as("%s", call).isEqualTo(SeccompFilter.EPERM);
		assertThat(filter(architecture, Facility.OTHER_PROCESSES).run(number, other)).as("%s", call)
			.isEqualTo(SeccompFilter.ALLOW);
	}

	@ParameterizedTest
	@EnumSource
	void injectingTerminalInputIsDenied(SeccompArchitecture architecture) {
		int ioctl = JudgedCall.IOCTL.number(architecture);
		BpfInterpreter filter = filter(architecture);
		assertThat(filter.run(ioctl, 0, 0x5412)).isEqualTo(SeccompFilter.EPERM);
		assertThat(filter.run(ioctl, 0, 0x5412L | (7L << 32))).as("the kernel looks at 32 bits")
			.isEqualTo(SeccompFilter.EPERM);
		assertThat(filter.run(ioctl, 0, 0x541C)).isEqualTo(SeccompFilter.EPERM);
		assertThat(filter.run(ioctl, 0, 0x5401)).isEqualTo(SeccompFilter.ALLOW);
	}

	@Test
	void systemCallsOfOtherArchitecturesAreDenied() {
		byte[] filter = SeccompFilter.create(SeccompArchitecture.X86_64, Set.of());
		int i386 = 0x40000003;
		assertThat(new BpfInterpreter(filter, i386).run(1)).isEqualTo(SeccompFilter.KILL_PROCESS);
		assertThat(new BpfInterpreter(filter, SeccompArchitecture.AARCH64.audit()).run(1))
			.isEqualTo(SeccompFilter.KILL_PROCESS);
		assertThat(filter(SeccompArchitecture.X86_64).run(0x40000001)).as("x32").isEqualTo(SeccompFilter.ENOSYS);
		assertThat(filter(SeccompArchitecture.X86_64).run(0xFFFFFFFF)).isEqualTo(SeccompFilter.ENOSYS);
	}

}
