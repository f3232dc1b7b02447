package io.kairo.sandbox.bubblewrap;

import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests the system call filter on the kernel of this machine, with calls made by perl.
 * EPERM is 1, ENOSYS is 38.
 */
@RequiresBubblewrap
class BubblewrapSystemCallsTests {

	@RegisterExtension
	final BubblewrapFixture fixture = new BubblewrapFixture();

	private String call(String numbers) {
		assumeThat(System.getProperty("os.arch").toLowerCase(Locale.ROOT)).as("the numbers are those of x86-64")
			.isIn("amd64", "x86_64");
		BubblewrapFixture.Outcome outcome = this.fixture
			.run("perl -e '$! = 0; my $r = syscall(" + numbers + "); print $r < 0 ? $! + 0 : qq(ok)'");
		assertThat(outcome.err()).isEmpty();
		return outcome.out();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ptrace         | 101, 0, 0, 0, 0          | 1
			unshare user   | 272, 0x10000000          | 1
			setns          | 308, 0, 0                | 1
			clone user     | 56, 0x10000011, 0, 0, 0, 0 | 1
			clone3         | 435, 0, 0                | 38
			keyctl         | 250, 0, 0, 0             | 1
			bpf            | 321, 0, 0, 0             | 1
			perf           | 298, 0, 0, 0, 0, 0       | 1
			userfaultfd    | 323, 0                   | 1
			io_uring       | 425, 1, 0                | 1
			open by handle | 304, 0, 0, 0             | 1
			fsopen         | 430, 0, 0                | 1
			netlink        | 41, 16, 3, 0             | 1
			vsock          | 41, 40, 1, 0             | 1
			packet         | 41, 17, 3, 0             | 1
			unix           | 41, 1, 1, 0              | 1
			TIOCSTI        | 16, 0, 0x5412, 0         | 1
			x32 getpid     | 0x40000027               | 38
			i need these:  | 39                       | ok
			datagram pair  | 53, 1, 2, 0              | 1
			raw pair       | 53, 1, 3, 0              | 1
			inet           | 41, 2, 1, 0              | ok
			inet6          | 41, 10, 1, 0             | ok
			""")
	void systemCallIsAllowedOrDeniedByTheFilter(String name, String numbers, String expected) {
		assertThat(call(numbers)).as(name).isEqualTo(expected);
	}

	@Test
	void socketPairsChildProcessesAndPipesWork() {
		assertThat(this.fixture
			.run("perl -MSocket -e 'socketpair(A,B,AF_UNIX,SOCK_STREAM,0) or die; print qq(pair )'; (echo sub) | cat")
			.out()).isEqualTo("pair sub\n");
	}

	@Test
	void commandConnectsToItselfOverTheLoopbackInterface() {
		String talk = "perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen=>1,LocalAddr=>qq(127.0.0.1))"
				+ " or die; my $c = IO::Socket::INET->new(PeerAddr=>qq(127.0.0.1:).$s->sockport) or die; print qq(ok)'";
		assertThat(this.fixture.run(talk).out()).isEqualTo("ok");
	}

}
