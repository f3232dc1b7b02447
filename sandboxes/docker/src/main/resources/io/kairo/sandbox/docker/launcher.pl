# The first process of a container: runs one command after another for the application, which
# is connected to its standard input and output. It is root with the capabilities to change its
# user and group and to end processes, and commands are another user without any: they can
# neither end nor trace it, nor take its processor time or its limits. It ends, and with it
# every process of the container, when the application is gone: at the end of its input, or
# when nothing has arrived for the time of a lease.
#
# A frame is a letter, the length of its payload in four bytes, and the payload.
# To this program:   R run  I input  E end of input  K kill  H heartbeat
# From this program: S started  O output  E error output  A input accepted  B input refused
#                    X exited  N not run  C connected
# Both ways, for a connection of the command, whose number comes first:
#                    D data  G data accepted, go on  F no more data  Q gone
use strict;
use warnings;
use POSIX ();

my ($lease, $uid, $gid, $report, $port) = @ARGV;
my %prctl = (x86_64 => 157, aarch64 => 167, riscv64 => 167, s390x => 172, ppc64le => 171, armv7l => 172);
my $number = $prctl{(POSIX::uname())[4]};
die "kairo: there is no launcher for this processor\n" unless defined $number;
die "kairo: the launcher is not process 1\n" unless $$ == 1;
protect();
die "kairo: commands could gain privileges\n" if syscall($number, 39, 0, 0, 0, 0) != 1;
# a descriptor in a directory of the image or the host would be of use for a command
chdir '/';
# the shell of a command writes its last directory to it
open my $reported, '+>', $report or die "kairo: $report: $!\n";
chmod 0666, $reported or die "kairo: $report: $!\n";
unblock(\*STDOUT);
$SIG{PIPE} = 'IGNORE';
# interrupts a wait
$SIG{CHLD} = sub { };

my ($accounting, $usage) = accounting();
my ($received, $answers, $pending, $closing, $seen) = ('', '', '', 0, now());
my ($pid, $in, %out, $status, $killAt, $drainAt, $usedBefore);
# the connections of the command to the proxy: by number, their sockets, data on the way to
# them, and whether the application has to accept data, or there is no more
my ($server, $last, %connection) = (undef, 0);
listenOnLoopback() if $port;
while (1) {
	my ($reading, $writing) = ('', '');
	vec($reading, 0, 1) = 1;
	vec($writing, 1, 1) = 1 if length $answers;
	# the command waits while the application takes no output
	vec($reading, fileno $_, 1) = 1 for length $answers < 65536 ? values %out : ();
	vec($writing, fileno $in, 1) = 1 if $in && length $pending;
	vec($reading, fileno $server, 1) = 1 if $server && $pid && keys %connection < 64;
	for my $each (values %connection) {
		vec($reading, fileno $each->{socket}, 1) = 1 unless $each->{waiting} || $each->{ended};
		vec($writing, fileno $each->{socket}, 1) = 1 if length $each->{data};
	}
	# a signal may come just before the wait
	my $ready = select($reading, $writing, undef, $pid ? 0.02 : $seen + $lease - now() + 0.1);
	if ($ready > 0) {
		receive() if vec($reading, 0, 1);
		for my $letter (keys %out) {
			forward($letter) if vec($reading, fileno $out{$letter}, 1);
		}
		feed() if $in && vec($writing, fileno $in, 1);
		admit() if $server && vec($reading, fileno $server, 1);
		for my $number (keys %connection) {
			my $socket = fileno $connection{$number}{socket};
			carry($number) if vec($reading, $socket, 1);
			deliver($number) if $connection{$number} && vec($writing, $socket, 1);
		}
	}
	exit 0 if now() - $seen > $lease;
	settle() if $pid;
	submit() if length $answers;
}

# Keeps the memory of this process from others, which a change of its user may undo.
sub protect {
	die "kairo: the launcher cannot be protected: $!\n" if syscall($number, 4, 0, 0, 0, 0) != 0;
}

sub unblock {
	my ($handle) = @_;
	fcntl $handle, POSIX::F_SETFL(), POSIX::O_NONBLOCK() or die "kairo: fcntl: $!\n";
}

# Adds a frame to those for the application, and never waits for it: a command has to be
# ended as well while nobody takes its output.
sub answer {
	my ($letter, $data) = @_;
	$answers .= pack 'a N/a*', $letter, $data;
}

sub submit {
	my $count = syswrite STDOUT, $answers;
	return if !defined $count && ($!{EINTR} || $!{EAGAIN});
	exit 0 unless defined $count;
	substr $answers, 0, $count, '';
}

