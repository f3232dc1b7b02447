/*
 * The first process of the virtual machines of kairo-sandbox-microvm. It mounts what the
 * host shares, and runs the commands that the host sends over a serial port: each in
 * namespaces and a control group of its own, as an ordinary user, without capabilities.
 *
 * A frame is one byte for its kind, four bytes for the number of a command or connection,
 * four bytes for the length of the payload, and the payload; all numbers are big-endian.
 *
 * From the host:  S starts a command           I is input, E its end
 *                 K sends a signal to all      C allows that many more bytes of output
 *                   processes of a command     P powers the machine off
 *                 L asks how many processes have an argument
 * To the host:    H says that this is ready    R says that a command runs, N that it does not, and why
 *                 O, W are output, error output  G allows that many more bytes of input
 *                 B says that no input is read   X is the end of a command
 *                 L is the answer to L
 * In both:        c opens a connection to the proxy, d is data on it, g accepts the last data,
 *                 f is the end of the data in one direction, q closes it
 *
 * The commands of one session share their home directory, temporary files and, unless the
 * host forwards connections for them, the loopback interface.
 *
 * The host trusts nothing that is sent from here. What protects it, and the files that a
 * command must not change, is on its side; what is done here keeps commands apart.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 3, HEADER = 9, CHUNK = 32768, INPUT_WINDOW = 65536, MOST_START = 8 << 20, MOST_QUEUED = 512 << 10,
	MOST_COMMANDS = 256, MOST_CONNECTIONS = 256, PER_COMMAND = 64, PROXY_PORT = 3128, REPORT_BYTES = 16384,
	MOST_FILES = 4096, KEPT_FILES = 4000, USUAL_FILES = 1024, MOST_SESSIONS = 16, MOST_NAME = 64 };

/* ---- small things ---- */

