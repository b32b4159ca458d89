# A network device "slow" with the address 10.9.0.1, behind which 10.9.0.2 is this machine once more: every
# packet that goes there comes back as one from there, so many seconds later. Needs a network namespace of its
# own. Runs until it is ended.
use strict;
use warnings;
use Time::HiRes 'time';

my ($delay) = @ARGV;
my $TUNSETIFF = 0x400454ca;
my $TUN_WITHOUT_PREFIX = 0x1001;
open(my $device, '+<', '/dev/net/tun') or die "no /dev/net/tun: $!\n";
my $wanted = pack('Z16 s x22', 'slow', $TUN_WITHOUT_PREFIX);
ioctl($device, $TUNSETIFF, $wanted) or die "no device: $!\n";
system('ip address add 10.9.0.1/24 dev slow && ip link set slow up txqueuelen 10000') == 0
    or die "no address\n";
$| = 1;
print "ready\n";

my @waiting;
while (1) {
    my $left = @waiting ? $waiting[0][0] - time : undef;
    $left = 0 if defined $left && $left < 0;
    vec(my $readable = '', fileno $device, 1) = 1;
    if (select($readable, undef, undef, $left) > 0) {
        sysread($device, my $packet, 65536) or die "no packet: $!\n";
        # source and destination change places (RFC 791 §3.1), which no checksum notices
        substr($packet, 12, 8) = substr($packet, 16, 4) . substr($packet, 12, 4) if vec($packet, 1, 4) == 4;
        push @waiting, [time + $delay, $packet];
    }
    while (@waiting && $waiting[0][0] <= time) {
        syswrite($device, shift(@waiting)->[1]);
    }
}
