/* A sample device on a pty, until SIGTERM or the end of the process that started it. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "control.h"
#include "settings.h"
#include "shoe.h"
#include "shuffler.h"

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

/* Signals are let in only while we wait, so none is missed. */
static sigset_t listen_to_signals(void)
{
    const struct sigaction action = {.sa_handler = stop};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    return before;
}

static void die_with_parent(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent)
        stopped = 1; /* it ended in between */
}

static void wait_for_something(const struct control *control, const struct unit *unit, const sigset_t *mask)
{
    struct pollfd descriptors[MOST_CLIENTS + 2];
    size_t count = control_watch(control, descriptors);
    const uint64_t due = unit_deadline(unit), now = clock_now();
    const uint64_t rest = due > now ? due - now : 0;
    const struct timespec limit = {(time_t)(rest / 1000000), (long)(rest % 1000000) * 1000};
    if (unit->pty.master >= 0 && unit->now >= unit->frozen_until)
        descriptors[count++] = (struct pollfd){.fd = unit->pty.master, .events = POLLIN};
    (void)ppoll(descriptors, count, due == TSL_NO_DEADLINE ? NULL : &limit, mask); /* a signal or a reason to look */
}

static void publish(struct control *control, struct unit *unit)
{
    struct line lines = {.size = 0};
    unit_take_notices(unit, &lines);
    control_publish(control, lines.bytes, lines.size);
}

static void serve(struct control *control, struct unit *unit, const sigset_t *mask)
{
    while (!stopped) {
        wait_for_something(control, unit, mask);
        unit_turn(unit);
        publish(control, unit);
        control_serve(control);
        unit_turn(unit);
        publish(control, unit);
    }
}

static bool build(struct unit *unit)
{
    static struct shoe shoe;
    static struct shuffler shuffler;
    return unit->settings->device_class == TSL_SHOE ? shoe_open(&shoe, unit) : shuffler_open(&shuffler, unit);
}

int main(int count, char **words)
{
    static struct settings settings;
    static struct unit unit;
    static struct control control;
    const struct server server = {&unit, unit_look, unit_ask};
    const pid_t parent = getppid();
    const sigset_t mask = listen_to_signals();
    die_with_parent(parent);
    if (!settings_read(&settings, count, words))
        return EXIT_FAILURE;
    if (!unit_open(&unit, &settings) || !build(&unit)) {
        perror(settings.memory);
        return EXIT_FAILURE;
    }
    unit_turn(&unit);
    if (!control_open(&control, settings.control, &server)) {
        perror(settings.control);
        return EXIT_FAILURE;
    }
    serve(&control, &unit, &mask);
    pty_unplug(&unit.pty);
    control_close(&control);
    return EXIT_SUCCESS;
}