sub receive {
	my $count = sysread STDIN, $received, 65536, length $received;
	return if !defined $count && $!{EINTR};
	exit 0 unless $count;
	$seen = now();
	while (length $received >= 5) {
		my ($letter, $length) = unpack 'a N', $received;
		last if length $received < 5 + $length;
		my $data = substr $received, 5, $length;
		substr $received, 0, 5 + $length, '';
		start(split /\0/, $data, -1) if $letter eq 'R';
		next unless $pid;
		$pending .= $data if $letter eq 'I';
		answer('B', '') if $letter eq 'I' && !$in;
		closeInput() if $letter eq 'E' && !length $pending;
		$closing = 1 if $letter eq 'E';
		end($data) if $letter eq 'K';
		connection($letter, unpack 'N a*', $data) if $letter =~ /[DGFQ]/;
	}
}

# Runs a command in a directory, if the mounts are those that were planned.
sub start {
	my ($directory, $wantsInput, $mounts, $variables, @rest) = @_;
	return answer('N', 'there is another command') if $pid;
	truncate $reported, 0 or return answer('N', "$report: $!");
	open my $table, '<', '/proc/self/mountinfo' or return answer('N', "mountinfo: $!");
	my $mounted = do { local $/; <$table> };
	for my $line (splice @rest, 0, $mounts) {
		return answer('N', "mounts") if index($mounted, " $line ") < 0;
	}
	my @environment = splice @rest, 0, $variables;
	$usedBefore = used();
	my ($outEnd, $outStart, $errEnd, $errStart, $inEnd, $inStart, $failure, $failing) = pipes(4)
		or return answer('N', "pipe: $!");
	my $child = fork;
	return answer('N', "fork: $!") unless defined $child;
	unless ($child) {
		$SIG{$_} = 'DEFAULT' for 'PIPE', 'CHLD';
		POSIX::setsid();
		unless ($wantsInput) {
			open $inEnd, '<', '/dev/null' or refuse($failing, "/dev/null: $!");
		}
		POSIX::dup2(fileno $inEnd, 0);
		POSIX::dup2(fileno $outStart, 1);
		POSIX::dup2(fileno $errStart, 2);
		sacrifice();
		become() or refuse($failing, "user: $!");
		chdir $directory or refuse($failing, "directory: $!");
		%ENV = map { split /=/, $_, 2 } @environment;
		{
			no warnings 'exec';
			exec { $rest[0] } @rest;
		}
		refuse($failing, "shell: $!");
	}
	close $_ for $outStart, $errStart, $inEnd, $failing;
	my $problem = <$failure>;
	if (defined $problem) {
		waitpid $child, 0;
		return answer('N', $problem);
	}
	# the command may have passed their other ends on, or fill its own input
	unblock($_) for $outEnd, $errEnd, $inStart;
	($pid, %out) = ($child, 'O', $outEnd, 'E', $errEnd);
	$in = $inStart if $wantsInput;
	($pending, $closing, $status, $killAt, $drainAt) = ('', 0);
	answer('S', '');
}

# Returns the ends of pipes of the user, who can open them as /dev/stdout. There is no process
# of the user yet that this one could be mistaken for an own one by.
sub pipes {
	my ($count) = @_;
	my @ends;
	$> = $uid;
	while ($count-- && pipe my $end, my $start) {
		push @ends, $end, $start;
	}
	$> = 0;
	protect();
	return $count < 0 ? @ends : ();
}

# Becomes the user of commands, which takes all capabilities.
sub become {
	$) = "$gid $gid";
	POSIX::setgid($gid);
	POSIX::setuid($uid);
	return "$< $> $( $)" eq "$uid $uid $gid $gid $gid $gid";
}

# Makes a command end before the launcher where memory runs out.
sub sacrifice {
	open my $score, '>', '/proc/self/oom_score_adj' or return;
	syswrite $score, '500';
}

sub refuse {
	my ($failing, $problem) = @_;
	syswrite $failing, $problem;
	POSIX::_exit(127);
}

sub forward {
	my ($letter) = @_;
	my $count = sysread $out{$letter}, my $data, 65536;
	return if !defined $count && ($!{EINTR} || $!{EAGAIN});
	delete $out{$letter} unless $count;
	answer($letter, $data) if $count;
	return $count;
}

sub feed {
	my $count = syswrite $in, $pending;
	return if !defined $count && ($!{EINTR} || $!{EAGAIN});
	unless (defined $count) {
		closeInput();
		answer('B', '');
		return;
	}
	substr $pending, 0, $count, '';
	return if length $pending;
	answer('A', '');
	closeInput() if $closing;
}

sub closeInput {
	undef $in;
	$pending = '';
}