static void say(const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	fputs("kairo: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

static void power_off(void) {
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void fail(const char *what) {
	say("%s: %s", what, strerror(errno));
	power_off();
}

static void *grown(void *memory, size_t size) {
	void *result = realloc(memory, size);
	if (!result) {
		say("out of memory");
		power_off();
	}
	return result;
}

static int write_file(const char *path, const char *text) {
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t done = write(fd, text, strlen(text));
	int problem = errno;
	close(fd);
	errno = problem;
	return done < 0 ? -1 : 0;
}

static uint64_t number_in(const char *path, const char *key) {
	char text[1024];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return 0;
	text[length] = 0;
	for (char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		size_t end = strlen(key);
		if (!strncmp(line, key, end) && line[end] == ' ')
			return strtoull(line + end, NULL, 10);
	}
	return 0;
}

/* Creates a directory and those above it. */
static int make_directories(char *path) {
	for (char *slash = path + 1; *slash; slash++)
		if (*slash == '/') {
			*slash = 0;
			int result = mkdir(path, 0755);
			*slash = '/';
			if (result && errno != EEXIST)
				return -1;
		}
	return mkdir(path, 0755) && errno != EEXIST ? -1 : 0;
}

/* ---- frames ---- */

static int port = -1;
static uint8_t *out; /* what still has to be written to the port */
static size_t out_start, out_end, out_size;
static uint8_t *in; /* what was read from the port and is not complete */
static size_t in_end, in_size;

static uint32_t get32(const uint8_t *bytes) {
	uint32_t value;
	memcpy(&value, bytes, 4);
	return be32toh(value);
}

static void put32(uint8_t *bytes, uint32_t value) {
	value = htobe32(value);
	memcpy(bytes, &value, 4);
}

/* Returns room for the payload of a frame. */
static uint8_t *send_frame(char kind, uint32_t id, uint32_t length) {
	if (out_start == out_end)
		out_start = out_end = 0;
	if (out_end + HEADER + length > out_size) {
		memmove(out, out + out_start, out_end - out_start);
		out_end -= out_start;
		out_start = 0;
		if (out_end + HEADER + length > out_size)
			out = grown(out, out_size = (out_end + HEADER + length) * 2);
	}
	uint8_t *frame = out + out_end;
	frame[0] = kind;
	put32(frame + 1, id);
	put32(frame + 5, length);
	out_end += HEADER + length;
	return frame + HEADER;
}

static void send_number(char kind, uint32_t id, uint32_t value) {
	put32(send_frame(kind, id, 4), value);
}

static void send_text(char kind, uint32_t id, const char *text) {
	memcpy(send_frame(kind, id, strlen(text)), text, strlen(text));
}

static void flush_port(void) {
	while (out_start < out_end) {
		ssize_t done = write(port, out + out_start, out_end - out_start);
		if (done < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (done < 0)
			power_off();
		out_start += done;
	}
}

/* ---- what a command is started with ---- */

struct start {
	int stdin_wanted, proxied;
	uint32_t uid, gid, pids;
	uint64_t time, memory, file_size, scratch;
	uint32_t filter_length, target_count, argument_count, variable_count;
	const uint8_t *filter;
	char *session, *directory, **targets, **arguments, **variables;
};

/* Reads the payload of a frame; a strange one is an error of the host, so that the machine ends. */
struct reader {
	uint8_t *at, *end;
};

static uint32_t take32(struct reader *reader) {
	if (reader->end - reader->at < 4) {
		errno = EPROTO;
		fail("a frame is too short");
	}
	reader->at += 4;
	return get32(reader->at - 4);
}

static uint64_t take64(struct reader *reader) {
	uint64_t high = take32(reader);
	return high << 32 | take32(reader);
}

static uint8_t *take_bytes(struct reader *reader, uint32_t length) {
	if ((size_t) (reader->end - reader->at) < length) {
		errno = EPROTO;
		fail("a frame is too short");
	}
	reader->at += length;
	return reader->at - length;
}

static char *take_text(struct reader *reader) {
	uint32_t length = take32(reader);
	char *text = grown(NULL, length + 1);
	memcpy(text, take_bytes(reader, length), length);
	text[length] = 0;
	return text;
}

static char **take_texts(struct reader *reader, uint32_t *count) {
	*count = take32(reader);
	if (*count > MOST_START / 4) {
		errno = EPROTO;
		fail("a list is too long");
	}
	char **texts = grown(NULL, (*count + 1) * sizeof(char *));
	for (uint32_t i = 0; i < *count; i++)
		texts[i] = take_text(reader);
	texts[*count] = NULL;
	return texts;
}

static void take_start(struct reader *reader, struct start *start) {
	uint32_t flags = take32(reader);
	start->stdin_wanted = flags & 1;
	start->proxied = (flags & 2) != 0;
	start->uid = take32(reader);
	start->gid = take32(reader);
	start->pids = take32(reader);
	start->time = take64(reader);
	start->memory = take64(reader);
	start->file_size = take64(reader);
	start->scratch = take64(reader);
	start->filter_length = take32(reader);
	start->filter = take_bytes(reader, start->filter_length);
	start->session = take_text(reader);
	start->directory = take_text(reader);
	start->targets = take_texts(reader, &start->target_count);
	start->arguments = take_texts(reader, &start->argument_count);
	start->variables = take_texts(reader, &start->variable_count);
	if (start->argument_count == 0 || start->uid == 0 || start->gid == 0 || strlen(start->session) > MOST_NAME) {
		errno = EINVAL;
		fail("a command cannot be run like that");
	}
}

static void free_texts(char **texts) {
	for (char **text = texts; *text; text++)
		free(*text);
	free(texts);
}

static void free_start(struct start *start) {
	free(start->session);
	free(start->directory);
	free_texts(start->targets);
	free_texts(start->arguments);
	free_texts(start->variables);
}

/* ---- in the namespaces of a command ---- */

#define SYSTEM "/shares/system"
#define WORK "/shares/work"
#define ROOT "/root"
#define REPORT ROOT "/run/kairo/directory"

/* What the first process of a command tells the agent: first that it runs or a problem, last its end. */
struct word {
	char kind; /* R, N or X */
	uint32_t status, leftovers;
	uint32_t length;
	char text[REPORT_BYTES];
};

static struct word word;
static int word_socket;

static void tell(void) {
	while (send(word_socket, &word, offsetof(struct word, text) + word.length, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void refuse(const char *what, const char *which) {
	int problem = errno;
	word.kind = 'N';
	word.length = snprintf(word.text, sizeof(word.text), "%s%s: %s", what, which, strerror(problem));
	tell();
	_exit(1);
}

static void attempt(int result, const char *what, const char *which) {
	if (result < 0)
		refuse(what, which);
}

/* A session, of which the commands share directories and a network. */
struct session {
	char name[MOST_NAME + 1];
	int commands, net;
	uint64_t used;
};

static struct session sessions[MOST_SESSIONS];
static uint64_t session_clock;

/* The directories that the commands of a session share. */
static const char *const shared_places[] = { "/dev/shm", "/tmp", "/var/tmp", "/home/sandbox" };

/* Where the caches of the tenant are mounted, to which the home directory has links. */
static const char caches[] = "/caches/";

enum { SHARED_PLACES = sizeof(shared_places) / sizeof(*shared_places) };

static void session_path(char *path, size_t size, const struct session *session, int place) {
	snprintf(path, size, "/sessions/%d/%d", (int) (session - sessions), place);
}

static int mount_scratch(const char *path, int place, const struct start *start) {
	char options[160];
	int home = place == SHARED_PLACES - 1;
	snprintf(options, sizeof(options), "size=%llu,mode=%s,uid=%u,gid=%u", (unsigned long long) start->scratch,
			home ? "700" : "1777", home ? start->uid : 0, home ? start->gid : 0);
	return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

/*
 * Whether a directory of a command is mounted in another one. A command before could lead the mount elsewhere with a
 * link, if that were shared.
 */
static int has_target(const struct start *start, const char *place) {
	size_t length = strlen(place);
	for (uint32_t i = 0; i < start->target_count; i++)
		if (!strncmp(start->targets[i], place, length) && (!start->targets[i][length] || start->targets[i][length] == '/'))
			return 1;
	return 0;
}

static void device(const char *name, int minor) {
	char path[64];
	snprintf(path, sizeof(path), ROOT "/dev/%s", name);
	int major_number = !strcmp(name, "tty") ? 5 : 1;
	attempt(mknod(path, S_IFCHR | 0666, makedev(major_number, minor)), "create ", path);
}

static void bind_mount(const char *source, const char *target, unsigned long flags) {
	attempt(mount(source, target, NULL, MS_BIND, NULL), "mount ", target);
	attempt(mount(NULL, target, NULL, MS_BIND | MS_REMOUNT | MS_NOSUID | MS_NODEV | flags, NULL), "remount ", target);
}

/* Builds the root file system of a command. */
static void build_root(const struct start *start, const struct session *session) {
	char source[4600], path[4600];
	umask(0);
	attempt(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount /", "");
	attempt(mount("tmpfs", ROOT, "tmpfs", MS_NOSUID, "size=1m,mode=755"), "mount /", "");
	DIR *shared = opendir(SYSTEM);
	if (!shared)
		refuse("open ", SYSTEM);
	for (struct dirent *entry; (entry = readdir(shared));) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(source, sizeof(source), SYSTEM "/%s", entry->d_name);
		snprintf(path, sizeof(path), ROOT "/%s", entry->d_name);
		struct stat status;
		attempt(lstat(source, &status), "examine ", path);
		if (S_ISLNK(status.st_mode)) {
			char link[4096];
			ssize_t length = readlink(source, link, sizeof(link) - 1);
			attempt(length, "read ", path);
			link[length] = 0;
			attempt(symlink(link, path), "create ", path);
		}
		else if (S_ISDIR(status.st_mode)) {
			attempt(mkdir(path, 0755), "create ", path);
			bind_mount(source, path, MS_RDONLY);
		}
	}
	closedir(shared);
	const char *places[] = { "/dev", "/proc", "/tmp", "/home", "/home/sandbox", "/run", "/run/kairo", "/var", "/var/tmp" };
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), ROOT "%s", places[i]);
		if (mkdir(path, 0755) && errno != EEXIST)
			refuse("create ", places[i]);
	}
	attempt(mount("tmpfs", ROOT "/dev", "tmpfs", MS_NOSUID, "size=64k,mode=755"), "mount ", "/dev");
	device("null", 3);
	device("zero", 5);
	device("full", 7);
	device("random", 8);
	device("urandom", 9);
	device("tty", 0);
	const char *links[][2] = { { "/proc/self/fd", "fd" }, { "/proc/self/fd/0", "stdin" }, { "/proc/self/fd/1", "stdout" },
		{ "/proc/self/fd/2", "stderr" }, { "pts/ptmx", "ptmx" } };
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		snprintf(path, sizeof(path), ROOT "/dev/%s", links[i][1]);
		attempt(symlink(links[i][0], path), "create ", path);
	}
	attempt(mkdir(ROOT "/dev/shm", 0755), "create ", "/dev/shm");
	attempt(mkdir(ROOT "/dev/pts", 0755), "create ", "/dev/pts");
	attempt(mount("devpts", ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"),
			"mount ", "/dev/pts");
	attempt(mount("proc", ROOT "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "mount ", "/proc");
	for (int i = 0; i < SHARED_PLACES; i++) {
		snprintf(path, sizeof(path), ROOT "%s", shared_places[i]);
		if (session && !has_target(start, shared_places[i])) {
			session_path(source, sizeof(source), session, i);
			bind_mount(source, path, 0);
		}
		else
			attempt(mount_scratch(path, i, start), "mount ", path);
	}
	/* the files of a session that ends must not be kept by a command of another one */
	for (int i = 0; i < MOST_SESSIONS; i++)
		for (int place = 0; sessions[i].name[0] && place < SHARED_PLACES; place++) {
			session_path(path, sizeof(path), &sessions[i], place);
			umount2(path, MNT_DETACH);
		}
	attempt(mount("tmpfs", ROOT "/run/kairo", "tmpfs", MS_NOSUID | MS_NODEV, "size=32k,mode=755"), "mount ", "/run/kairo");
	int report = open(REPORT, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	attempt(report, "create ", "the report");
	attempt(fchown(report, start->uid, start->gid), "create ", "the report");
	close(report);
	for (uint32_t i = 0; i < start->target_count; i++) {
		snprintf(source, sizeof(source), WORK "%s", start->targets[i]);
		snprintf(path, sizeof(path), ROOT "%s", start->targets[i]);
		attempt(make_directories(path), "create ", start->targets[i]);
		bind_mount(source, path, 0);
		const char *home = shared_places[SHARED_PLACES - 1];
		const char *name = start->targets[i] + sizeof(caches) - 1;
		if (!strncmp(start->targets[i], caches, sizeof(caches) - 1) && !strchr(name, '/') && !has_target(start, home)) {
			snprintf(path, sizeof(path), ROOT "%s/%s", home, name);
			/* unless the session has one already */
			if (!symlink(start->targets[i], path))
				attempt(lchown(path, start->uid, start->gid), "create ", path);
		}
	}
	attempt(mount(NULL, ROOT "/dev", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID, "size=64k,mode=755"), "remount ", "/dev");
	attempt(mount(NULL, ROOT, NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID, "size=1m,mode=755"), "remount ", "/");
	attempt(chdir(ROOT), "enter ", "/");
	attempt(mount(".", "/", NULL, MS_MOVE, NULL), "move ", "/");
	attempt(chroot("."), "enter ", "/");
	attempt(chdir("/"), "enter ", "/");
	umask(022);
}

static int loopback(void) {
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int result = ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
	return result;
}

/* Listens where the environment says that the proxy is, and hands the socket to the agent. */
static void offer_proxy(void) {
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PROXY_PORT),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	attempt(fd, "listen", "");
	attempt(bind(fd, (struct sockaddr *) &address, sizeof(address)), "listen", "");
	attempt(listen(fd, 64), "listen", "");
	char letter = 'L', space[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec data = { &letter, 1 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space) };
	struct cmsghdr *control = CMSG_FIRSTHDR(&message);
	control->cmsg_level = SOL_SOCKET;
	control->cmsg_type = SCM_RIGHTS;
	control->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(control), &fd, sizeof(int));
	attempt(sendmsg(word_socket, &message, 0), "listen", "");
	close(fd);
}

static void limit(int resource, rlim_t value) {
	struct rlimit limits = { value, value };
	attempt(setrlimit(resource, &limits), "set ", "a limit");
}

/* The process that becomes the command. */
static void become(const struct start *start, int started) {
	attempt(write_file("/proc/self/oom_score_adj", "0"), "set ", "oom_score_adj");
	limit(RLIMIT_CORE, 0);
	attempt(setrlimit(RLIMIT_NOFILE, &(struct rlimit) { USUAL_FILES, MOST_FILES }), "set ", "a limit");
	if (start->file_size)
		limit(RLIMIT_FSIZE, start->file_size);
	for (int capability = 0; capability < 64; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) && errno != EINVAL)
			refuse("drop ", "a capability");
	/* for a command that opens /dev/stdout */
	for (int fd = 0; fd < 3; fd++) {
		struct stat status;
		if (!fstat(fd, &status) && S_ISFIFO(status.st_mode))
			attempt(fchown(fd, start->uid, start->gid), "hand over ", "a pipe");
	}
	attempt(setgroups(0, NULL), "leave ", "groups");
	attempt(setresgid(start->gid, start->gid, start->gid), "change ", "the group");
	attempt(setresuid(start->uid, start->uid, start->uid), "change ", "the user");
	attempt(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "refuse ", "privileges");
	if (chdir(start->directory))
		refuse("directory", "");
	for (int signal_number = 1; signal_number < 65; signal_number++)
		signal(signal_number, SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (start->filter_length) {
		struct sock_fprog program = { start->filter_length / sizeof(struct sock_filter), (void *) start->filter };
		attempt(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0), "filter ", "system calls");
	}
	execve(start->arguments[0], start->arguments, start->variables);
	int problem = errno;
	(void) !write(started, &problem, sizeof(problem));
	_exit(127);
}

static void on_term(int number) {
	(void) number;
	kill(-1, SIGTERM);
}

static uint32_t count_processes(void) {
	uint32_t count = 0;
	DIR *processes = opendir("/proc");
	for (struct dirent *entry; processes && (entry = readdir(processes));) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || !strcmp(entry->d_name, "1"))
			continue;
		/* what is dead and waits for its parent does not count */
		char path[300], text[512];
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
		if (fd >= 0)
			close(fd);
		text[length > 0 ? length : 0] = 0;
		char *state = strrchr(text, ')');
		count += state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
	}
	if (processes)
		closedir(processes);
	return count;
}

static void read_report(void) {
	int fd = open("/run/kairo/directory", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t length = fd < 0 ? 0 : read(fd, word.text, sizeof(word.text));
	word.length = length > 0 ? length : 0;
}

/* The first process in the namespaces of a command: with its end the kernel ends all others. */
static void lead(const struct start *start, const struct session *session, const char *group, int streams[3],
		int sock) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	int entered = session && !start->proxied ? setns(session->net, CLONE_NEWNET) : 0;
	/* what belongs to other commands must not be kept open */
	for (int i = 0; i < 3; i++) {
		attempt(dup3(streams[i], KEPT_FILES + i, O_CLOEXEC), "use ", "a stream");
		streams[i] = KEPT_FILES + i;
	}
	attempt(dup3(sock, KEPT_FILES + 3, O_CLOEXEC), "use ", "a socket");
	word_socket = KEPT_FILES + 3;
	syscall(SYS_close_range, 3, KEPT_FILES - 1, 0);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	struct sigaction action = { .sa_handler = on_term };
	sigaction(SIGTERM, &action, NULL);
	attempt(write_file("/proc/self/oom_score_adj", "-900"), "set ", "oom_score_adj");
	attempt(write_file(group, "0"), "enter ", "the control group");
	sethostname("sandbox", 7);
	attempt(entered, "enter ", "the network of the session");
	if (!session || start->proxied)
		attempt(loopback(), "start ", "the loopback interface");
	if (start->proxied)
		offer_proxy();
	build_root(start, session);
	int started[2];
	attempt(pipe2(started, O_CLOEXEC), "create ", "a pipe");
	pid_t child = fork();
	attempt(child, "start ", "a process");
	if (child == 0) {
		setsid();
		for (int i = 0; i < 3; i++)
			attempt(dup2(streams[i], i), "use ", "a stream");
		become(start, started[1]);
	}
	for (int i = 0; i < 3; i++)
		close(streams[i]);
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; i < 3; i++)
		dup2(nowhere, i);
	close(started[1]);
	int problem;
	ssize_t length;
	while ((length = read(started[0], &problem, sizeof(problem))) < 0 && errno == EINTR)
		;
	if (length > 0) {
		errno = problem;
		refuse("run ", start->arguments[0]);
	}
	close(started[0]);
	word.kind = 'R';
	word.length = 0;
	tell();
	int status = 0;
	for (pid_t ended; (ended = waitpid(-1, &status, 0)) != child;)
		if (ended < 0 && errno != EINTR)
			_exit(1);
	word.kind = 'X';
	word.status = status;
	word.leftovers = count_processes();
	read_report();
	tell();
	_exit(0);
}

/* ---- commands ---- */

struct command {
	uint32_t id;
	pid_t pid;
	struct session *session;
	int told, words, input, outputs[2], listener, dead, ended, input_closing;
	uint32_t credit, status, leftovers, report_length;
	uint8_t pending[INPUT_WINDOW];
	uint32_t pending_start, pending_end, accepted;
	char report[REPORT_BYTES];
};

static struct command *commands[MOST_COMMANDS];

struct connection {
	uint32_t number;
	struct command *owner;
	int fd, waiting, host_ended, command_ended;
	uint8_t pending[CHUNK];
	uint32_t pending_start, pending_end;
};

static struct connection *connections[MOST_CONNECTIONS];
static uint32_t last_connection;

static void close_fd(int *fd) {
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static struct command *command_of(uint32_t id) {
	for (int i = 0; i < MOST_COMMANDS; i++)
		if (commands[i] && commands[i]->id == id)
			return commands[i];
	return NULL;
}

static void group_path(char *path, size_t size, uint32_t id, const char *file) {
	snprintf(path, size, "/groups/c%u%s", id, file);
}

static int set_group(uint32_t id, const char *file, uint64_t value) {
	char path[64], text[32];
	group_path(path, sizeof(path), id, file);
	snprintf(text, sizeof(text), "%llu", (unsigned long long) value);
	return value ? write_file(path, text) : 0;
}

static void end_connection(int i, int tell_host) {
	if (tell_host)
		send_frame('q', connections[i]->number, 0);
	close(connections[i]->fd);
	free(connections[i]);
	connections[i] = NULL;
}

static void forget(struct command *command) {
	char path[64];
	for (int i = 0; i < MOST_CONNECTIONS; i++)
		if (connections[i] && connections[i]->owner == command)
			end_connection(i, 0);
	close_fd(&command->words);
	close_fd(&command->input);
	close_fd(&command->outputs[0]);
	close_fd(&command->outputs[1]);
	close_fd(&command->listener);
	group_path(path, sizeof(path), command->id, "");
	rmdir(path);
	for (int i = 0; i < MOST_COMMANDS; i++)
		if (commands[i] == command)
			commands[i] = NULL;
	if (command->session) {
		command->session->commands--;
		command->session->used = ++session_clock;
	}
	free(command);
}

static void end_session(struct session *session) {
	char path[64];
	for (int i = 0; i < SHARED_PLACES; i++) {
		session_path(path, sizeof(path), session, i);
		umount2(path, MNT_DETACH);
	}
	close_fd(&session->net);
	session->name[0] = 0;
}

static struct session *longest_idle(void) {
	struct session *found = NULL;
	for (int i = 0; i < MOST_SESSIONS; i++)
		if (sessions[i].name[0] && !sessions[i].commands && (!found || sessions[i].used < found->used))
			found = &sessions[i];
	return found;
}

/* Ends idle sessions while the files of sessions take a quarter of the memory. */
static void make_room(void) {
	struct sysinfo info;
	for (struct session *idle; !sysinfo(&info) && info.sharedram > info.totalram / 4 && (idle = longest_idle());)
		end_session(idle);
}

static int open_session(struct session *session, const struct start *start) {
	char path[64];
	snprintf(path, sizeof(path), "/sessions/%d", (int) (session - sessions));
	mkdir(path, 0755);
	int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	session->net = -1;
	if (own < 0 || unshare(CLONE_NEWNET)) {
		close_fd(&own);
		return -1;
	}
	int failed = loopback();
	session->net = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (setns(own, CLONE_NEWNET))
		fail("return to the network");
	close_fd(&own);
	strcpy(session->name, start->session);
	for (int i = 0; i < SHARED_PLACES && !failed; i++) {
		session_path(path, sizeof(path), session, i);
		mkdir(path, 0755);
		failed = mount_scratch(path, i, start);
	}
	if (failed || session->net < 0) {
		end_session(session);
		return -1;
	}
	return 0;
}

/* Returns the session of a command, or NULL if it has none or there is no room for one. */
static struct session *session_of(const struct start *start) {
	struct session *session = NULL;
	if (!start->session[0])
		return NULL;
	for (int i = 0; i < MOST_SESSIONS; i++)
		if (!strcmp(sessions[i].name, start->session))
			session = &sessions[i];
	if (session)
		session->used = ++session_clock;
	else {
		make_room();
		for (int i = 0; i < MOST_SESSIONS && !session; i++)
			if (!sessions[i].name[0])
				session = &sessions[i];
		if (!session && (session = longest_idle()))
			end_session(session);
		if (!session || open_session(session, start))
			return NULL;
		session->used = ++session_clock;
	}
	return session;
}

static void not_run(uint32_t id, const char *what) {
	char text[200];
	snprintf(text, sizeof(text), "%s: %s", what, strerror(errno));
	send_text('N', id, text);
}

/*
 * Sets the clock, which is that of the host to a second when the machine starts: files have the times of the host, and
 * a program such as make warns of one from the future.
 */
static void set_time(uint64_t nanoseconds) {
	struct timespec time = { nanoseconds / 1000000000, nanoseconds % 1000000000 };
	clock_settime(CLOCK_REALTIME, &time);
}

static void start_command(uint32_t id, struct start *start) {
	int slot = 0, pair[2], pipes[3][2], streams[3];
	while (slot < MOST_COMMANDS && commands[slot])
		slot++;
	errno = EAGAIN;
	if (slot == MOST_COMMANDS) {
		not_run(id, "too many commands");
		return;
	}
	char group[64];
	group_path(group, sizeof(group), id, "");
	if (mkdir(group, 0755) || set_group(id, "/memory.max", start->memory)
			|| set_group(id, "/pids.max", start->pids ? start->pids + 1 : 0)) {
		not_run(id, "control group");
		rmdir(group);
		return;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		not_run(id, "socket pair");
		rmdir(group);
		return;
	}
	for (int i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			fail("pipe");
	streams[0] = pipes[0][0];
	streams[1] = pipes[1][1];
	streams[2] = pipes[2][1];
	if (!start->stdin_wanted) {
		close(streams[0]);
		streams[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	group_path(group, sizeof(group), id, "/cgroup.procs");
	struct session *session = session_of(start);
	pid_t pid = syscall(SYS_clone, SIGCHLD | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
			| (session && !start->proxied ? 0 : CLONE_NEWNET), NULL, NULL, NULL, NULL);
	if (pid == 0)
		lead(start, session, group, streams, pair[1]);
	int problem = errno;
	for (int i = 0; i < 3; i++)
		close(streams[i]);
	close(pair[1]);
	struct command *command = grown(NULL, sizeof(*command));
	memset(command, 0, offsetof(struct command, pending));
	command->id = id;
	command->pid = pid;
	command->session = session;
	if (session)
		session->commands++;
	command->words = pair[0];
	command->input = pipes[0][1];
	command->outputs[0] = pipes[1][0];
	command->outputs[1] = pipes[2][0];
	command->listener = -1;
	command->pending_start = command->pending_end = command->accepted = 0;
	commands[slot] = command;
	for (int i = 0; i < 3; i++)
		fcntl(i == 0 ? pipes[0][1] : pipes[i][0], F_SETFL, O_NONBLOCK);
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	if (!start->stdin_wanted)
		close_fd(&command->input);
	if (pid < 0) {
		errno = problem;
		not_run(id, "process");
		forget(command);
	}
}

static void end_input(struct command *command) {
	if (command->input >= 0)
		send_frame('B', command->id, 0);
	close_fd(&command->input);
}

static void write_input(struct command *command) {
	while (command->input >= 0 && command->pending_start < command->pending_end) {
		ssize_t done = write(command->input, command->pending + command->pending_start,
				command->pending_end - command->pending_start);
		if (done < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (done < 0) {
			end_input(command);
			return;
		}
		command->pending_start += done;
		send_number('G', command->id, done);
	}
	command->pending_start = command->pending_end = 0;
	if (command->input_closing)
		close_fd(&command->input);
}

static void add_input(struct command *command, const uint8_t *data, uint32_t length) {
	if (command->input < 0)
		return;
	if (command->pending_start) {
		memmove(command->pending, command->pending + command->pending_start, command->pending_end - command->pending_start);
		command->pending_end -= command->pending_start;
		command->pending_start = 0;
	}
	if (length > INPUT_WINDOW - command->pending_end) {
		errno = EPROTO;
		fail("too much input");
	}
	memcpy(command->pending + command->pending_end, data, length);
	command->pending_end += length;
	write_input(command);
}

/* Takes what the first process of a command tells. */
static void hear(struct command *command) {
	char space[CMSG_SPACE(sizeof(int))];
	static struct word heard;
	struct iovec data = { &heard, sizeof(heard) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space) };
	ssize_t length = recvmsg(command->words, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	struct cmsghdr *control = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (control && control->cmsg_type == SCM_RIGHTS) {
		memcpy(&command->listener, CMSG_DATA(control), sizeof(int));
		return;
	}
	if (length < (ssize_t) offsetof(struct word, text)) {
		close_fd(&command->words);
		return;
	}
	switch (heard.kind) {
	case 'R':
		command->told = 1;
		send_frame('R', command->id, 0);
		break;
	case 'N':
		heard.text[heard.length < sizeof(heard.text) ? heard.length : sizeof(heard.text) - 1] = 0;
		if (!command->told)
			send_text('N', command->id, heard.text);
		command->told = -1;
		break;
	case 'X':
		command->ended = 1;
		command->status = heard.status;
		command->leftovers = heard.leftovers;
		command->report_length = heard.length;
		memcpy(command->report, heard.text, heard.length);
		break;
	}
}

/* Passes on some output as far as the host allows. Returns whether there may be more. */
static int pass_output(struct command *command, int which) {
	static uint8_t data[CHUNK];
	int *fd = &command->outputs[which];
	if (*fd < 0)
		return 0;
	if (!command->credit || out_end - out_start > MOST_QUEUED)
		return 1;
	ssize_t length = read(*fd, data, command->credit < CHUNK ? command->credit : CHUNK);
	if (length < 0 && (errno == EINTR || (errno == EAGAIN && !command->dead)))
		return 1;
	if (length <= 0) {
		close_fd(fd);
		return 0;
	}
	command->credit -= length;
	memcpy(send_frame(which ? 'W' : 'O', command->id, length), data, length);
	return 1;
}

/* Reports the end of a command of which no process and no output is left. */
static void finish(struct command *command) {
	while (command->words >= 0) /* closed by the end of its processes */
		hear(command);
	if (command->told > 0) {
		char path[64];
		group_path(path, sizeof(path), command->id, "/memory.events");
		uint32_t kills = number_in(path, "oom_kill");
		group_path(path, sizeof(path), command->id, "/pids.events");
		uint32_t forks = number_in(path, "max");
		group_path(path, sizeof(path), command->id, "/cpu.stat");
		uint64_t used = number_in(path, "usage_usec");
		/* without a last word its first process was killed, and with it all others */
		uint32_t status = command->ended ? command->status : SIGKILL;
		uint8_t *payload = send_frame('X', command->id, 24 + command->report_length);
		put32(payload, status);
		put32(payload + 4, command->leftovers);
		put32(payload + 8, kills);
		put32(payload + 12, forks);
		put32(payload + 16, used >> 32);
		put32(payload + 20, used);
		memcpy(payload + 24, command->report, command->report_length);
	}
	else if (command->told == 0)
		send_text('N', command->id, "its first process ended early");
	forget(command);
}

/* Returns the number of live processes of all commands that have an argument. */
static uint32_t count_argument(const uint8_t *argument, uint32_t length) {
	uint32_t count = 0;
	static char text[64 << 10];
	DIR *processes = opendir("/proc");
	for (struct dirent *entry; processes && (entry = readdir(processes));) {
		char path[300];
		snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
		int fd = entry->d_name[0] < '0' || entry->d_name[0] > '9' ? -1 : open(path, O_RDONLY | O_CLOEXEC);
		ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
		if (fd >= 0)
			close(fd);
		text[size > 0 ? size : 0] = 0;
		int found = 0;
		for (char *at = text; at < text + size; at += strlen(at) + 1)
			found |= strlen(at) == length && !memcmp(at, argument, length);
		count += found;
	}
	if (processes)
		closedir(processes);
	return count;
}

static void reap(void) {
	int status;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
		for (int i = 0; i < MOST_COMMANDS; i++)
			if (commands[i] && commands[i]->pid == pid)
				commands[i]->dead = 1;
}

/* ---- connections to the proxy ---- */

static void open_connection(struct command *command) {
	int fd = accept4(command->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), slot = 0, own = 0;
	if (fd < 0)
		return;
	for (int i = 0; i < MOST_CONNECTIONS; i++)
		own += connections[i] && connections[i]->owner == command;
	while (slot < MOST_CONNECTIONS && connections[slot])
		slot++;
	if (slot == MOST_CONNECTIONS || own >= PER_COMMAND) {
		close(fd);
		return;
	}
	struct connection *connection = grown(NULL, sizeof(*connection));
	memset(connection, 0, offsetof(struct connection, pending));
	connection->pending_start = connection->pending_end = 0;
	connection->number = ++last_connection;
	connection->owner = command;
	connection->fd = fd;
	connections[slot] = connection;
	send_number('c', connection->number, command->id);
}

/* Moves data of a connection, one piece at a time in each direction. Returns whether it is over. */
static int move_data(struct connection *connection, int readable) {
	static uint8_t data[CHUNK];
	if (connection->pending_start < connection->pending_end) {
		ssize_t done = write(connection->fd, connection->pending + connection->pending_start,
				connection->pending_end - connection->pending_start);
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			return 1;
		connection->pending_start += done > 0 ? done : 0;
		if (connection->pending_start == connection->pending_end)
			send_frame('g', connection->number, 0);
	}
	if (connection->host_ended == 1 && connection->pending_start == connection->pending_end) {
		shutdown(connection->fd, SHUT_WR);
		connection->host_ended = 2;
	}
	if (readable && !connection->waiting && !connection->command_ended) {
		ssize_t length = read(connection->fd, data, CHUNK);
		if (length < 0 && errno != EAGAIN && errno != EINTR)
			return 1;
		if (length == 0) {
			connection->command_ended = 1;
			send_frame('f', connection->number, 0);
		}
		if (length > 0) {
			connection->waiting = 1;
			memcpy(send_frame('d', connection->number, length), data, length);
		}
	}
	return connection->command_ended && connection->host_ended == 2;
}

static void take_data(char kind, uint32_t number, const uint8_t *data, uint32_t length) {
	for (int i = 0; i < MOST_CONNECTIONS; i++) {
		struct connection *connection = connections[i];
		if (!connection || connection->number != number)
			continue;
		if (kind == 'd') {
			if (length > CHUNK || connection->pending_start < connection->pending_end) {
				errno = EPROTO;
				fail("too much data");
			}
			memcpy(connection->pending, data, length);
			connection->pending_start = 0;
			connection->pending_end = length;
		}
		else if (kind == 'g')
			connection->waiting = 0;
		else if (kind == 'f' && !connection->host_ended)
			connection->host_ended = 1;
		if (kind == 'q')
			end_connection(i, 0);
		else if (move_data(connection, 0))
			end_connection(i, 1);
		return;
	}
}

/* ---- the host ---- */

static void obey(char kind, uint32_t id, uint8_t *payload, uint32_t length) {
	struct reader reader = { payload, payload + length };
	struct command *command = command_of(id);
	switch (kind) {
	case 'S': {
		struct start start = { 0 };
		take_start(&reader, &start);
		set_time(start.time);
		start_command(id, &start);
		free_start(&start);
		break;
	}
	case 'I':
		if (command)
			add_input(command, payload, length);
		break;
	case 'E':
		if (command) {
			command->input_closing = 1;
			write_input(command);
		}
		break;
	case 'K':
		if (command && !command->dead)
			kill(command->pid, take32(&reader) == SIGTERM ? SIGTERM : SIGKILL);
		break;
	case 'C':
		if (command)
			command->credit += take32(&reader);
		break;
	case 'c': case 'd': case 'g': case 'f': case 'q':
		take_data(kind, id, payload, length);
		break;
	case 'L':
		send_number('L', id, count_argument(payload, length));
		break;
	case 'P':
		power_off();
		break;
	default:
		errno = EPROTO;
		fail("a frame of the host");
	}
}

static void read_port(void) {
	for (;;) {
		if (in_size - in_end < CHUNK)
			in = grown(in, in_size = in_end + 4 * CHUNK);
		ssize_t length = read(port, in + in_end, in_size - in_end);
		if (length < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (length <= 0) /* the host has closed the port: it is gone */
			power_off();
		in_end += length;
		size_t at = 0;
		while (in_end - at >= HEADER) {
			uint32_t size = get32(in + at + 5);
			if (size > MOST_START) {
				errno = EPROTO;
				fail("a frame of the host is too long");
			}
			if (in_end - at < HEADER + size) {
				if (in_size < at + HEADER + size + CHUNK)
					in = grown(in, in_size = at + HEADER + size + CHUNK);
				break;
			}
			obey(in[at], get32(in + at + 1), in + at + HEADER, size);
			at += HEADER + size;
		}
		memmove(in, in + at, in_end - at);
		in_end -= at;
	}
}

/* ---- the machine ---- */

static void load_modules(void) {
	FILE *list = fopen("/modules/order", "re");
	char name[128], path[160];
	while (list && fgets(name, sizeof(name), list)) {
		name[strcspn(name, "\n")] = 0;
		snprintf(path, sizeof(path), "/modules/%s", name);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
			fail(path);
		close(fd);
	}
	if (list)
		fclose(list);
}

static void open_port(void) {
	for (int i = 0; i < 500 && port < 0; i++) {
		DIR *ports = opendir("/sys/class/virtio-ports");
		for (struct dirent *entry; ports && port < 0 && (entry = readdir(ports));)
			if (entry->d_name[0] != '.') {
				char path[280];
				snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
				port = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
			}
		if (ports)
			closedir(ports);
		if (port < 0)
			usleep(10000);
	}
	if (port < 0)
		fail("there is no port");
	/* until the host has opened its end as well, the port looks as if the host were gone */
	struct pollfd end = { port, 0, 0 };
	for (int i = 0; i < 500 && poll(&end, 1, 0) > 0 && end.revents & POLLHUP; i++)
		usleep(10000);
}

static void mount_all(void) {
	const char *places[] = { "/proc", "/sys", "/dev", "/groups", "/sessions", "/shares", SYSTEM, WORK, ROOT };
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		mkdir(places[i], 0755);
	if (mount("proc", "/proc", "proc", 0, NULL) || mount("sysfs", "/sys", "sysfs", 0, NULL))
		fail("mount");
	if (mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) && errno != EBUSY)
		fail("mount /dev");
}

static void mount_shares(void) {
	if (mount("system", SYSTEM, "virtiofs", MS_RDONLY | MS_NOSUID | MS_NODEV, NULL))
		fail("mount the system");
	if (mount("work", WORK, "virtiofs", MS_NOSUID | MS_NODEV, NULL))
		fail("mount the workspace");
	if (mount("cgroup2", "/groups", "cgroup2", 0, NULL)
			|| write_file("/groups/cgroup.subtree_control", "+memory +pids"))
		fail("control groups");
	write_file("/proc/sys/user/max_user_namespaces", "0");
	/* memory is limited by control groups, which end a command that uses it, not one that asks for it */
	write_file("/proc/sys/vm/overcommit_memory", "1");
	write_file("/proc/sys/kernel/panic", "-1");
	write_file("/proc/self/oom_score_adj", "-1000");
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit) { MOST_FILES, MOST_FILES }))
		fail("limit of files");
}

static void serve(void) {
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	static struct pollfd fds[2 + MOST_COMMANDS * 5 + MOST_CONNECTIONS];
	for (;;) {
		int count = 0;
		int room = out_end - out_start <= MOST_QUEUED;
		fds[count++] = (struct pollfd) { port, POLLIN | (out_start < out_end ? POLLOUT : 0), 0 };
		fds[count++] = (struct pollfd) { children, POLLIN, 0 };
		for (int i = 0; i < MOST_COMMANDS; i++) {
			struct command *command = commands[i];
			if (!command)
				continue;
			short output = command->credit && room ? POLLIN : 0;
			int wants_input = command->input >= 0 && command->pending_start < command->pending_end;
			fds[count++] = (struct pollfd) { command->words, POLLIN, 0 };
			fds[count++] = (struct pollfd) { output ? command->outputs[0] : -1, output, 0 };
			fds[count++] = (struct pollfd) { output ? command->outputs[1] : -1, output, 0 };
			fds[count++] = (struct pollfd) { command->input, wants_input ? POLLOUT : 0, 0 };
			fds[count++] = (struct pollfd) { room ? command->listener : -1, POLLIN, 0 };
		}
		for (int i = 0; i < MOST_CONNECTIONS; i++)
			if (connections[i]) {
				struct connection *connection = connections[i];
				short events = (connection->pending_start < connection->pending_end ? POLLOUT : 0)
						| (!connection->waiting && !connection->command_ended && room ? POLLIN : 0);
				fds[count++] = (struct pollfd) { events ? connection->fd : -1, events, 0 };
			}
		if (poll(fds, count, -1) < 0 && errno != EINTR)
			fail("poll");
		struct signalfd_siginfo info;
		while (read(children, &info, sizeof(info)) > 0)
			;
		reap();
		for (int i = 0, at = 2; i < MOST_COMMANDS; i++) {
			struct command *command = commands[i];
			if (!command)
				continue;
			if (fds[at].revents && command->words >= 0)
				hear(command);
			if (fds[at + 3].revents & (POLLERR | POLLHUP))
				end_input(command);
			else if (fds[at + 3].revents & POLLOUT)
				write_input(command);
			if (fds[at + 4].revents)
				open_connection(command);
			at += 5;
		}
		for (int i = 0; i < MOST_CONNECTIONS; i++)
			if (connections[i] && move_data(connections[i], 1))
				end_connection(i, 1);
		for (int i = 0; i < MOST_COMMANDS; i++)
			if (commands[i]) {
				int more = pass_output(commands[i], 0);
				more |= pass_output(commands[i], 1);
				if (commands[i]->dead && !more)
					finish(commands[i]);
			}
		/* last, as it may change which commands there are */
		read_port();
		flush_port();
	}
}

int main(void) {
	mount_all();
	load_modules();
	open_port();
	mount_shares();
	put32(send_frame('H', 0, 4), VERSION);
	flush_port();
	serve();
}
