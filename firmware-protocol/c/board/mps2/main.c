/* A device on the board: the machine of the sample, its line on the first UART, its hand on the second. */
#include <string.h>

#include "alarm.h"
#include "board.h"
#include "clock.h"
#include "figures.h"
#include "reset.h"
#include "semihosting.h"
#include "shoe.h"
#include "shuffler.h"
#include "uart.h"
#include "words.h"

/* Microseconds. The emulator looks whether a UART takes bytes when something happens, but not when it is enabled. */
enum { FIRST_ALARM = 1000 };
/* Of one tick: what a processor of 25 MHz does in 2 ms. */
enum { X25519_STEPS = 3 };

#ifdef BOARD_SHUFFLER
static struct shuffler machine;
#define MACHINE_CLASS TSL_SHUFFLER
#define machine_open shuffler_open
#else
static struct shoe machine;
#define MACHINE_CLASS TSL_SHOE
#define machine_open shoe_open
#endif

/* A request that comes in. */
struct inbox {
    char bytes[LONGEST_LINE];
    size_t size;
};

static void say(const char *bytes, size_t size)
{
    while (!uart_write(&UART_HAND, (const uint8_t *)bytes, size))
        board_sleep(); /* until an interrupt has sent some */
}

static void publish(struct unit *unit)
{
    static struct line lines;
    lines.size = 0;
    unit_take_notices(unit, &lines);
    say(lines.bytes, lines.size);
}

extern const uint8_t image_number[];

/* What a hand cannot see from outside: which image runs, and why it started. */
static void describe(struct line *line)
{
    line_add(line, "{\"image\": %u, \"reset\": %u}\n", (unsigned)(uintptr_t)image_number, (unsigned)reset_reason());
}

/* The lines of an answer come between ">" and ".", so that they are not taken for notices. */
static void answer(struct unit *unit, char *request)
{
    static struct line lines;
    lines.size = 0;
    if (strcmp(request, "look") == 0)
        unit_look(unit, &lines);
    else if (strcmp(request, "board") == 0)
        describe(&lines);
    else if (!figures_ask(request, &lines))
        unit_ask(unit, request, &lines);
    say(">\n", 2);
    say(lines.bytes, lines.size);
    say(".\n", 2);
}

static void hear_hand(struct unit *unit, struct inbox *inbox)
{
    char *end = NULL;
    inbox->size += uart_read(&UART_HAND, (uint8_t *)inbox->bytes + inbox->size, sizeof inbox->bytes - 1 - inbox->size);
    inbox->bytes[inbox->size] = '\0';
    while ((end = strchr(inbox->bytes, '\n')) != NULL) {
        *end = '\0';
        answer(unit, inbox->bytes);
        inbox->size -= (size_t)(end + 1 - inbox->bytes);
        memmove(inbox->bytes, end + 1, inbox->size + 1);
    }
}

static void sleep_until(uint64_t due)
{
    const uint64_t now = clock_now();
    if (due <= now)
        return;
    alarm_set(due - now);
    board_hold(); /* what comes from here on wakes us */
    if (!uart_waits(&UART_LINE) && !uart_waits(&UART_HAND))
        board_sleep();
    board_release();
}

/* The device lost its power: so it starts again, when it is due. */
static void restart(const struct unit *unit)
{
    while (clock_now() < unit->off_until)
        sleep_until(unit->off_until);
    reset_board(unit->identity.reset);
}

int main(void)
{
    static struct settings settings;
    static struct unit unit;
    static struct inbox inbox;
    words_read(&settings);
    clock_start();
    uart_start();
    alarm_set(FIRST_ALARM);
    if (settings.device_class != MACHINE_CLASS)
        semihosting_exit();
    settings.has_boot_loader = true;
    if (!unit_open(&unit, &settings) || !machine_open(&machine, &unit))
        semihosting_exit();
    unit.identity.reset = reset_reason();
    unit.port.steps = X25519_STEPS;
    for (;;) {
        unit_turn(&unit);
        publish(&unit);
        if (!unit.powered)
            restart(&unit);
        if (uart_waits(&UART_HAND)) {
            hear_hand(&unit, &inbox);
            unit_turn(&unit);
            publish(&unit);
        }
        if (!uart_waits(&UART_LINE))
            sleep_until(unit_deadline(&unit));
    }
}
