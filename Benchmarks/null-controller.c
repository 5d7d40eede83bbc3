/* A controller without radio for measuring hosts: H4 over TCP, instant answers, and one peer that it plays itself.
 *
 *   null-controller PORT [REPORTS]
 *
 * Serves one host after the other. With REPORTS, each scan hears that many advertising reports from 200 devices at once;
 * otherwise it hears the one peer, C0:01:02:03:04:05, again and again. A connection to the peer is there at once. Its
 * database is below; a write of a count (4 bytes) and a length (2 bytes) to CONTROL makes it notify that often.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LINK = 0x0040, ACL_LENGTH = 251, ACL_COUNT = 32, OUT_MARK = 1 << 16 };
enum { H_READ = 8, H_WRITE = 10, H_NOTIFY = 12, H_CONTROL = 15 };

/* The peer's database: handle = index + 1. */
typedef struct { uint16_t type; uint8_t length; uint8_t value[20]; } attribute;
static const attribute database[] = {
  {0x2800, 2, {0x00, 0x18}},
  {0x2803, 5, {0x02, 3, 0, 0x00, 0x2A}}, {0x2A00, 4, "Null"},
  {0x2803, 5, {0x02, 5, 0, 0x01, 0x2A}}, {0x2A01, 2, {0, 0}},
  {0x2800, 2, {0xE0, 0xFF}},
  {0x2803, 5, {0x02, H_READ, 0, 0xE1, 0xFF}}, {0xFFE1, 20, "twenty bytes a value"},
  {0x2803, 5, {0x0C, H_WRITE, 0, 0xE2, 0xFF}}, {0xFFE2, 1, {0}},
  {0x2803, 5, {0x10, H_NOTIFY, 0, 0xE3, 0xFF}}, {0xFFE3, 1, {0}}, {0x2902, 2, {0, 0}},
  {0x2803, 5, {0x08, H_CONTROL, 0, 0xE4, 0xFF}}, {0xFFE4, 1, {0}},
};
enum { ATTRIBUTES = sizeof database / sizeof *database };
static const uint8_t peer_address[6] = {5, 4, 3, 2, 1, 0xC0};

static int host = -1;
static uint8_t in[1 << 17], out[OUT_MARK + (1 << 17)];
static size_t in_count, out_count;
static int scanning, connected, mtu, completed;
static long reports_wanted, reports_left, notifications_left;
static int notification_length;
static uint8_t frame[1024];
static int frame_count, frame_wanted;

static void put(const void *bytes, size_t count) {
  if (out_count + count > sizeof out) { fprintf(stderr, "null-controller: out of room\n"); exit(1); }
  memcpy(out + out_count, bytes, count);
  out_count += count;
}
static void event(uint8_t code, const void *parameters, uint8_t count) {
  uint8_t head[3] = {4, code, count};
  put(head, 3);
  put(parameters, count);
}
static void complete(uint16_t opcode, const void *returned, int count) {
  uint8_t b[255] = {1, (uint8_t)opcode, (uint8_t)(opcode >> 8)};
  memcpy(b + 3, returned, count);
  event(0x0E, b, count + 3);
}
static void status(uint16_t opcode, uint8_t code) {
  uint8_t b[4] = {code, 1, (uint8_t)opcode, (uint8_t)(opcode >> 8)};
  event(0x0F, b, 4);
}
static int get16(const uint8_t *p) { return p[0] | p[1] << 8; }

/* MARK: HCI commands */

static const uint16_t supported[] = {  /* octet, bit */
  0x0005, 0x0207, 0x0506, 0x0507, 0x0E03, 0x0E05, 0x0E07, 0x0F01, 0x1602, 0x1806, 0x1900, 0x1901, 0x1902, 0x1904,
  0x1905, 0x1906, 0x1907, 0x1A00, 0x1A01, 0x1A02, 0x1A03, 0x1A04, 0x1A05, 0x1A06, 0x1A07, 0x1B00, 0x1B01, 0x1B02, 0x1B05,
  0x1B07, 0x2106, 0x2107, 0x2200, 0x2303,
};

