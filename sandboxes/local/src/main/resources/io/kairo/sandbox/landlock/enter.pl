# Enters a Landlock domain and becomes another program there. Started with an empty environment, so that nothing but
# this runs outside of the domain. Without an argument, it prints the version of the interface of the kernel. The
# argument is a file, which is removed, with values that end with NUL: the numbers of the system calls prctl,
# landlock_create_ruleset, landlock_add_rule, landlock_restrict_self, openat2 and seccomp; the attributes of the ruleset
# and their size; the filter for system calls in hexadecimal; the number of rules, and for each the rights and the
# path; the number of variables, and each of them; the program and its arguments.
sub fail { print STDERR "kairo-landlock: $_[0]: $!\n"; exit 125 }

if (@ARGV < 1) {
	my $abi = syscall(444, 0, 0, 1);
	print $abi < 0 ? -$! : $abi;
	exit 0;
}

my $file = $ARGV[0];
open(my $input, '<', $file) or fail('open');
local $/;
my @values = split(/\0/, <$input>, -1);
pop @values;
close($input);
unlink($file) or fail('unlink');

sub number { 0 + shift @values }

my ($prctl, $create, $add, $restrict, $openat2, $seccomp) = map { number() } 1 .. 6;
my $attributes = pack('QQQ', number(), number(), number());
my $ruleset = syscall($create, $attributes, number(), 0);
$ruleset >= 0 or fail('landlock_create_ruleset');
my $filter = pack('H*', shift @values);
for (1 .. number()) {
	my $rights = number();
	my $path = shift @values;
	# O_PATH and O_CLOEXEC, without any symbolic link
	my $how = pack('QQQ', 0x280000, 0, 6);
	my $descriptor = syscall($openat2, -100, $path, $how, 24);
	$descriptor >= 0 or fail("open $path");
	my $rule = pack('Ql', $rights, $descriptor);
	syscall($add, $ruleset, 1, $rule, 0) == 0 or fail("landlock_add_rule $path");
	open(my $closed, '<&=', $descriptor);
}
%ENV = ();
for (1 .. number()) {
	my ($name, $value) = split(/=/, shift @values, 2);
	$ENV{$name} = $value;
}
syscall($prctl, 38, 1, 0, 0, 0) == 0 or fail('prctl');
syscall($restrict, $ruleset, 0) == 0 or fail('landlock_restrict_self');
my $program = pack('SxxxxxxP', length($filter) / 8, $filter);
syscall($seccomp, 1, 0, $program) == 0 or fail('seccomp');
exec { $values[0] } @values or fail($values[0]);
