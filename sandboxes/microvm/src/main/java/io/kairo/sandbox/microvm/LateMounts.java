package io.kairo.sandbox.microvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * Mounts directories into the tree of a file server that serves an empty one already.
 * <p>
 * A process in the namespaces of the file server waits for them; it sees the files of the
 * host, with the rights of the user of the machines. The file server itself does not.
 * Each mount gets its restrictions before it appears in the tree, and with it in the
 * mount namespace of the file server. The process ends after the first request. Any
 * problem leaves a tree that must not be used.
 */
final class LateMounts {

	/** The files of the host, in the namespaces of the waiting process. */
	private static final String HOST = "/h";

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int MOST_ANSWER = 1024;

	private static final String MOUNTED = "mounted";

	/**
	 * Numbers of system calls and flags are for Linux on x86-64. The arguments are the
	 * root of the tree, the directory of the host, and the command of the file server.
	 */
	private static final String SCRIPT = """
			use strict;
			my ($root, $host) = splice(@ARGV, 0, 2);
			my ($none, $tmpfs, $size) = ("", "tmpfs", "size=256k,nr_inodes=4k,mode=755");
			my $empty = "size=4096,mode=555";
			my ($nosuid_nodev, $read_only, $remount, $shared) = (6, 1, 32, 1 << 20);
			sub attempt {
				my ($what, $number, @rest) = @_;
				my $result = syscall($number, @rest);
				if ($result < 0) { print "$what: $!\\n"; exit 1 }
				return $result;
			}
			sub mount { my ($what, @rest) = @_; attempt($what, 165, @rest) }
			$| = 1;
			attempt("namespace", 272, 0x20000);
			mount("tree", $tmpfs, $root, $tmpfs, $nosuid_nodev, $size);
			mount("share the tree", $none, $root, $none, $shared, 0);
			my $child = fork // exit 1;
			if ($child) {
				waitpid($child, 0);
				open(STDIN, "<", "/dev/null");
				open(STDOUT, ">&", \\*STDERR);
				exec(@ARGV);
				exit 1;
			}
			exit 0 if fork;
			$/ = "\\0";
			my @fields = <STDIN>;
			chomp @fields;
			if (pop(@fields) ne "end" || @fields % 3) { print "incomplete request\\n"; exit 1 }
			my @hidden;
			while (@fields) {
				my ($kind, $source, $target) = splice(@fields, 0, 3);
				($source, $target) = ($host . $source, $root . $target);
				if ($kind eq "HIDDEN") {
					$source = "/tmp/" . @hidden;
					mkdir($source);
					mount("hide $target", $tmpfs, $source, $tmpfs, $nosuid_nodev, $empty);
					push(@hidden, $source);
				}
				if (!lstat($target)) {
					my @names = split("/", substr($target, 1));
					my $last = pop(@names);
					my $at = "";
					for my $name (@names) { $at .= "/$name"; mkdir($at, 0755) }
					if (-d $source) { mkdir($target, 0755) } else { open(my $file, ">", $target) }
				}
				my $tree = attempt("open $target", 428, -100, $source, 0x88101);
				my $set = pack("QQQQ", $nosuid_nodev | ($kind eq "READ_ONLY" ? $read_only : 0), 0, 0, 0);
				attempt("restrict $target", 442, $tree, $none, 0x9000, $set, 32);
				attempt("mount $target", 429, $tree, $none, -100, $target, 4);
			}
			mount("protect hidden", $none, $_, $none, $remount | $nosuid_nodev | $read_only, $empty) for @hidden;
			mount("protect the tree", $none, $root, $none, $remount | $nosuid_nodev | $read_only, $size);
			print "mounted\\n";
			""";

	private final Process process;

	/**
	 * Creates the value.
	 * @param process the process with the {@link #program}
	 */
	LateMounts(Process process) {
		this.process = process;
	}

	/**
	 * Returns the tree of a file server without mounts.
	 */
	static SharedTree tree() {
		return new SharedTree(List.of("--dir", SharedTree.ROOT, "--bind", "/", HOST), List.of());
	}

	/**
	 * Returns the program that runs a file server, and waits for mounts.
	 * @param server the command of the file server
	 */
	static List<String> program(List<String> server) {
		List<String> program = new ArrayList<>(List.of("/usr/bin/perl", "-e", SCRIPT, SharedTree.ROOT, HOST));
		program.addAll(server);
		return program;
	}

	/**
	 * Returns the process that confines the file server.
	 */
	ProcessHandle server() {
		return this.process.toHandle();
	}

	/**
	 * Mounts directories, at the first call only.
	 * @throws IOException if not all are mounted
	 */
	void add(List<MachineSpec.Mounted> mounts) throws IOException {
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		for (MachineSpec.Mounted mounted : mounts) {
			MountPlan.Entry entry = mounted.entry();
			for (Object field : List.of(entry.kind(), entry.source(), entry.target())) {
				request.writeBytes((field + "\0").getBytes(StandardCharsets.UTF_8));
			}
		}
		request.writeBytes("end".getBytes(StandardCharsets.US_ASCII));
		try (OutputStream stream = this.process.getOutputStream()) {
			stream.write(request.toByteArray());
		}
		String answer = answer();
		if (!answer.equals(MOUNTED)) {
			throw new IOException(answer.isEmpty() ? "the process that mounts has ended" : answer);
		}
	}

	private String answer() throws IOException {
		CompletableFuture<String> answer = new CompletableFuture<>();
		DaemonThreads.start("kairo-machine-mounts", () -> {
			try {
				answer.complete(readLine(this.process.getInputStream()));
			}
			catch (IOException ex) {
				answer.completeExceptionally(ex);
			}
		});
		try {
			return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted while directories were being mounted", ex);
		}
		catch (ExecutionException ex) {
			throw new IOException("the process that mounts has ended", ex);
		}
		catch (TimeoutException ex) {
			throw new IOException("directories were not mounted within " + TIMEOUT, ex);
		}
	}

	/**
	 * Reads up to the end of a line. The stream does not end, since processes that
	 * confine the file server keep it open.
	 */
	private static String readLine(InputStream stream) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = stream.read(); next >= 0 && next != '\n' && line.size() < MOST_ANSWER; next = stream.read()) {
			line.write(next);
		}
		return line.toString(StandardCharsets.UTF_8);
	}

}