sub listenOnLoopback {
	# AF_INET, SOCK_STREAM
	socket $server, 2, 1, 0 or die "kairo: socket: $!\n";
	bind $server, pack 'S n a4 x8', 2, $port, "\x7f\0\0\1" or die "kairo: bind: $!\n";
	listen $server, 128 or die "kairo: listen: $!\n";
	unblock($server);
}

sub admit {
	accept my $socket, $server or return;
	fcntl $socket, POSIX::F_SETFL(), POSIX::O_NONBLOCK() or return;
	$connection{++$last} = { socket => $socket, data => '' };
	answer('C', pack 'N', $last);
}

# Takes data from a connection, and no more of it until the application has accepted that.
sub carry {
	my ($number) = @_;
	my $count = sysread $connection{$number}{socket}, my $data, 32768;
	return if !defined $count && ($!{EINTR} || $!{EAGAIN});
	return hangUp($number) unless defined $count;
	$connection{$number}{$count ? 'waiting' : 'ended'} = 1;
	answer($count ? 'D' : 'F', pack 'N a*', $number, $data);
}

sub connection {
	my ($letter, $number, $data) = @_;
	my $each = $connection{$number} or return;
	$each->{data} .= $data if $letter eq 'D';
	$each->{waiting} = 0 if $letter eq 'G';
	shutdown $each->{socket}, 1 if $letter eq 'F';
	delete $connection{$number} if $letter eq 'Q';
}

# Writes to a connection as much as it takes without waiting.
sub deliver {
	my ($number) = @_;
	my $each = $connection{$number};
	my $count = syswrite $each->{socket}, $each->{data};
	return if !defined $count && ($!{EINTR} || $!{EAGAIN});
	return hangUp($number) unless defined $count;
	substr $each->{data}, 0, $count, '';
	answer('G', pack 'N', $number) unless length $each->{data};
}

sub hangUp {
	my ($number) = @_;
	delete $connection{$number};
	answer('Q', pack 'N', $number);
}

sub end {
	my ($grace) = @_;
	return if $killAt;
	kill 'TERM', -1 if $grace;
	$killAt = now() + $grace / 1000;
}

sub now {
	return (POSIX::times())[0] / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}

# Returns the file with the CPU time of the container, and what precedes the number there.
sub accounting {
	for my $each (['/sys/fs/cgroup/cpu.stat', 'usage_usec '], ['/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage', ''],
			['/sys/fs/cgroup/cpuacct/cpuacct.usage', '']) {
		my ($file, $before) = @$each;
		return ($file, $before) if defined number($file, $before);
	}
	return;
}

sub number {
	my ($file, $before) = @_;
	open my $handle, '<', $file or return;
	local $/;
	return (<$handle> // '') =~ /^$before(\d+)/m ? $1 : undef;
}

# Returns the CPU time, in seconds, that the container has used so far: all of it where there
# is a control group, else that of the processes that somebody has waited for.
sub used {
	my $number = $accounting ? number($accounting, $usage) : undef;
	return $number / ($usage ? 1e6 : 1e9) if defined $number;
	my (undef, undef, $ofCommands, $systemOfCommands) = times;
	return $ofCommands + $systemOfCommands;
}

# Reaps what has ended, as process 1 has to, and completes a command that has ended: what it
# wrote is forwarded, and what it left is killed.
sub settle {
	while ((my $ended = waitpid -1, POSIX::WNOHANG()) > 0) {
		$status = $? if $ended == $pid;
	}
	if ($killAt) {
		return if now() < $killAt && kill 0, -1;
	}
	else {
		return unless defined $status;
		# what was left behind has a moment to complete the output
		$drainAt = now() + 0.15 unless defined $drainAt;
		return if %out && now() < $drainAt;
	}
	my $left = 0;
	# every orphan is adopted by process 1, so nothing runs once it has no child
	while (1) {
		kill 'KILL', -1;
		my $ended = waitpid -1, 0;
		last if $ended < 0 && $!{ECHILD};
		next if $ended < 0;
		$left++ if $ended != $pid && ($? & 127) == 9;
		$status = $? if $ended == $pid;
	}
	for my $letter (keys %out) {
		1 while forward($letter);
	}
	%out = ();
	closeInput();
	# connections that were not accepted are of no use for the next command
	%connection = ();
	1 while $server && accept(my $gone, $server);
	($pid, $killAt, $drainAt) = ();
	my $used = used() - $usedBefore;
	$used = 0 if $used < 0;
	answer('X', pack 'n N N N a*', $status, $left, int($used), ($used - int $used) * 1e6, lastDirectory());
}

# Returns what the shell of the command reported. The command may have written it.
sub lastDirectory {
	return '' unless -s $reported <= 16384;
	seek $reported, 0, 0;
	local $/;
	my $directory = <$reported>;
	return defined $directory && $directory =~ /\A(.+)\n\z/s ? $1 : '';
}
