# Lets clients of TCP on the loopback of a network namespace talk to a proxy that
# listens on a Unix domain socket. Takes the path of the socket, the port, and a command
# that it turns into once it listens; its child then hands bytes on.
#
# No modules are used: to load them took eight times as long as everything else here.
# These are the numbers of Linux on x86-64 and AArch64.
my ( $AF_UNIX, $AF_INET, $SOCK_STREAM ) = ( 1, 2, 1 );
my ( $IPPROTO_TCP, $TCP_NODELAY )       = ( 6, 1 );
my ( $F_SETFL, $O_NONBLOCK )            = ( 4, 04000 );
my ( $EINTR, $EAGAIN )                  = ( 4, 11 );
my $LOOPBACK = "\x7f\0\0\1";

my $MOST_CLIENTS = 128;
my $MOST_BYTES   = 65536;

my ( $path, $port ) = splice @ARGV, 0, 2;

sub fail { print STDERR "kairo-relay: $_[0]: $!\n"; exit 125 }

sub dial {
	socket( my $proxy, $AF_UNIX, $SOCK_STREAM, 0 ) or return;
	connect( $proxy, pack( 'S a* x', $AF_UNIX, $path ) ) or return;
	fcntl( $proxy, $F_SETFL, $O_NONBLOCK ) or return;
	return $proxy;
}

dial() or fail('the proxy cannot be reached');
socket( my $server, $AF_INET, $SOCK_STREAM, 0 ) or fail('there is no socket');
bind( $server, pack( 'S n a4 x8', $AF_INET, $port, $LOOPBACK ) ) or fail('there is no port');
listen( $server, 128 ) or fail('nobody can listen');
fcntl( $server, $F_SETFL, $O_NONBLOCK ) or fail('there is no server');
my $child = fork;
defined $child or fail('there is no process');
if ($child) {
	close $server;
	exec { $ARGV[0] } @ARGV or fail('there is no sandbox');
}

$SIG{$_} = 'IGNORE' for qw(PIPE TERM HUP INT);
open STDIN,  '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';

# by number: the file, the number of the other side, what is to be written, and whether
# it has ended as a source and as a sink
my ( %file, %peer, %out, %ended, %deaf, %told );

sub forget {
	for my $side (@_) {
		close $file{$side};
		delete $_->{$side} for \%file, \%peer, \%out, \%ended, \%deaf, \%told;
	}
}

sub welcome {
	return unless accept( my $client, $server );
	fcntl( $client, $F_SETFL, $O_NONBLOCK );
	setsockopt( $client, $IPPROTO_TCP, $TCP_NODELAY, 1 );
	my $proxy = dial() or return;
	my @sides = ( fileno $client, fileno $proxy );
	@file{@sides} = ( $client, $proxy );
	@peer{@sides} = reverse @sides;
	@out{@sides}  = ( '', '' );
}

sub take {
	my $side = shift;
	my $sink = $peer{$side};
	my $read = sysread $file{$side}, my $bytes, $MOST_BYTES;
	return if !defined $read && ( $! == $EAGAIN || $! == $EINTR );
	$ended{$side} = 1 unless $read;
	$out{$sink} .= $bytes if $read && !$deaf{$sink};
}

sub give {
	my $side    = shift;
	my $written = syswrite $file{$side}, $out{$side};
	return if !defined $written && ( $! == $EAGAIN || $! == $EINTR );
	if ( defined $written ) {
		substr $out{$side}, 0, $written, '';
	}
	else {
		$deaf{$side} = 1;
		$out{$side}  = '';
	}
}

while (1) {
	my ( $readable, $writable ) = ( '', '' );
	vec( $readable, fileno $server, 1 ) = 1 if keys(%file) < 2 * $MOST_CLIENTS;
	for my $side ( keys %file ) {
		vec( $readable, $side, 1 ) = 1 if !$ended{$side} && length $out{ $peer{$side} } < $MOST_BYTES;
		vec( $writable, $side, 1 ) = 1 if length $out{$side};
	}
	next if select( $readable, $writable, undef, undef ) < 0;
	welcome() if vec $readable, fileno $server, 1;
	for my $side ( keys %file ) {
		take($side) if vec $readable, $side, 1;
	}
	for my $side ( keys %file ) {
		give($side) if length $out{$side};
		if ( $ended{ $peer{$side} } && !length $out{$side} && !$told{$side} ) {
			$told{$side} = 1;
			shutdown $file{$side}, 1;
		}
	}
	for my $side ( keys %file ) {
		next unless exists $file{$side};
		my $peer = $peer{$side};
		forget( $side, $peer ) if $told{$side} && $told{$peer};
	}
}
