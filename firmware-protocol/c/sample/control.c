#define _GNU_SOURCE
#include "control.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool control_open(struct control *control, const char *path, const struct server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    control->path = path;
    control->server = *server;
    for (size_t place = 0; place < MOST_CLIENTS; place++)
        control->clients[place].socket = -1;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s.new", path) >= (int)sizeof address.sun_path)
        return false;
    (void)unlink(address.sun_path); /* may be left from a run that was killed */
    control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return control->listener >= 0 && bind(control->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(control->listener, MOST_CLIENTS) == 0 &&
           rename(address.sun_path, path) == 0; /* whoever sees the name can connect */
}

static void send_away(struct client *client)
{
    (void)close(client->socket);
    client->socket = -1;
}

void control_close(struct control *control)
{
    for (size_t place = 0; place < MOST_CLIENTS; place++)
        if (control->clients[place].socket >= 0)
            send_away(&control->clients[place]);
    (void)close(control->listener);
    (void)unlink(control->path);
}

size_t control_watch(const struct control *control, struct pollfd *descriptors)
{
    size_t count = 0;
    descriptors[count++] = (struct pollfd){.fd = control->listener, .events = POLLIN};
    for (size_t place = 0; place < MOST_CLIENTS; place++)
        if (control->clients[place].socket >= 0)
            descriptors[count++] = (struct pollfd){.fd = control->clients[place].socket, .events = POLLIN};
    return count;
}

/* Who does not read what is sent is sent away. */
static void say(struct client *client, const char *bytes, size_t size)
{
    if (client->socket >= 0 && send(client->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        send_away(client);
}

static struct client *free_client(struct control *control)
{
    for (size_t place = 0; place < MOST_CLIENTS; place++)
        if (control->clients[place].socket < 0)
            return &control->clients[place];
    return NULL;
}

static void let_in(struct control *control)
{
    struct client *client = free_client(control);
    const int socket = client == NULL ? -1 : accept4(control->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    struct line line = {.size = 0};
    if (socket < 0)
        return;
    *client = (struct client){.socket = socket};
    control->server.look(control->server.self, &line);
    say(client, line.bytes, line.size);
}

static void answer(struct control *control, struct client *client, char *request)
{
    struct line line = {.size = 0};
    control->server.ask(control->server.self, request, &line);
    say(client, line.bytes, line.size);
}

/* Answers each whole line, and keeps the rest. */
static void hear(struct control *control, struct client *client)
{
    char *rest = client->bytes, *end = NULL;
    client->bytes[client->size] = '\0';
    while (client->socket >= 0 && (end = strchr(rest, '\n')) != NULL) {
        *end = '\0';
        answer(control, client, rest);
        rest = end + 1;
    }
    client->size -= (size_t)(rest - client->bytes);
    memmove(client->bytes, rest, client->size);
}

static void serve(struct control *control, struct client *client)
{
    const size_t room = sizeof client->bytes - 1 - client->size;
    const ssize_t size = recv(client->socket, client->bytes + client->size, room, MSG_DONTWAIT);
    if (size > 0) {
        client->size += (size_t)size;
        hear(control, client);
    } else if (size == 0) {
        send_away(client); /* gone, or a line without end */
    }
}

void control_serve(struct control *control)
{
    let_in(control);
    for (size_t place = 0; place < MOST_CLIENTS; place++)
        if (control->clients[place].socket >= 0)
            serve(control, &control->clients[place]);
}

void control_publish(struct control *control, const char *bytes, size_t size)
{
    for (size_t place = 0; size > 0 && place < MOST_CLIENTS; place++)
        say(&control->clients[place], bytes, size);
}