static void command(uint16_t opcode, const uint8_t *p, int count) {
  uint8_t r[80] = {0};
  switch (opcode) {
  case 0x0C03:
    scanning = connected = 0;
    reports_left = notifications_left = 0;
    complete(opcode, r, 1);
    break;
  case 0x1001: r[1] = 0x0D; r[4] = 0x0D; r[5] = r[6] = 0xFF; complete(opcode, r, 9); break;
  case 0x1002:
    for (size_t i = 0; i < sizeof supported / sizeof *supported; i++)
      r[1 + (supported[i] >> 8)] |= 1 << (supported[i] & 7);
    complete(opcode, r, 65);
    break;
  case 0x1003: r[5] = 0x60; complete(opcode, r, 9); break;
  case 0x1004: r[1] = p[0]; r[2] = 1; if (p[0] == 0) r[7] = 0x60; else r[3] = 2; complete(opcode, r, 11); break;
  case 0x1005: complete(opcode, r, 8); break;
  case 0x1009: memcpy(r + 1, "\x01\x00\x4E\x55\x4C\x02", 6); complete(opcode, r, 7); break;
  case 0x2002: r[1] = ACL_LENGTH; r[3] = ACL_COUNT; complete(opcode, r, 4); break;
  case 0x2003: r[1] = 0x20; complete(opcode, r, 9); break;
  case 0x201C: memset(r + 1, 0xFF, 5); complete(opcode, r, 9); break;
  case 0x200F: r[1] = 8; complete(opcode, r, 2); break;
  case 0x2018: for (int i = 1; i < 9; i++) r[i] = rand(); complete(opcode, r, 9); break;
  case 0x2023: r[1] = 251; r[3] = 0x48; r[4] = 8; complete(opcode, r, 5); break;
  case 0x202F: r[1] = r[5] = 251; r[3] = r[7] = 0x48; r[4] = r[8] = 8; complete(opcode, r, 9); break;
  case 0x2030: r[1] = LINK; r[3] = r[4] = 1; complete(opcode, r, 5); break;
  case 0x200C:
    scanning = p[0];
    reports_left = scanning ? reports_wanted : 0;
    complete(opcode, r, 1);
    break;
  case 0x200D: {
    status(opcode, 0);
    uint8_t b[19] = {1, 0, LINK, 0, 0, p[5]};
    memcpy(b + 6, p + 6, 6);
    b[12] = 6; b[16] = 200;
    event(0x3E, b, 19);
    connected = 1; mtu = 23; frame_count = frame_wanted = 0;
    break;
  }
  case 0x200E: complete(opcode, r, 1); break;
  case 0x0406: {
    status(opcode, 0);
    uint8_t b[4] = {0, LINK, 0, 0x16};
    if (connected) event(0x05, b, 4);
    connected = 0;
    notifications_left = 0;
    break;
  }
  case 0x2016: { status(opcode, 0); uint8_t b[12] = {4, 0, LINK, 0, 0x20}; event(0x3E, b, 12); break; }
  case 0x041D: { status(opcode, 0); uint8_t b[8] = {0, LINK, 0, 0x0D, 0xFF, 0xFF}; event(0x0C, b, 8); break; }
  case 0x2022: r[1] = LINK; complete(opcode, r, 3); break;
  case 0x2013: {
    status(opcode, 0);
    uint8_t b[10] = {3, 0, LINK, 0, p[2], p[3], p[6], p[7], p[8], p[9]};
    event(0x3E, b, 10);
    break;
  }
  case 0x0C01: case 0x0C63: case 0x0C6D: case 0x2001: case 0x2005: case 0x2006: case 0x2008: case 0x2009: case 0x200A:
  case 0x200B: case 0x2010: case 0x2011: case 0x2012: case 0x2024: case 0x2031:
    complete(opcode, r, 1);
    break;
  default: status(opcode, 1);
  }
  (void)count;
}

/* MARK: The peer */

