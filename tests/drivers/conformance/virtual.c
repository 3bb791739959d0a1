/* The sample shoe without port, socket and clock: whoever runs it carries its bytes and says what time it is.
 *
 * A line in: microseconds, the bytes that came as hex ("-": none), and at will `look` or a request as JSON.
 * Lines out: what the control socket would say; then ".", the bytes that it sends, and when it wants to run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "hex.h"
#include "pty_port.h"
#include "settings.h"
#include "shoe.h"
#include "unit.h"

enum { LONGEST = 1 << 18, ROOM = 1 << 16 };

struct pipe {
    uint8_t bytes[ROOM];
    size_t size;
};

static uint64_t now;
static struct pipe heard, said;
static struct unit unit;

uint64_t clock_now(void)
{
    return now;
}

bool pty_plug(struct pty *pty)
{
    pty->master = 0;
    return true;
}

void pty_unplug(struct pty *pty)
{
    pty->master = -1;
}

size_t pty_read(const struct pty *pty, uint8_t *bytes, size_t room)
{
    const size_t size = heard.size < room ? heard.size : room;
    (void)pty;
    memcpy(bytes, heard.bytes, size);
    memmove(heard.bytes, heard.bytes + size, heard.size -= size);
    return size;
}

void pty_write(const struct pty *pty, const uint8_t *bytes, size_t size)
{
    if (pty->master < 0 || size > ROOM - said.size)
        return;
    memcpy(said.bytes + said.size, bytes, size);
    said.size += size;
}

static void turn(void)
{
    struct line notices = {.size = 0};
    do
        unit_turn(&unit);
    while (heard.size > 0 && now >= unit.frozen_until);
    unit_take_notices(&unit, &notices);
    fputs(notices.bytes, stdout);
}

static void serve(char *request)
{
    struct line answer = {.size = 0};
    if (strcmp(request, "look") == 0)
        unit_look(&unit, &answer);
    else
        unit_ask(&unit, request, &answer);
    fputs(answer.bytes, stdout);
}

static void obey(char *line)
{
    const char *time = strtok(line, " \n"), *bytes = strtok(NULL, " \n");
    char *request = strtok(NULL, "\n");
    now = strtoull(time, NULL, 10);
    heard.size += hex_read(bytes, heard.bytes + heard.size, ROOM - heard.size);
    turn();
    if (request != NULL) {
        serve(request);
        turn();
    }
    printf(". ");
    hex_print(said.bytes, said.size);
    printf(" %llu\n", (unsigned long long)unit_deadline(&unit));
    said.size = 0;
}

int main(int count, char **words)
{
    static struct settings settings;
    static struct shoe shoe;
    static char line[LONGEST];
    if (!settings_read(&settings, count, words) || !unit_open(&unit, &settings) || !shoe_open(&shoe, &unit))
        return EXIT_FAILURE;
    while (fgets(line, sizeof line, stdin) != NULL) {
        obey(line);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
