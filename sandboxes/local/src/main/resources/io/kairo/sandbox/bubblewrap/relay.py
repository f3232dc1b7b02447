# Lets clients of TCP on the loopback of a network namespace talk to a proxy that
# listens on a Unix domain socket. Takes the path of the socket, the port, and a command
# that it turns into once it listens; its child then hands bytes on.
import os
import select
import signal
import socket
import sys

MOST_CLIENTS = 128
MOST_BYTES = 65536

path, port, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def dial():
    proxy = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    proxy.connect(path)
    proxy.setblocking(False)
    return proxy


class Side:
    """One end of a connection: what is to be written, whether it has ended as a source and as a sink."""

    def __init__(self, file):
        self.file, self.peer, self.out = file, None, b''
        self.ended = self.deaf = self.told = False

    def fileno(self):
        return self.file.fileno()

    def take(self):
        try:
            data = self.file.recv(MOST_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b''
        if not data:
            self.ended = True
        elif not self.peer.deaf:
            self.peer.out += data

    def give(self):
        try:
            self.out = self.out[self.file.send(self.out):]
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.deaf, self.out = True, b''


def welcome(server, sides):
    try:
        client = server.accept()[0]
    except OSError:
        return
    try:
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        proxy = dial()
    except OSError:
        client.close()
        return
    one, other = Side(client), Side(proxy)
    one.peer, other.peer = other, one
    sides.update((one, other))


def work(server):
    sides = set()
    while True:
        readable = [side for side in sides if not side.ended and len(side.peer.out) < MOST_BYTES]
        if len(sides) < 2 * MOST_CLIENTS:
            readable.append(server)
        readable = select.select(readable, [side for side in sides if side.out], [])[0]
        for side in readable:
            if side is server:
                welcome(server, sides)
            else:
                side.take()
        for side in sides:
            if side.out:
                side.give()
            if side.peer.ended and not side.out and not side.told:
                side.told = True
                try:
                    side.file.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
        for side in [side for side in sides if side.told and side.peer.told]:
            side.file.close()
            sides.discard(side)


try:
    dial().close()
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(('127.0.0.1', port))
    server.listen(128)
    server.setblocking(False)
    child = os.fork()
    if child:
        # set by Python itself where there is no locale, PEP 538
        os.environ.pop('LC_CTYPE', None)
        os.execv(command[0], command)
except OSError as error:
    sys.stderr.write('kairo-relay: %s\n' % error)
    sys.exit(125)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
null = os.open('/dev/null', os.O_RDWR)
for number in (0, 1, 2):
    os.dup2(null, number)
work(server)