static void send_att(const uint8_t *pdu, int count) {
  uint8_t head[9] = {2, LINK, 0x20, (uint8_t)(count + 4), (uint8_t)((count + 4) >> 8), (uint8_t)count,
                     (uint8_t)(count >> 8), 4, 0};
  put(head, 9);
  put(pdu, count);
}
static void refuse(uint8_t request, int handle, uint8_t code) {
  uint8_t r[5] = {1, request, (uint8_t)handle, (uint8_t)(handle >> 8), code};
  send_att(r, 5);
}
static int group_end(int handle) {
  while (handle < ATTRIBUTES && database[handle].type != 0x2800) handle++;
  return handle;
}

/* Find Information, Read By Type and Read By Group Type walk the database alike; `kind` is the request. */
static void search(uint8_t kind, const uint8_t *p, int count) {
  int first = get16(p + 1), last = get16(p + 3), type = count >= 7 ? get16(p + 5) : 0;
  uint8_t r[520] = {(uint8_t)(kind + 1)};
  int length = 2, size = 0;
  for (int h = first < 1 ? 1 : first; h <= last && h <= ATTRIBUTES && count <= 7; h++) {
    const attribute *a = &database[h - 1];
    if (kind != 0x04 && a->type != type) continue;
    int item = kind == 0x04 ? 4 : a->length + (kind == 0x10 ? 4 : 2);
    if (size == 0) { size = item; r[1] = kind == 0x04 ? 1 : item; }
    if (item != size || length + item > mtu) break;
    r[length++] = h; r[length++] = 0;
    if (kind == 0x10) { r[length++] = group_end(h); r[length++] = 0; }
    if (kind == 0x04) { r[length++] = a->type; r[length++] = a->type >> 8; continue; }
    memcpy(r + length, a->value, a->length);
    length += a->length;
  }
  if (size == 0) refuse(kind, first, 0x0A); else send_att(r, length);
}

static void att(const uint8_t *p, int count) {
  uint8_t r[24] = {0};
  int handle = count >= 3 ? get16(p + 1) : 0;
  switch (p[0]) {
  case 0x02: mtu = handle < 517 ? handle : 517; r[0] = 3; r[1] = 517 & 255; r[2] = 517 >> 8; send_att(r, 3); break;
  case 0x04: case 0x08: case 0x10: search(p[0], p, count); break;
  case 0x0A:
    if (handle < 1 || handle > ATTRIBUTES) { refuse(p[0], handle, 1); break; }
    r[0] = 0x0B;
    memcpy(r + 1, database[handle - 1].value, database[handle - 1].length);
    send_att(r, 1 + database[handle - 1].length);
    break;
  case 0x12:
    if (handle == H_CONTROL && count == 9) {
      notifications_left = get16(p + 3) | (long)get16(p + 5) << 16;
      notification_length = get16(p + 7);
      if (notification_length > mtu - 3) notification_length = mtu - 3;
    }
    r[0] = 0x13;
    send_att(r, 1);
    break;
  case 0x52: case 0x1E: break;
  default: refuse(p[0], handle, 6);
  }
}

static void data(const uint8_t *p, int count) {
  completed++;
  if (count < 4 || !connected) return;
  int is_start = (p[1] >> 4 & 3) != 1;
  if (is_start) { frame_count = 0; frame_wanted = count >= 8 ? get16(p + 4) + 4 : 0; }
  if (frame_count + count - 4 > (int)sizeof frame) { frame_wanted = 0; return; }
  memcpy(frame + frame_count, p + 4, count - 4);
  frame_count += count - 4;
  if (frame_wanted > 4 && frame_count >= frame_wanted && get16(frame + 2) == 4) att(frame + 4, frame_wanted - 4);
}

/* MARK: The wire */

static void parse(void) {
  size_t at = 0;
  while (in_count - at >= 4) {
    const uint8_t *p = in + at;
    size_t length = p[0] == 1 ? 4 + p[3] : p[0] == 2 && in_count - at >= 5 ? 5 + get16(p + 3) : 0;
    if (p[0] != 1 && p[0] != 2) { fprintf(stderr, "null-controller: no H4: %02X\n", p[0]); exit(1); }
    if (length == 0 || in_count - at < length) break;
    if (p[0] == 1) command(get16(p + 1), p + 4, p[3]); else data(p + 1, (int)length - 1);
    at += length;
  }
  memmove(in, in + at, in_count - at);
  in_count -= at;
  if (completed) {
    uint8_t b[5] = {1, LINK, 0, (uint8_t)completed, (uint8_t)(completed >> 8)};
    event(0x13, b, 5);
    completed = 0;
  }
}

