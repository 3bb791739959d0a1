#include "files.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 512, LONGEST_LINE = 128, KEY = 32, KEY_TEXT = 65 };

bool file_read(const char *path, void *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const bool whole = fread(bytes, 1, size, file) == size && fgetc(file) == EOF;
    return fclose(file) == 0 && whole;
}

bool file_replace(const char *path, const void *bytes, size_t size)
{
    char fresh[LONGEST_PATH];
    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return false;
    FILE *file = fopen(fresh, "wb");
    if (file == NULL)
        return false;
    const bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written && rename(fresh, path) == 0;
}

bool file_read_text(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    text[fread(text, 1, room - 1, file)] = '\0';
    (void)fclose(file);
    return true;
}

bool file_append(const char *path, const char *line)
{
    FILE *file = fopen(path, "a");
    if (file == NULL)
        return false;
    const bool written = fputs(line, file) >= 0;
    return fclose(file) == 0 && written;
}

uint64_t file_last_number(const char *path)
{
    unsigned long long number = 0;
    char text[LONGEST_LINE];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(text, sizeof text, file) != NULL)
        if (sscanf(text, "%llu", &number) != 1)
            number = 0;
    if (file != NULL)
        (void)fclose(file);
    return number;
}

bool file_read_key(const char *path, uint8_t key[KEY])
{
    char text[KEY_TEXT + 1] = "";
    unsigned value = 0;
    if (!file_read(path, text, KEY_TEXT) || text[KEY_TEXT - 1] != '\n' ||
        strspn(text, "0123456789abcdefABCDEF") != KEY_TEXT - 1)
        return false;
    for (size_t place = 0; place < KEY; place++) {
        if (sscanf(text + 2 * place, "%2x", &value) != 1)
            return false;
        key[place] = (uint8_t)value;
    }
    return true;
}
