/* The control socket: hands ask for things, eyes see what there is to be seen. */
#ifndef CONTROL_H
#define CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "line.h"

enum { MOST_CLIENTS = 8 };

struct client {
    int socket; /* -1: none */
    char bytes[LONGEST_LINE];
    size_t size;
};

/* Who serves: `look` says what a newcomer is told, `ask` does what a line asks for and says what is answered. */
struct server {
    void *self;
    void (*look)(void *self, struct line *line);
    void (*ask)(void *self, char *request, struct line *line);
};

struct control {
    const char *path;
    int listener;
    struct client clients[MOST_CLIENTS];
    struct server server;
};

/* Listens; an old socket of that name is replaced. False: errno says why not. */
bool control_open(struct control *control, const char *path, const struct server *server);
void control_close(struct control *control);

/* Descriptors to be polled, at most MOST_CLIENTS + 1; returns how many. */
size_t control_watch(const struct control *control, struct pollfd *descriptors);

/* Lets in who knocks, and does what is asked. */
void control_serve(struct control *control);

/* Whole lines, to everybody. */
void control_publish(struct control *control, const char *bytes, size_t size);

#endif
