#define _GNU_SOURCE
#include "settings.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cards.h"
#include "files.h"

enum { FACTORY_VERSION = 1 };

static const struct tempo HUMAN = {.card = 600000, .shuffle = 6000000, .check = 4000000, .boot = 500000};
static const struct tempo MAX = {0, 0, 0, 0};

static const char USAGE[] =
    "tsl-sample --class shoe|shuffler --link PATH --control SOCKET --memory FILE [--key FILE] [--maker FILE] [--root FILE]\n"
    "           [--serial TEXT] [--seed NUMBER] [--decks 1..10] [--speed human|max] [--stack FILE] [--log FILE]\n";

static const struct option OPTIONS[] = {
    {"class", required_argument, NULL, 'c'},   {"link", required_argument, NULL, 'l'},
    {"control", required_argument, NULL, 'o'}, {"memory", required_argument, NULL, 'm'},
    {"key", required_argument, NULL, 'k'},     {"serial", required_argument, NULL, 's'},
    {"seed", required_argument, NULL, 'e'},    {"decks", required_argument, NULL, 'd'},
    {"speed", required_argument, NULL, 'p'},   {"stack", required_argument, NULL, 't'},
    {"log", required_argument, NULL, 'g'},     {"maker", required_argument, NULL, 'a'},
    {"root", required_argument, NULL, 'r'},
    {NULL, 0, NULL, 0},
};

static bool take_class(struct settings *settings, const char *word)
{
    if (strcmp(word, "shoe") == 0)
        settings->device_class = TSL_SHOE;
    else if (strcmp(word, "shuffler") == 0)
        settings->device_class = TSL_SHUFFLER;
    return settings->device_class != 0;
}

static bool take_key(const char *path, uint8_t key[TSL_KEY])
{
    const bool good = file_read_key(path, key);
    if (!good)
        fprintf(stderr, "%s: not a file of 64 hex digits and a line's end\n", path);
    return good;
}

static bool take_speed(struct settings *settings, const char *word)
{
    settings->tempo = strcmp(word, "max") == 0 ? MAX : HUMAN;
    return strcmp(word, "max") == 0 || strcmp(word, "human") == 0;
}

static bool take_decks(struct settings *settings, const char *word)
{
    settings->decks = (unsigned)strtoul(word, NULL, 10);
    return settings->decks >= 1 && settings->decks <= MOST_DECKS;
}

static bool take(struct settings *settings, int option, const char *word)
{
    switch (option) {
    case 'c':
        return take_class(settings, word);
    case 'l':
        settings->link = word;
        return true;
    case 'o':
        settings->control = word;
        return true;
    case 'm':
        settings->memory = word;
        return true;
    case 'k':
        return settings->sealed = take_key(word, settings->key);
    case 'a':
        return settings->updatable = take_key(word, settings->maker);
    case 'r':
        return settings->rooted = take_key(word, settings->root);
    case 's':
        settings->serial = word;
        return strlen(word) <= 24;
    case 'e':
        settings->seed = strtoull(word, NULL, 10);
        return true;
    case 'd':
        return take_decks(settings, word);
    case 'p':
        return take_speed(settings, word);
    case 't':
        settings->stack = word;
        return true;
    case 'g':
        settings->log = word;
        return true;
    default:
        return false;
    }
}

bool settings_read(struct settings *settings, int count, char **words)
{
    int option = 0;
    *settings = (struct settings){.serial = "SAMPLE-0001", .seed = 1, .decks = 8, .tempo = HUMAN};
    while ((option = getopt_long(count, words, "", OPTIONS, NULL)) != -1)
        if (!take(settings, option, optarg)) {
            fputs(USAGE, stderr);
            return false;
        }
    if (optind < count || settings->device_class == 0 || settings->link == NULL || settings->control == NULL ||
        settings->memory == NULL) {
        fputs(USAGE, stderr);
        return false;
    }
    return true;
}

struct tsl_product settings_product(const struct settings *settings)
{
    return (struct tsl_product){.device_class = settings->device_class,
                                .hardware = "sim",
                                .maker = settings->maker,
                                .root = settings->rooted ? settings->root : NULL,
                                .version = FACTORY_VERSION};
}