static void report(long number) {
  uint8_t b[43] = {2, 1, 0, 1};
  memcpy(b + 4, peer_address, 6);
  if (reports_wanted) { b[4] = number % 200; b[5] = 7; }
  static const uint8_t advertisement[31] = {2, 1, 6, 5, 9, 'N', 'u', 'l', 'l', 3, 3, 0xE0, 0xFF, 17, 0xFF, 0xFF, 0xFF};
  b[10] = 31;
  memcpy(b + 11, advertisement, 31);
  b[42] = (uint8_t)-60;
  event(0x3E, b, 43);
}

static void fill(void) {
  static const uint8_t zeros[512];
  uint8_t pdu[520] = {0x1B, H_NOTIFY, 0};
  memcpy(pdu + 3, zeros, sizeof zeros);
  for (; scanning && reports_left > 0 && out_count < OUT_MARK; reports_left--) report(reports_left);
  for (; connected && notifications_left > 0 && out_count < OUT_MARK; notifications_left--) {
    memcpy(pdu + 3, &notifications_left, 4);
    send_att(pdu, 3 + notification_length);
  }
}

static long long microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

/* Waits for the host; for two milliseconds after a packet without sleep, longer than any host takes for its next one. A
   controller that had to be woken first would be measured with the host, on a machine whose idle cores wake slowly even
   more than the host. */
static int wait_for_host(struct pollfd *f, int timeout) {
  static long long awake_until;
  static int processors;
  if (!processors) processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
  int n = 0;
  do n = poll(f, 1, 0); while (n == 0 && processors > 1 && microseconds() < awake_until);
  if (n == 0) n = poll(f, 1, timeout);
  if (f->revents & POLLIN) awake_until = microseconds() + 2000;
  return n;
}

static int serve(void) {
  for (;;) {
    int lazy = scanning && !reports_wanted;
    if (out_count < OUT_MARK) fill();
    struct pollfd f = {host, POLLIN, 0};
    if (out_count) f.events |= POLLOUT;
    /* While the host does not take what waits, it is not asked for more. */
    if (out_count >= OUT_MARK) f.events &= ~POLLIN;
    int n = wait_for_host(&f, lazy ? 2 : -1);
    if (n == 0 && lazy) report(0);
    if (f.revents & (POLLIN | POLLHUP | POLLERR)) {
      ssize_t k = recv(host, in + in_count, sizeof in - in_count, MSG_DONTWAIT);
      if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR)) return 0;
      if (k > 0) { in_count += k; parse(); }
    }
    if (out_count) {
      ssize_t k = send(host, out, out_count, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (k < 0 && errno != EAGAIN && errno != EINTR) return 0;
      if (k > 0) { memmove(out, out + k, out_count - k); out_count -= k; }
    }
  }
}

int main(int count, char **arguments) {
  if (count < 2) { fprintf(stderr, "usage: null-controller PORT [REPORTS]\n"); return 64; }
  if (count > 2) reports_wanted = atol(arguments[2]);
  int one = 1, door = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in a = {0};
  a.sin_family = AF_INET;
  a.sin_port = htons(atoi(arguments[1]));
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof a;
  if (bind(door, (void *)&a, size) || listen(door, 4) || getsockname(door, (void *)&a, &size)) {
    perror("null-controller");
    return 1;
  }
  printf("%d\n", ntohs(a.sin_port));
  fflush(stdout);
  for (;;) {
    host = accept(door, 0, 0);
    if (host < 0) return 1;
    setsockopt(host, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    in_count = out_count = 0;
    scanning = connected = completed = 0;
    reports_left = notifications_left = 0;
    serve();
    close(host);
  }
}
