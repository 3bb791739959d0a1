#include "files.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 512, KEY = 32, KEY_TEXT = 65 };

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
